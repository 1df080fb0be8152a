package protocol

import (
	"strings"
	"testing"
)

func TestWithReadOnlyPlanAndApplyAreRefusedWithTheExactMessage(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"forti_plan", "forti_apply"} {
		got := askServer(t, []string{"--read-only"}, call(tool, `{}`), initialize, request("tools/call", `{"name":"`+tool+`","arguments":null}`))
		for _, i := range []int{0, 2} {
			line := `{"error":{"code":-32602,"message":"Unknown tool: ` + tool + ` (forti-mcp runs with --read-only; plan and apply are disabled)"},"id":1,"jsonrpc":"2.0"}`
			if got[i] != line {
				t.Errorf("got %s\nwant %s", got[i], line)
			}
		}
	}
}

func TestWithReadOnlyOnlyTheFirstTwoToolsAreListed(t *testing.T) {
	t.Parallel()
	got := askServer(t, []string{"--read-only"}, modern("tools/list"), initialize, request("tools/list", `{}`))
	for _, i := range []int{0, 2} {
		tools, _ := member(t, read(t, got[i]).Result, "tools").([]any)
		var list []string
		for _, tool := range tools {
			object, _ := tool.(map[string]any)
			name, _ := object["name"].(string)
			list = append(list, name)
		}
		if strings.Join(list, " ") != "forti_discover forti_read" {
			t.Errorf("tools: %v", list)
		}
	}
}

func TestWithReadOnlyTheInstructionsSaySo(t *testing.T) {
	t.Parallel()
	for args, says := range map[string]bool{"--read-only": true, "--log-level=error": false} {
		got := askServer(t, []string{args}, modern("server/discover"), hello(`"2025-06-18"`))
		for _, line := range got {
			text, _ := member(t, read(t, line).Result, "instructions").(string)
			if strings.Contains(text, "runs with --read-only") != says || len(text) >= 1600 {
				t.Errorf("%s: %s", args, text)
			}
		}
	}
}

func TestAnUnknownToolIsAProtocolError(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"--read-only"}} {
		got := askServer(t, args, call("forti_approve", `{}`), call("", `{}`), modern("tools/call"), modern("tools/call", `"name":7`))
		want(t, got, "1 -32602", "1 -32602", "1 -32602", "1 -32602")
		if m := read(t, got[0]).Error.Message; m != "Unknown tool: forti_approve" {
			t.Errorf("message %q", m)
		}
	}
}
