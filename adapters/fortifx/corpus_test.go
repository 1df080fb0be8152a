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
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
)

// labelled is a plan and the risk that it was labelled with.
type labelled struct {
	tier, rules, why, operations string
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
			rules, why, _ := strings.Cut(rest, " ")
			all = append(all, labelled{tier: tier, rules: strings.TrimPrefix(rules, "-"), why: why})
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

// TestEachPlanOfTheCorpusHasTheRiskThatItIsLabelledWith: a change of a label is a
// change of judgement, and needs a person's eyes.
func TestEachPlanOfTheCorpusHasTheRiskThatItIsLabelledWith(t *testing.T) {
	eng := corpusLab(t).build()
	all := corpus(t)
	tiers, fired := map[string]int{}, map[string]bool{}
	for i, c := range all {
		tiers[c.tier]++
		for rule := range strings.SplitSeq(c.rules, ",") {
			fired[rule] = true
		}
		t.Run(fmt.Sprintf("%d %s", i, c.why), func(t *testing.T) {
			var r request.Plan
			if err := eng.Decode([]byte(`{"operations":`+c.operations+`}`), &r); err != nil {
				t.Fatal(err)
			}
			v, err := eng.Plan(t.Context(), engine.Caller{}, r)
			if err != nil || v.Risk == nil {
				t.Fatalf("%v %+v", err, v)
			}
			if got := rulesOf(v.Risk.Reasons); string(v.Risk.Tier) != c.tier || got != c.rules {
				reasons, _ := json.MarshalIndent(v.Risk.Reasons, "", " ")
				t.Errorf("it is %s for %s, and labelled %s for %s: %s", v.Risk.Tier, got, c.tier, c.rules, reasons)
			}
		})
	}
	if len(all) < 100 || len(tiers) != 4 || len(fired) < ruleCount {
		t.Errorf("%d plans, tiers %v, %d rules: too few", len(all), tiers, len(fired))
	}
}

// ruleCount is how many rules there are: each stands in a label.
const ruleCount = 29

// rulesOf are the rules that fired, each once, but for what a resource is by itself.
func rulesOf(reasons []plan.Reason) string {
	var ids []string
	for _, reason := range reasons {
		if reason.Rule != "R-BASE-01" {
			ids = append(ids, reason.Rule)
		}
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), ",")
}

// corpusLab is the branch office with what the head of the corpus says.
func corpusLab(t *testing.T) *lab {
	t.Helper()
	l := newLab(t, profile.Guarded)
	if err := l.sim.Put("root", "system/interface", "oob", map[string]any{
		"type": "physical", "ip": "127.0.0.1/8", "allowaccess": "ping https", "vdom": "root",
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
	return l
}
