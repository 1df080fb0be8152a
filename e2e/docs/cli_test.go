package docs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/screen"
	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestTheFileOfOperationsMakesAPlan(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	path := lab.Write("ops.yaml", only(t, "docs/cli.md", "yaml"))
	var p harness.Plan
	lab.Forti("plan", "create", "-f", path, "-o", "json").Must(0).Envelope().Into(t, &p)
	if len(p.Operations) != 5 || p.Operations[3].Op != "move" {
		t.Errorf("the example of docs/cli.md gives %+v", p.Operations)
	}
}

func TestTheExampleOfAFailureIsAnEnvelope(t *testing.T) {
	var e harness.Envelope
	if err := json.Unmarshal([]byte(only(t, "docs/cli.md", "json")), &e); err != nil {
		t.Fatal(err)
	}
	e.Failed(t, "not_found")
}

func TestTheTableOfOperationsIsTheCheckOfRequests(t *testing.T) {
	fields := []string{"key", "object", "set", "clear", "add", "remove", "position", "params"}
	rows := table(t, "docs/cli.md", "| op | must | may | on |")
	if len(rows) != 4 {
		t.Fatalf("%d kinds of operations", len(rows))
	}
	for _, row := range rows {
		op, must, may := quoted(row[0])[0], quoted(row[1]), quoted(row[2])
		takes := map[string]bool{}
		for _, f := range append(must, may...) {
			takes[f] = true
		}
		whole := map[string]string{}
		for _, f := range append(must, may...) {
			whole[f] = sample[f]
		}
		if problems := judge(t, op, whole); problems != "" {
			t.Errorf("%s with everything that the table permits: %s", op, problems)
		}
		for _, f := range fields {
			with := maps.Clone(whole)
			with[f] = sample[f]
			if refused := judge(t, op, with) != ""; refused == takes[f] {
				t.Errorf("%s with %s: refused %v, and the table says it takes it: %v", op, f, refused, takes[f])
			}
		}
		for f := range takes {
			without := maps.Clone(whole)
			delete(without, f)
			needed := slices.Contains(must, f) && (f != "key" || op != "update") // not for singletons; the catalog decides
			if refused := judge(t, op, without) != ""; refused != needed {
				t.Errorf("%s without %s: refused %v, and the table says it must be there: %v", op, f, refused, needed)
			}
		}
	}
}

// sample is a value of each field; none names an attribute that another does.
var sample = map[string]string{
	"key": `"k"`, "object": `{"name":"n"}`, "set": `{"a":1}`, "clear": `["b"]`, "add": `{"c":[]}`, "remove": `{"d":[]}`,
	"position": `{"before":1}`, "params": `{"p":1}`,
}

// judge is what the check of requests says of an operation; "" where it is good.
func judge(t *testing.T, op string, fields map[string]string) string {
	t.Helper()
	text := `{"operations":[{"op":"` + op + `","resource":"firewall/policy"`
	for name, value := range fields {
		text += `,"` + name + `":` + value
	}
	var r request.Plan
	if err := request.NewDecoder().Decode([]byte(text+`}]}`), &r); err != nil {
		return err.Error()
	}
	if _, err := r.Intentions(); err != nil {
		return err.Error()
	}
	return ""
}

func TestTheAnswersThatApproveAreThoseOfTheTable(t *testing.T) {
	rows := table(t, "docs/cli.md", "| risk of the plan | what to type |")
	seen := map[string]bool{}
	for _, row := range rows {
		tiers, lockout := row[0], strings.Contains(row[0], "lock")
		tiers, _, _ = strings.Cut(tiers, ", and")
		for tier := range strings.SplitSeq(tiers, ", ") {
			if !lockout {
				seen[tier] = true
			}
			_, wanted := screen.Prompt(plan.Tier(tier), "home", "FGT60FTK20000001", "K7QX2M", lockout)
			if typed := quoted(row[1])[0]; typed != wanted {
				t.Errorf("%s: the page says %q, wanted is %q", tier, typed, wanted)
			}
		}
	}
	for _, tier := range []plan.Tier{plan.Low, plan.Medium, plan.High, plan.Critical} {
		if !seen[string(tier)] {
			t.Errorf("the table lacks %s", tier)
		}
	}
}
