package risk

import (
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
)

// mutant is the rule set with one fault in it.
type mutant struct {
	rule, fault string
	rules       []rule
}

// mutants are all rule sets with one fault: a rule that is gone, that always fires,
// that fires at another tier, that watches everything, or one resource less.
func mutants() []mutant {
	var out []mutant
	for i, r := range rules {
		add := func(fault string, changed rule) {
			m := mutant{r.id, fault, slices.Clone(rules)}
			m.rules[i] = changed
			out = append(out, m)
		}
		for _, x := range faulty(r) {
			add(x.fault, x.rule)
		}
		if r.otherwise {
			changed := r
			changed.otherwise = false
			add("fires beside its family", changed)
		}
		for _, watch := range narrower(r.watch) {
			changed := r
			changed.watch = watch.patterns
			add("does not watch "+watch.gone, changed)
		}
		if len(r.watch) > 0 {
			changed := r
			changed.watch = nil
			add("watches everything", changed)
		}
	}
	return out
}

type faultyRule struct {
	fault string
	rule  rule
}

// faulty are the rules that a rule becomes when what it says is falsified.
func faulty(r rule) []faultyRule {
	var out []faultyRule
	falsify := func(fault string, by func(found []finding) []finding) {
		if r.operation != nil {
			changed := r
			changed.operation = func(w *world, c *Change) []finding { return by(r.operation(w, c)) }
			out = append(out, faultyRule{"its operations " + fault, changed})
		}
		if r.plan != nil {
			changed := r
			changed.plan = func(w *world) []finding { return by(r.plan(w)) }
			out = append(out, faultyRule{"the plan " + fault, changed})
		}
	}
	falsify("never fire", func([]finding) []finding { return nil })
	for _, tier := range []plan.Tier{plan.Low, plan.Medium, plan.High, plan.Critical} {
		falsify("always fire at "+string(tier), func([]finding) []finding { return fired(tier, "mutant") })
		falsify("fire at "+string(tier)+" only", func(found []finding) []finding {
			out := slices.Clone(found)
			for i := range out {
				out[i].tier = tier
			}
			return out
		})
	}
	return out
}

type narrowed struct {
	gone     string
	patterns []string
}

// narrower are the watched patterns without one alternative.
func narrower(patterns []string) []narrowed {
	var flat []string
	for _, p := range patterns {
		flat = append(flat, expanded(p)...)
	}
	var out []narrowed
	for i, gone := range flat {
		rest := slices.Delete(slices.Clone(flat), i, i+1)
		out = append(out, narrowed{gone, append(rest, "nothing")}) // an empty list would be everything
	}
	return out
}

// oneTier are the rules that have one tier, and the part of R-DEL-01 that
// is about single operations: that they fire at this tier only is no fault.
var oneTier = map[string]plan.Tier{
	"R-LOCKOUT-01": plan.Critical, "R-LOCKOUT-02": plan.Critical, "R-LOCKOUT-03": plan.Critical, "R-LOCKOUT-04": plan.Critical,
	"R-LOCKOUT-05": plan.Critical, "R-RT-01": plan.Critical, "R-IF-01": plan.High, "R-HA-01": plan.Critical, "R-POL-01": plan.Critical,
	"R-POL-02": plan.High, "R-POL-03": plan.High, "R-POL-04": plan.High, "R-POL-05": plan.Medium, "R-AUTH-01": plan.High, "R-AUTO-01": plan.Critical,
	"R-SEC-01": plan.High, "R-SAVE-01": plan.High, "R-IRREV-01": plan.High, "R-MIX-01": plan.High, "R-DEL-01": plan.Medium,
}

// unconditional are the rules that fire on any change of what they
// watch: that they always fire is no fault.
var unconditional = map[string]plan.Tier{
	"R-IF-01": plan.High, "R-AUTH-01": plan.High, "R-AUTO-01": plan.Critical, "R-POL-05": plan.Medium,
}

// same reports whether a mutant is the rule set by another way.
func (m mutant) same() bool {
	part := map[bool]string{true: "its operations", false: "the plan"}[m.rule != "R-SAVE-01" && m.rule != "R-MIX-01"]
	return m.fault == part+" fire at "+string(oneTier[m.rule])+" only" || m.fault == part+" always fire at "+string(unconditional[m.rule])
}

// notice says which of the cases tells a mutant from the rule set.
func (m mutant) notice(all []string) string {
	saved := rules
	defer func() { rules = saved }()
	rules = m.rules
	for _, x := range trials {
		if x.rule != m.rule {
			continue
		}
		if v, _ := x.run(); tierOf(v, x.rule) != x.want {
			return x.what
		}
	}
	if faults := unwatched(m.rule, all); len(faults) > 0 {
		return faults[0]
	}
	return ""
}

// TestAFaultInTheRuleSetIsNoticed: a mutant that survives is a case that is missing.
func TestAFaultInTheRuleSetIsNoticed(t *testing.T) {
	all := everywhere()
	tried, same := 0, 0
	for _, m := range mutants() {
		if m.same() {
			same++
			continue
		}
		tried++
		if m.notice(all) == "" {
			t.Errorf("%s: no case notices that %s", m.rule, m.fault)
		}
	}
	t.Logf("%d mutants, and %d that say the same as the rule", tried, same)
	if want := len(oneTier) + len(unconditional); tried < 500 || same != want {
		t.Errorf("%d mutants were tried, and %d left out, want %d", tried, same, want)
	}
}
