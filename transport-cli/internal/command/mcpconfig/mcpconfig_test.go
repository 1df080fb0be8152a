package mcpconfig_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/mcpconfig"
)

var update = flag.Bool("update", false, "write the golden files")

// snippet runs the command for a program and a home whose names need quoting.
func snippet(t *testing.T, home, name string, args ...string) (string, error) {
	t.Helper()
	var out, errs bytes.Buffer
	c := mcpconfig.New(mcpconfig.Options{
		Frame:  &command.Frame{Out: &out, Err: &errs, Profile: name},
		Home:   func() string { return home },
		Server: func() string { return `/opt/fo "rti"/forti-mcp` },
	})
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err := c.Execute()
	return out.String(), err
}

func TestEachClientHasItsForm(t *testing.T) {
	for _, client := range []string{"claude-desktop", "claude-code", "vscode", "cursor", "codex"} {
		t.Run(client, func(t *testing.T) {
			plain, err := snippet(t, "", "", client)
			if err != nil {
				t.Fatal(err)
			}
			full, err := snippet(t, "/h/with blank", "home", client, "--read-only")
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{plain, full} {
				var v any
				if err := json.Unmarshal([]byte(text), &v); (err == nil) == (client == "codex") {
					t.Errorf("JSON: %v\n%s", err, text)
				}
			}
			path, got := filepath.Join("testdata", client+".txt"), plain+"--\n"+full
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; write it with -update", err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		})
	}
}

func TestAnUnknownClientIsAMistake(t *testing.T) {
	out, err := snippet(t, "", "", "emacs")
	if fault.CodeOf(err) != fault.Usage || out != "" || !strings.Contains(err.Error(), "claude-desktop") {
		t.Errorf("%q, %v", out, err)
	}
}
