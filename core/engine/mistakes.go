package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/request"
)

// Mistakes adds to err, which says what is wrong with the form of a request as
// [Engine.Decode] does, what is wrong with those of its operations whose form is right,
// so that one answer names every mistake. The device is read for that; where it cannot
// be, err stays as it is.
func (e *Engine) Mistakes(ctx context.Context, r request.Plan, err error) error {
	problems, known := problemsOf(err)
	if !known {
		return err
	}
	sound, more := r.Sound(problems)
	problems = append(problems, more...)
	if e.mayAsk(problems) && slices.ContainsFunc(sound, func(in operation.Operation) bool { return in != nil }) {
		found, _ := problemsOf(e.tryOut(ctx, r, sound))
		problems = append(problems, found...)
	}
	problems.Sort()
	return e.bounded(problems.Err())
}

// problemsOf are the problems that an error names.
func problemsOf(err error) (problems fault.Problems, known bool) {
	var f *fault.Error
	if !errors.As(err, &f) {
		return nil, false
	}
	list, known := f.Details["problems"].([]fault.Problem)
	return slices.Clone(list), known
}

// mayAsk: it is known of which device the request is, and the operations are a list.
func (e *Engine) mayAsk(problems fault.Problems) bool {
	return !slices.ContainsFunc(problems, func(p fault.Problem) bool {
		return p.Pointer == "" || p.Pointer == "/operations" || strings.HasPrefix(p.Pointer, "/profile") || strings.HasPrefix(p.Pointer, "/vdom")
	})
}

// tryOut plans operations and keeps nothing of it but what is wrong with them.
func (e *Engine) tryOut(ctx context.Context, r request.Plan, sound []operation.Operation) error {
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return err
	}
	defer s.close()
	return newPlanning(s, sound).work(ctx)
}
