//go:build unix

package protocol

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestTheServerRunsUntilStdinClosesAndExitsWithStatus0(t *testing.T) {
	t.Parallel()
	s := open(t, harness.Empty(t))
	for range 3 {
		s.send(t, ping+"\n")
		want(t, []string{s.line(t)}, `"p" result`)
	}
	s.end(t, 0)
	if s.errs.Len() > 0 {
		t.Errorf("stderr %s", s.errs)
	}
}

func TestItExitsWith1WhenItCannotReadStdin(t *testing.T) {
	t.Parallel()
	folder, err := os.Open(t.TempDir()) // reading a folder fails
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = folder.Close() }()
	s := run(t, harness.Empty(t), folder)
	if s.status != 1 || s.stdout != "" || !strings.Contains(s.stderr, "messages cannot be read") {
		t.Errorf("%+v", s)
	}
}

func TestItExitsWith1WhenItCannotWriteStdout(t *testing.T) {
	t.Parallel()
	s := open(t, harness.Empty(t))
	s.send(t, ping+"\n"+ping+"\n")
	want(t, []string{s.line(t), s.line(t)}, `"p" result`, `"p" result`)
	s.hangUp(t)
	s.send(t, modern("tools/list")+"\n")
	s.ended(t, 1)
	if !strings.Contains(s.errs.String(), "answers cannot be written") {
		t.Errorf("stderr %s", s.errs)
	}
}

func TestItExitsWith1WhenStdoutIsFull(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no device that is full here: %v", err)
	}
	defer func() { _ = full.Close() }()
	cmd := harness.Empty(t).Command("forti-mcp")
	cmd.Stdin, cmd.Stdout = strings.NewReader(ping), full
	status(t, cmd.Run())
	if got := cmd.ProcessState.ExitCode(); got != 1 {
		t.Errorf("status %d", got)
	}
}

// An answer that cannot be written changes nothing about what was done and recorded.
func TestAClosedStdoutLeavesNothingHalfWritten(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	id := lab.Plan(`[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]`).PlanID
	held := lab.Hold(fortisim.Match{Method: "POST"}, true)
	s := open(t, lab)
	s.send(t, call("forti_apply", `{"plan_id":"`+id+`"}`)+"\n")
	<-held.Held()
	s.hangUp(t)
	held.Release()
	s.ended(t, 1)
	if got := strings.Join(harness.Events(lab.Audit(id)), " "); got != "plan.created apply.begin apply.end" {
		t.Errorf("events: %s", got)
	}
	if p := lab.Show(id); p.Execution == nil || p.Execution.Status != "applied" {
		t.Errorf("plan: %+v", p)
	}
	lab.Forti("audit", "verify").Must(0)
}

func TestItExitsWith2OnInvalidOptions(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--no-such-option"}, {"extra"}, {"--max-result-bytes", "1"}, {"--log-level", "loud"}, {"--home", ""}, {"--profile", "a b"}} {
		s := run(t, harness.Empty(t), strings.NewReader(ping), args...)
		if s.status != 2 || s.stdout != "" || !strings.HasPrefix(s.stderr, "forti-mcp: ") {
			t.Errorf("%q: %+v", args, s)
		}
	}
}

func TestASignalEndsAnIdleServerAtOnceWithStatus0(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		s := open(t, harness.Empty(t))
		s.send(t, ping+"\n")
		want(t, []string{s.line(t)}, `"p" result`)
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if rest := s.ended(t, 0); rest != "" || s.errs.Len() > 0 {
			t.Errorf("%v: stdout %q, stderr %s", signal, rest, s.errs)
		}
	}
}

func TestASignalEndsABusyServerAfterTheOperationInHandIsRecorded(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		lab := harness.New(t, &harness.Options{Mode: "autonomous"})
		id := lab.Plan(`[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50/32"}}]`).PlanID
		held := lab.Hold(fortisim.Match{Method: "POST"}, true)
		s := open(t, lab)
		s.send(t, call("forti_apply", `{"plan_id":"`+id+`"}`)+"\n"+ping+"\n")
		<-held.Held()
		if err := s.cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		held.Release()
		got := split(t, s.ended(t, 0))
		if len(got) == 0 || sketch(t, got[0]) != "1 result" {
			t.Errorf("%v: answers %v", signal, got)
		}
		if events := strings.Join(harness.Events(lab.Audit(id)), " "); events != "plan.created apply.begin apply.end" {
			t.Errorf("%v: events %s", signal, events)
		}
		if signal == syscall.SIGTERM {
			lab.Forti("audit", "verify").Must(0)
		}
	}
}

