//go:build unix

package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/profile"
)

func call(id, tool, args string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}

// private is a home that only the user can enter.
func private(t *testing.T) string {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	return home
}

func TestTheDemoServesASimulatedFortiGateFromTheGivenHome(t *testing.T) {
	t.Parallel()
	home := private(t)
	var out, errs bytes.Buffer
	lines := []string{
		call("1", "forti_discover", `{"what":"devices"}`),
		call("2", "forti_discover", `{"what":"capabilities"}`),
		call("3", "forti_read", `{"resource":"firewall/address","count":2}`),
		call("4", "forti_plan", `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]}`),
	}
	if status := Main([]string{"--demo", "--home", home}, strings.NewReader(strings.Join(lines, "\n")), &out, &errs); status != 0 {
		t.Fatalf("status %d, stderr %s", status, &errs)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{`"name":"demo"`, `"serial":"FGVMSIM000000001"`, `"returned":2`, `--home ` + home} {
		if i >= len(answers) || !strings.Contains(answers[i], want) || !strings.Contains(answers[i], `"isError":false`) {
			t.Errorf("want %s in %.600v", want, answers[min(i, len(answers)-1)])
		}
	}
	token, err := os.ReadFile(filepath.Join(home, demoToken)) //nolint:gosec // a folder of this test
	if err != nil || strings.Contains(out.String()+errs.String(), strings.TrimSpace(string(token))) {
		t.Errorf("the token is missing or got out: %v", err)
	}
	if !strings.Contains(errs.String(), home) {
		t.Errorf("stderr does not name the home: %s", &errs)
	}
}

func TestWithoutAHomeTheDemoMakesOneAndRemovesIt(t *testing.T) {
	t.Setenv("HOME", private(t))
	t.Setenv("TMPDIR", private(t))
	t.Setenv(config.HomeVariable, "")
	var seen []string
	watch := func() {
		made, err := filepath.Glob(filepath.Join(os.TempDir(), "forti-demo-*", "config.json"))
		if err != nil {
			t.Error(err)
		}
		seen = append(seen, strings.Repeat("x", len(made)))
	}
	var errs bytes.Buffer
	g, err := build(Options{Demo: true}, &errs)
	if err != nil {
		t.Fatal(err)
	}
	watch()
	if err := g.stop(context.Background()); err != nil {
		t.Error(err)
	}
	watch()
	if len(seen) != 2 || seen[0] != "x" || seen[1] != "" {
		t.Errorf("homes while running and after: %q", seen)
	}
	if left, err := os.ReadDir(os.Getenv("HOME")); err != nil || len(left) > 0 {
		t.Errorf("the operator's own home was touched: %v, %v", left, err)
	}
}

func TestTheDemoLeavesOtherProfilesAlone(t *testing.T) {
	t.Parallel()
	home := private(t)
	real := config.Entry{Host: "192.0.2.1", Mode: profile.ReadOnly, Token: config.Source{Env: "T"}}
	write := func(name string) {
		t.Helper()
		if err := config.Open(home).Update(t.Context(), func(d *config.Document) error {
			d.Profiles[name] = real
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	write("office")
	start := func() error {
		d, err := startDemo(home)
		if err == nil {
			err = d.close()
		}
		return err
	}
	for range 2 { // the second one replaces the first one's profile
		if err := start(); err != nil {
			t.Fatal(err)
		}
	}
	d, err := config.Open(home).Read(t.Context())
	if err != nil || d.Profiles["office"].Host != "192.0.2.1" || d.DefaultProfile != "" || d.Profiles["demo"].Mode != profile.Guarded {
		t.Errorf("got %+v, %v", d, err)
	}
	write("demo")
	if err := start(); err == nil || !strings.Contains(err.Error(), "192.0.2.1") {
		t.Errorf("a real device's profile was replaced: %v", err)
	}
}

func TestADemoShowsItsOwnProfileOnly(t *testing.T) {
	t.Parallel()
	home := private(t)
	if err := config.Open(home).Update(t.Context(), func(d *config.Document) error {
		d.Profiles["office"] = config.Entry{Host: "192.0.2.1", Mode: profile.ReadOnly, Token: config.Source{Env: "T"}}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	status := Main([]string{"--demo", "--home", home}, strings.NewReader(call("1", "forti_discover", `{"what":"devices"}`)), &out, &errs)
	if status != 0 || !strings.Contains(out.String(), "demo") || strings.Contains(out.String(), "office") {
		t.Errorf("status %d, stdout %s, stderr %s", status, &out, &errs)
	}
}

func TestStartingReadsNoConfigurationAndTouchesNoState(t *testing.T) {
	t.Parallel()
	home := filepath.Join(t.TempDir(), "absent")
	var out, errs bytes.Buffer
	if status := Main([]string{"--home", home}, strings.NewReader(ping), &out, &errs); status != 0 || out.Len() == 0 || errs.Len() > 0 {
		t.Errorf("status %d, stdout %s, stderr %s", status, &out, &errs)
	}
	if _, err := os.Lstat(home); !os.IsNotExist(err) {
		t.Errorf("home: %v", err)
	}
}
