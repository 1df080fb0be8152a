package fortifx_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// labelled is a plan and what a person says of it.
type labelled struct {
	tier, rule, why, operations string
}

// corpus reads the labelled plans.
func corpus(t *testing.T) []labelled {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "corpus.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") || strings.HasPrefix(line, "@"):
			all[len(all)-1].operations = operations(line)
		default:
			tier, rest, _ := strings.Cut(line, " ")
			rule, why, _ := strings.Cut(rest, " ")
			all = append(all, labelled{tier: tier, rule: rule, why: why})
		}
	}
	return all
}

// operations are the operations of a line; "@21" stands for that many new addresses.
func operations(line string) string {
	count, many := strings.CutPrefix(line, "@")
	if !many {
		return line
	}
	n, _ := strconv.Atoi(count)
	list := make([]string, n)
	for i := range n {
		list[i] = fmt.Sprintf(`{"op":"create","resource":"firewall/address","object":{"name":"m%d","subnet":"192.0.2.%d/32"}}`, i, i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// TestAHundredPlansHaveTheRiskThatAPersonGaveThem: a change of a label is a change of
// judgement, and needs a person's eyes.
func TestAHundredPlansHaveTheRiskThatAPersonGaveThem(t *testing.T) {
	l := newLab(t, profile.Guarded)
	if err := l.sim.Put("root", "system/interface", "lo0", map[string]any{
		"type": "loopback", "ip": "127.0.0.1/8", "allowaccess": "ping https", "vdom": "root",
	}); err != nil {
		t.Fatal(err)
	}
	if err := l.sim.Put("root", "firewall/policy", "3", map[string]any{
		"utm-status": "enable", "ssl-ssh-profile": "certificate-inspection", "av-profile": "default",
	}); err != nil {
		t.Fatal(err)
	}
	err := l.file.Update(t.Context(), func(d *config.Document) error {
		e := d.Profiles["lab"]
		e.APIUser, e.MaxResultBytes = "forti", 1_000_000
		d.Profiles["lab"] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	eng := l.build()
	all := corpus(t)
	if len(all) != 100 {
		t.Errorf("%d plans, want 100", len(all))
	}
	for i, c := range all {
		t.Run(fmt.Sprintf("%d %s", i, c.why), func(t *testing.T) {
			var r request.Plan
			if err := eng.Decode([]byte(`{"operations":`+c.operations+`}`), &r); err != nil {
				t.Fatal(err)
			}
			v, err := eng.Plan(t.Context(), engine.Caller{}, r)
			if err != nil || v.Risk == nil {
				t.Fatalf("%v %+v", err, v)
			}
			ids := []string{}
			for _, reason := range v.Risk.Reasons {
				ids = append(ids, reason.Rule)
			}
			if string(v.Risk.Tier) != c.tier || c.rule != "-" && !slices.Contains(ids, c.rule) {
				reasons, _ := json.MarshalIndent(v.Risk.Reasons, "", " ")
				t.Errorf("%s for %v, a person says %s for %s: %s", v.Risk.Tier, ids, c.tier, c.rule, reasons)
			}
		})
	}
}
