// Package risk judges a plan: how much a mistake in it could cost, and why.
//
// Every resource has a base tier; rules look at what changes and can only raise
// it. A rule that cannot be evaluated because something could not be read counts
// as fired where the plan touches what it watches. Names prove nothing: how wide
// an address or a service is, is computed from the objects behind the names.
//
// The package is pure. The caller hands in what it read; [Verdict.Missing] says
// what else the rules wanted to see, so that planning reads what is needed and
// nothing more: assess, read what is missing, assess again.
package risk

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

// RuleSet is the version of the base tiers and rules. It is part of every plan:
// a plan judged by another set is stale.
const RuleSet = "3"

// Change is one stored operation as the rules see it.
type Change struct {
	// Index is the operation's index in the plan.
	Index    int
	Op       plan.Op
	Resource string
	// VDOM is the scope of the request; "" for global resources.
	VDOM string
	// Key is zero for singletons, actions and creates whose key the device gives.
	Key operation.Key
	// Before and After are the whole object before and after this operation,
	// canonical values, secrets replaced; nil where there is none. For an action
	// After holds its parameters.
	Before, After map[string]any
	// Touched names the attributes that the request writes.
	Touched []string
	// Schema describes the resource; nil where it is unknown.
	Schema *schema.Resource
	// Secrets counts the secret values that are written.
	Secrets int
	// Users counts the objects that refer to this one, and UserNames names some;
	// nil where that is unknown. Creates, singletons and actions need neither.
	Users     *int
	UserNames []string
	// Rows counts the rows of the table before the plan; nil where unknown.
	// Only deletes need it.
	Rows *int
	// Order is set for moves.
	Order *plan.Order
	// Call is set for actions.
	Call *schema.Call
	// Irreversible says why the operation has no inverse; "" where it has one.
	Irreversible string
}

// Facts is what is known about the device. Functions may be nil: then nothing
// is known.
type Facts struct {
	Management plan.Management
	// Source is this product's address as the device sees it. Where it is
	// invalid, Management.Local is taken.
	Source netip.Addr
	// Lookup gives an object as it will be after the plan; nil when there will be
	// none. known is false when it cannot be told. A zero key asks for a singleton.
	// vdom is that of the operation that asks: Lookup finds global objects by itself.
	Lookup func(path, vdom string, key operation.Key) (object map[string]any, known bool)
	// Policies gives the rows of firewall/policy in their order after the plan.
	Policies func(vdom string) (rows []map[string]any, known bool)
	// Autonomous: no human will see the plan.
	Autonomous bool
}

// Verdict is the judgement of a plan.
type Verdict struct {
	Tier plan.Tier
	// Reasons are in the order of the operations, then those of the whole plan
	// with operation -1.
	Reasons []plan.Reason
	// Operations has one entry per change, in their order.
	Operations []Judgement
	// Lockout: R-LOCKOUT-02 fired. Autonomous mode refuses the plan; a human must
	// also type "lockout".
	Lockout bool
	// Notes say what could not be told and does not count.
	Notes []string
	// Missing lists what the rules asked Facts for in vain, sorted, each once. A
	// caller that can read it assesses again; a rule may then ask for more.
	Missing []Want
}

// Judgement is the tier of one operation and the rules that fired on it.
type Judgement struct {
	Tier  plan.Tier
	Rules []string
}

// Want is an object that a rule wants to see. With Table set it is the whole
// table in its order, otherwise one row, or a singleton where Key is zero.
type Want struct {
	Path  string
	VDOM  string
	Key   operation.Key
	Table bool
}

// Assess judges the changes of one plan. It is a function of its arguments
// alone, and monotone: another change, a deleted object more or a wider address
// never lowers the tier.
func Assess(changes []Change, f Facts) Verdict {
	w := newWorld(changes, f)
	v := Verdict{Tier: plan.Low, Operations: make([]Judgement, len(changes))}
	for i := range changes {
		v.judge(w, i)
	}
	for _, r := range rules {
		if r.plan == nil {
			continue
		}
		for _, finding := range r.plan(w) {
			v.add(r.id, -1, finding)
		}
	}
	v.Notes = w.notes
	if v.Lockout && f.Autonomous {
		v.Notes = append(v.Notes, "the plan can lock this program out of the device; autonomous mode refuses it")
	}
	v.Missing = w.missing()
	return v
}

// baseRule stands in reasons where an operation's tier comes from its resource
// and not from a rule.
const baseRule = "R-BASE-01"

func (v *Verdict) judge(w *world, i int) {
	c := &w.changes[i]
	j := &v.Operations[i]
	j.Tier, j.Rules = plan.Low, []string{}
	from := len(v.Reasons)
	for _, r := range rules {
		if r.operation == nil || !watches(r.watch, c.Resource) || r.otherwise && firedAlike(r, j.Rules) {
			continue
		}
		for _, finding := range r.operation(w, c) {
			v.add(r.id, c.Index, finding)
			j.Tier = j.Tier.Max(finding.tier)
			if len(j.Rules) == 0 || j.Rules[len(j.Rules)-1] != r.id {
				j.Rules = append(j.Rules, r.id)
			}
			if r.id == lockoutRule {
				v.Lockout = true
			}
		}
	}
	base := baseFinding(c)
	if base.tier.Rank() > j.Tier.Rank() && base.tier.Rank() > plan.Low.Rank() {
		v.Reasons = append(v.Reasons[:from:from], append([]plan.Reason{base.reason(baseRule, c.Index)}, v.Reasons[from:]...)...)
		j.Rules = append([]string{baseRule}, j.Rules...)
	}
	j.Tier = j.Tier.Max(base.tier)
	v.Tier = v.Tier.Max(j.Tier)
}

// firedAlike reports whether a rule of a rule's own family has fired already.
func firedAlike(r rule, fired []string) bool {
	family := r.id[:strings.LastIndexByte(r.id, '-')+1]
	return slices.ContainsFunc(fired, func(id string) bool { return strings.HasPrefix(id, family) })
}

func (v *Verdict) add(rule string, index int, f finding) {
	v.Reasons = append(v.Reasons, f.reason(rule, index))
	v.Tier = v.Tier.Max(f.tier)
}

// finding is one firing of a rule.
type finding struct {
	tier plan.Tier
	text string
}

func (f finding) reason(rule string, index int) plan.Reason {
	return plan.Reason{Rule: rule, Tier: f.tier, Operation: index, Text: f.text}
}
