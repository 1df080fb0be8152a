package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

func TestTheInstructionsAreGolden(t *testing.T) {
	t.Parallel()
	golden(t, "instructions.golden", newServer(t, newFake(), nil).instructions()+"\n")
	golden(t, "instructions_read_only.golden", newServer(t, newFake(), &Options{ReadOnly: true}).instructions()+"\n")
}

func TestTheInstructionsTellTheWorkflowTheModesTheBudgetAndTheDistrust(t *testing.T) {
	t.Parallel()
	text := newServer(t, newFake(), &Options{ReadOnly: true}).instructions()
	if first := "forti-mcp manages FortiGate firewalls through the FortiOS REST API only (never SSH or CLI commands)."; !strings.HasPrefix(text, first) {
		t.Errorf("the first sentence is not the document's")
	}
	if n := utf8.RuneCountInString(text); n >= 1600 {
		t.Errorf("%d characters", n)
	}
	if profile.DefaultResultBytes != 40_000 {
		t.Error("the text names another byte budget")
	}
	for _, word := range []string{
		"forti_discover", "forti_read", "forti_plan", "forti_apply {plan_id}", "read_only: policy_denied", "guarded: approval_required",
		"autonomous: it executes", "byte budget", "untrusted", "<redacted>", "--read-only",
	} {
		if !strings.Contains(text, word) {
			t.Errorf("nothing of %s", word)
		}
	}
}

func TestToolsListIsGolden(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*Options{"tools_list.golden": nil, "tools_list_read_only.golden": {ReadOnly: true}} {
		line := talk(t, newServer(t, newFake(), o), modern("tools/list"))[0]
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(line), "", "  "); err != nil {
			t.Fatal(err)
		}
		golden(t, name, pretty.String()+"\n")
	}
}

func TestToolsListStaysSmall(t *testing.T) {
	t.Parallel()
	if n := len(talk(t, newServer(t, newFake(), nil), modern("tools/list"))[0]); n >= 14_000 {
		t.Errorf("%d bytes", n)
	}
}

func TestTheFourToolsAndTheirAnnotations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		readOnly bool
		want     string
	}{
		{false, `forti_discover true false true true
forti_read true false true true
forti_plan true false false true
forti_apply false true false true
`},
		{true, `forti_discover true false true true
forti_read true false true true
`},
	} {
		result := parse(t, talk(t, newServer(t, newFake(), &Options{ReadOnly: c.readOnly}), modern("tools/list"))[0]).Result
		var got strings.Builder
		for _, entry := range listOf(t, result["tools"]) {
			a, _ := entry["annotations"].(map[string]any)
			if entry["title"] == "" || a["title"] != entry["title"] {
				t.Errorf("%v: title %v, in its annotations %v", entry["name"], entry["title"], a["title"])
			}
			got.WriteString(entry["name"].(string))
			for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
				got.WriteString(map[any]string{true: " true", false: " false"}[a[hint]])
			}
			got.WriteString("\n")
		}
		if diff := cmp.Diff(c.want, got.String()); diff != "" {
			t.Error(diff)
		}
	}
}

func listOf(t *testing.T, v any) []map[string]any {
	t.Helper()
	list, ok := v.([]any)
	if !ok {
		t.Fatalf("no list: %v", v)
	}
	var objects []map[string]any
	for _, entry := range list {
		object, ok := entry.(map[string]any)
		if !ok {
			t.Fatalf("no object: %v", entry)
		}
		objects = append(objects, object)
	}
	return objects
}

func TestTheApplyDescriptionExplainsAllThreeOutcomes(t *testing.T) {
	t.Parallel()
	for _, words := range []string{"read_only: error policy_denied", "guarded: error approval_required", "error.details.approve_command", "autonomous: executes at once"} {
		if !strings.Contains(applyText, words) {
			t.Errorf("nothing of %q", words)
		}
	}
	if !strings.HasPrefix(discoverText, "Start here.") {
		t.Error("forti_discover does not say where to start")
	}
}

// TestTranscripts plays the files of testdata: lines with "> " go in, lines with
// "< " come out, "--read-only" in the first line starts the server so.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path) //nolint:gosec // a fixed folder
			if err != nil {
				t.Fatal(err)
			}
			golden(t, filepath.Base(path), play(t, string(text)))
		})
	}
}

// play sends each "> " line alone, so that what comes out stands below it.
func play(t *testing.T, script string) string {
	t.Helper()
	first, _, _ := strings.Cut(script, "\n")
	e := newFake()
	c := &conn{server: newServer(t, e, &Options{ReadOnly: strings.Contains(first, "--read-only")})}
	var b strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "< ") {
			continue
		}
		b.WriteString(line)
		if request, ok := strings.CutPrefix(line, "> "); ok {
			e.err = nil
			if strings.Contains(request, "20261015-104512-a1b2c3") {
				e.err = approvalRequired()
			}
			if answer := c.answer(t.Context(), jsonrpc.Line{Text: []byte(strings.TrimSuffix(request, "\n"))}); len(answer) > 0 {
				b.WriteString("< " + string(answer))
			}
		}
	}
	return b.String()
}