// helper is a credential helper that writes wherever it can before it says the token.
const helper = `#!/bin/sh
echo "noise of the helper" > /proc/$PPID/fd/1
for fd in 3 4 5 6 7 8 9; do
  ( eval "echo stray >&$fd" ) 2>/dev/null
done
echo "noise of the helper on its stderr" >&2
cat "$1"
`

func TestNothingButTheProtocolReachesStdout(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("only /proc lets a helper write to its parent's descriptor 1")
	}
	lab := harness.New(t, nil)
	program := lab.Write("helper.sh", helper)
	if err := os.Chmod(program, 0o700); err != nil { //nolint:gosec // a program of this test
		t.Fatal(err)
	}
	lab.Forti("configure", "helped", "--host", lab.Server.Host, "--port", strconv.Itoa(lab.Server.Port), "--pin", lab.Server.PinSHA256, "--mode", "guarded",
		"--token-command", program, "--token-command", filepath.Join(lab.User, "token")).Must(0)
	s := run(t, lab, strings.NewReader(ping+"\n"+call("forti_read", `{"profile":"helped","resource":"firewall/address","key":"net-lan"}`)+"\n"+ping+"\n"))
	got := split(t, s.stdout)
	want(t, got, `"p" result`, "1 result", `"p" result`)
	if e := envelopeOf(t, read(t, got[1])); !e.OK {
		t.Fatalf("the helper's token was not taken: %+v", e.Error)
	}
	if !strings.Contains(s.stderr, "noise of the helper\n") || strings.Contains(s.stdout, "stray") {
		t.Errorf("descriptor 1 does not lead to stderr: stdout %q, stderr %q", s.stdout, s.stderr)
	}
}

func TestStderrNeverCarriesRequestContentOrSecrets(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	const mark = "S3cretMark"
	lines := []string{
		mark, `{"` + mark + `":1}`, `[` + `"` + mark + `"]`, request(mark, `{}`), request("ping", `"`+mark+`"`),
		strings.Replace(modern("tools/list"), "2026-07-28", mark, 1), call(mark, `{}`), call("forti_read", `{"resource":"`+mark+`"}`),
		call("forti_read", `{"resource":"firewall/address","key":"`+mark+`"}`), call("forti_apply", `{"plan_id":"`+mark+`"}`),
		call("forti_plan", `{"operations":[{"op":"create","resource":"user/local","object":{"name":"x","type":"password","passwd":"`+mark+`"}}]}`),
		call("forti_discover", `{"what":"capabilities","profile":"`+mark+`"}`), call("forti_discover", `{"what":"capabilities"}`),
		`{"jsonrpc":"2.0","id":"` + mark + `","method":"ping","params":{"x":"` + strings.Repeat(mark, limit/8) + `"}}`, nested(65) + mark,
	}
	s := run(t, lab, strings.NewReader(strings.Join(lines, "\n")), "--log-level", "debug")
	if s.status != 0 || len(split(t, s.stdout)) != len(lines) {
		t.Errorf("status %d, %d answers", s.status, strings.Count(s.stdout, "\n"))
	}
	for _, text := range []string{mark, lab.Server.Token} {
		if strings.Contains(s.stderr, text) {
			t.Errorf("stderr: %s", s.stderr)
		}
	}
	if strings.Contains(s.stdout, lab.Server.Token) {
		t.Error("stdout holds the token")
	}
}

func TestStartingTouchesNoStateSoTwoServersMayStart(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	one, two := open(t, lab), open(t, lab)
	for _, s := range []*server{one, two} {
		s.send(t, initialize+"\n"+request("tools/list", `{}`)+"\n")
		want(t, []string{s.line(t), s.line(t)}, `"i" result`, "1 result")
	}
	one.end(t, 0)
	two.end(t, 0)
	if lab.Exists(lab.Home) {
		t.Error("the home was made")
	}
}
