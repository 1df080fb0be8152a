package app

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

// masks are what differs from run to run.
var masks = []struct {
	what *regexp.Regexp
	as   string
}{
	{regexp.MustCompile(`[0-9]{8}-[0-9]{6}-[0-9a-f]{6}`), "<plan>"},
	{regexp.MustCompile(`sha256:[0-9a-f]{64}`), "<digest>"},
	{regexp.MustCompile(`127\.0\.0\.1:[0-9]+`), "<address>"},
	{regexp.MustCompile(`[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}(:[0-9]{2})? UTC`), "<time>"},
	{regexp.MustCompile(`Type ( demo|the code)  ?[A-Z2-9]{6}  to approve: .*`), "Type $1 <code> to approve: <code>"},
	{regexp.MustCompile(`--home \S+`), "--home <home>"},
}

// masked is the story without the screens of the approvals, which package screen
// has goldens of: what a person reads besides them.
func masked(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "  | ") || strings.Contains(line, "Type ") {
			kept = append(kept, line)
		}
	}
	text = strings.Join(kept, "")
	for _, m := range masks {
		text = m.what.ReplaceAllString(text, m.as)
	}
	return text
}

// demonstrate runs the demonstration in a temporary directory of its own and
// proves that nothing stays there or in the home.
func demonstrate(t *testing.T, args ...string) (out, errs string, exit int) {
	t.Helper()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	home := filepath.Join(t.TempDir(), "home")
	var o, e bytes.Buffer
	exit = newApp([]string{"FORTI_HOME=" + home}, strings.NewReader(""), &o, &e).run(t.Context(), append([]string{"demo"}, args...))
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := os.Stat(home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the home was touched: %v", err)
	}
	return o.String(), e.String(), exit
}

func TestTheDemonstrationTellsTheWholeStory(t *testing.T) {
	out, errs, exit := demonstrate(t, "--yes")
	if exit != 0 || errs != "" {
		t.Fatalf("exit status %d\n%s%s", exit, out, errs)
	}
	path := filepath.Join("testdata", "demo.txt")
	got := masked(out)
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
	for _, screen := range []string{`  |   0   CREATE firewall/address "printer-3"`, `  |   4   MOVE firewall/policy`, "  | DIGEST"} {
		if !strings.Contains(out, screen) {
			t.Errorf("the screen of the approval does not show %q", screen)
		}
	}
}

func TestTheDemonstrationAnswersAsAnyCommand(t *testing.T) {
	out, errs, exit := demonstrate(t, "--yes", "-o", "json")
	var e struct {
		OK   bool
		Data []struct {
			Title string
			Lines []string
		}
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil || exit != 0 || errs != "" {
		t.Fatalf("exit status %d, %v\n%s%s", exit, err, out, errs)
	}
	if !e.OK || len(e.Data) != 10 {
		t.Errorf("%d steps, want 10", len(e.Data))
	}
	for _, step := range e.Data {
		if len(step.Lines) == 0 {
			t.Errorf("step %q tells nothing", step.Title)
		}
	}
}

func TestTheDemonstrationAsksAPersonUnlessToldOtherwise(t *testing.T) {
	out, errs, exit := demonstrate(t)
	if exit != 5 || out != "" || !strings.Contains(errs, "or with --yes") {
		t.Errorf("exit status %d\n%s%s", exit, out, errs)
	}
}
