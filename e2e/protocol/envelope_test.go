package protocol

import (
	"encoding/json"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// envelopeOf reads a call's result: the first text must be the structured content,
// and isError the opposite of ok.
func envelopeOf(t *testing.T, a answer) harness.Envelope {
	t.Helper()
	if a.Error != nil {
		t.Fatalf("a protocol error: %+v", a.Error)
	}
	var e harness.Envelope
	var blocks []struct{ Type, Text string }
	for name, into := range map[string]any{"structuredContent": &e, "content": &blocks} {
		if err := json.Unmarshal(a.Result[name], into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if len(blocks) == 0 || blocks[0].Type != "text" || blocks[0].Text != string(a.Result["structuredContent"]) {
		t.Errorf("the first block is not the structured content: %+v", blocks)
	}
	if isError := string(a.Result["isError"]); isError != map[bool]string{true: "false", false: "true"}[e.OK] {
		t.Errorf("isError %s, ok %v", isError, e.OK)
	}
	return e
}
