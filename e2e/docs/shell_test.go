package docs

import (
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// call is a command line of a page, without its comment.
var call = regexp.MustCompile(`^(?:bin/|go run \./transport-cli/cmd/)?(forti(?:-mcp)?)\b([^#|>&]*)`)

func TestCommandsOnThePagesExist(t *testing.T) {
	t.Parallel()
	commands := known(harness.Empty(t))
	found := 0
	for _, name := range pages(t) {
		for _, b := range blocks(t, name) {
			if b.language != "sh" {
				continue
			}
			for line := range strings.Lines(b.text) {
				if m := call.FindStringSubmatch(strings.TrimLeft(strings.TrimSpace(line), "| ")); m != nil {
					found++
					check(t, commands, name, m[1], strings.Fields(m[2]))
				}
			}
		}
	}
	if found == 0 {
		t.Error("no page shows a command")
	}
}

// check finds the command that words begin with and looks at their flags.
func check(t *testing.T, commands map[string]map[string]bool, page, program string, words []string) {
	t.Helper()
	path := program
	for len(words) > 0 && commands[path] == nil {
		path, words = path+" "+words[0], words[1:]
	}
	flags := commands[path]
	if flags == nil {
		t.Errorf("%s: %q is no command", page, path)
	}
	for _, w := range words {
		if w, _, _ = strings.Cut(w, "="); strings.HasPrefix(w, "-") && w != "-" && !flags[w] {
			t.Errorf("%s: %s has no flag %s", page, path, w)
		}
	}
}

// shell runs a block of a page in a folder of its own, where the programs are found.
func shell(t *testing.T, script string) string {
	t.Helper()
	lab := harness.Empty(t)
	program := lab.Command("forti")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-eu")
	cmd.Stdin = strings.NewReader("trap 'kill ${!-} 2>/dev/null || :' EXIT\n" + script)
	cmd.WaitDelay = 5 * time.Second // for what a script that fails leaves running
	cmd.Dir, cmd.Env = lab.User, append(program.Env, "PATH="+filepath.Dir(program.Path)+":/usr/bin:/bin")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, script, out)
	}
	return string(out)
}

func TestTheSessionByHandAnswers(t *testing.T) {
	t.Parallel()
	out := shell(t, only(t, "docs/protocol.md", "sh"))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"protocolVersion":"2025-11-25"`) || !strings.Contains(lines[1], `"name":"demo"`) {
		t.Errorf("the session of docs/protocol.md gives:\n%s", out)
	}
}

func TestTheSimulatorAnswersOtherPrograms(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("curl is not installed: the example for other programs did not run")
	}
	out := shell(t, only(t, "docs/testing-with-fakes.md", "sh"))
	if !strings.Contains(out, `"subnet":"198.51.100.10 255.255.255.255"`) {
		t.Errorf("the example of docs/testing-with-fakes.md gives:\n%s", out)
	}
}
