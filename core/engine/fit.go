package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// cutter shortens the lists of a result until its encoding fits.
type cutter struct {
	lists []*cutList
	// size is the length of the whole answer as it is encoded.
	size func() (int, error)
}

// cutList is one list that may be shortened, to one entry at least.
type cutList struct {
	pointer   string
	total     int
	now       int
	bytes     func() (int, error)
	shortenTo func(n int)
}

func listOf[T any](pointer string, list *[]T, pick func(list []T, n int) []T) *cutList {
	whole := *list
	l := &cutList{pointer: pointer, total: len(whole), now: len(whole)}
	l.bytes = func() (int, error) { return envelope.Size(*list) }
	l.shortenTo = func(n int) { *list = pick(whole, n) }
	return l
}

func firsts[T any](list []T, n int) []T { return list[:n:n] }

// fit halves the longest list until the answer fits. fits is false where every list has
// one entry left.
func (c cutter) fit(budget int) (fits bool, err error) {
	for {
		size, err := c.size()
		if err != nil || size <= budget {
			return err == nil, err
		}
		var longest *cutList
		most := 0
		for _, l := range c.lists {
			n, err := l.bytes()
			if err != nil {
				return false, err
			}
			if l.now > 1 && n > most {
				longest, most = l, n
			}
		}
		if longest == nil {
			return false, nil
		}
		longest.now /= 2
		longest.shortenTo(longest.now)
	}
}

func (c cutter) cuts() []envelope.Cut {
	var cuts []envelope.Cut
	for _, l := range c.lists {
		if l.now < l.total {
			cuts = append(cuts, envelope.Cut{Pointer: l.pointer, Kept: l.now, Total: l.total})
		}
	}
	return cuts
}

// fitPlan shortens a plan's result to the byte budget.
func (e *Engine) fitPlan(v *PlanView, budget int) error {
	if v.Risk != nil {
		risk := *v.Risk
		v.Risk = &risk
	} else {
		v.Risk = &plan.Risk{}
		defer func() { v.Risk = nil }()
	}
	c := cutter{size: func() (int, error) { return envelope.Size(envelope.Success(v, nil)) }}
	if size, err := c.size(); err != nil || size <= budget {
		return err
	}
	c.lists = []*cutList{
		listOf("/operations", &v.Operations, firsts), listOf("/summary", &v.Summary, firsts),
		listOf("/risk/reasons", &v.Risk.Reasons, gravest), listOf("/notes", &v.Notes, firsts),
	}
	const told = 600 // what is said of the cuts
	fits, err := c.fit(budget - told)
	if err == nil && !fits {
		err = v.shortenValues(c, budget-told)
	}
	v.Cut = append(v.Cut, c.cuts()...)
	v.Notes = append(slices.Clone(v.Notes), "this result was shortened; all of it: "+e.command("forti plan show", v.PlanID))
	return err
}

// gravest keeps the reasons of the highest tiers.
func gravest(list []plan.Reason, n int) []plan.Reason {
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(a, b plan.Reason) int { return cmp.Compare(b.Tier.Rank(), a.Tier.Rank()) })
	return ordered[:n]
}

// shortenValues cuts the lists within the values of operations that are too large by
// themselves, and leaves out what has no lists.
func (v *PlanView) shortenValues(c cutter, budget int) error {
	ops := slices.Clone(v.Operations)
	v.Operations = ops
	size, err := c.size()
	if err != nil {
		return err
	}
	for i := range ops {
		whole, err := envelope.Size(ops[i])
		if err != nil {
			return err
		}
		room := max(0, (whole-(size-budget))/(2*len(ops)))
		ops[i].Wire.Body = v.shorter(ops[i].Wire.Body, room/2, fault.Pointer("operations", i, "wire", "body"))
		diff := slices.Clone(ops[i].Diff)
		for j := range diff {
			each := room / (4 * len(diff))
			diff[j].From = v.shorter(diff[j].From, each, fault.Pointer("operations", i, "diff", j, "from"))
			diff[j].To = v.shorter(diff[j].To, each, fault.Pointer("operations", i, "diff", j, "to"))
		}
		ops[i].Diff = diff
	}
	if size, err = c.size(); err != nil || size <= budget {
		return err
	}
	for i := range ops {
		ops[i].Diff, ops[i].Wire.Body = []Difference{}, nil
	}
	return nil
}

func (v *PlanView) shorter(value any, room int, at string) any {
	if size, err := envelope.Size(value); err == nil && size <= room {
		return value
	}
	cut, cuts, fits, err := envelope.Shrink(value, room)
	if err != nil || !fits {
		return "(too long to show here)"
	}
	const most = 4
	for _, c := range cuts[:min(most, len(cuts))] {
		c.Pointer = at + c.Pointer
		if len(v.Cut) < most {
			v.Cut = append(v.Cut, c)
		}
	}
	return cut
}

// fitExecution shortens the record of a run. Whatever did not go well stays in it.
func fitExecution(x *Execution, budget int) error {
	rollback := x.Rollback
	if rollback == nil {
		rollback = &RollbackRef{}
	} else {
		c := *rollback
		rollback, x.Rollback = &c, &c
	}
	c := cutter{size: func() (int, error) { return envelope.Size(x) }}
	if size, err := c.size(); err != nil || size <= budget {
		return err
	}
	c.lists = []*cutList{
		listOf("/operations", &x.Operations, unhappiest), listOf("/rollback/not_reversible", &rollback.NotReversible, firsts),
		listOf("/notes", &x.Notes, firsts),
	}
	const told = 400
	_, err := c.fit(budget - told)
	x.Cut = c.cuts()
	x.Notes = append(slices.Clone(x.Notes), "this record was shortened; forti plan show has all of it")
	return err
}

// unhappiest keeps the operations that did not go well, and of the others the first.
func unhappiest(list []OperationResult, n int) []OperationResult {
	ordered := slices.Clone(list)
	slices.SortStableFunc(ordered, func(a, b OperationResult) int { return cmp.Compare(calm(a), calm(b)) })
	kept := ordered[:n]
	slices.SortFunc(kept, func(a, b OperationResult) int { return cmp.Compare(a.Index, b.Index) })
	return kept
}

func calm(o OperationResult) int {
	if o.Status == exchange.Failed || o.Status == exchange.OutcomeUnknown {
		return 0
	}
	return 1
}

// roomOf is what a budget leaves for one more detail of an error.
func roomOf(f *fault.Error, budget int) (int, error) {
	size, err := envelope.Size(envelope.Failed(f))
	return budget - size - len(`,"details":{"execution":}`), err
}

// fewer bounds the problems of an error to a share of the budget: they are told twice,
// in the message and in the details.
func fewer(err error, budget int) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	all, _ := f.Details["problems"].([]fault.Problem)
	room := budget * 3 / 8
	var kept fault.Problems
	for _, p := range all {
		p.Pointer, p.Problem = clipped(p.Pointer, 300), clipped(p.Problem, 900)
		size, err := envelope.Size(p)
		if room -= size; err != nil || room < 0 && len(kept) > 0 {
			break
		}
		kept = append(kept, p)
	}
	if len(kept) == 0 || len(kept) == len(all) && kept.Err().Error() == "usage: "+f.Message {
		return err
	}
	short := fault.From(kept.Err())
	c := *f
	c.Message, c.Details = short.Message, short.Details
	if more := len(all) - len(kept); more > 0 {
		c.Message += fmt.Sprintf("; and %d more", more)
		return c.With("more_problems", more)
	}
	return &c
}

// clipped is a text of at most n bytes.
func clipped(text string, n int) string {
	if len(text) <= n {
		return text
	}
	const mark = "…"
	end := n - len(mark)
	for end > 0 && text[end]&0xc0 == 0x80 {
		end--
	}
	return text[:end] + mark
}
