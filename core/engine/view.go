package engine

import (
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// view shows a plan to callers, secrets redacted.
func (e *Engine) view(s *stored, mode profile.Mode) *PlanView {
	device, risk, created := s.Device, s.Risk, s.CreatedAt
	v := &PlanView{
		PlanID: s.ID, Digest: s.digest, Kind: s.Kind, CreatedAt: &created, Parent: s.Parent, Device: &device, Risk: &risk,
		Mode: mode, Reason: redact.Escape(s.remarks.Reason), Notes: orEmpty(s.remarks.Notes), NotReversible: s.Irreversible,
		Apply: e.command("forti apply", s.ID), AuditError: s.auditError,
	}
	if mode == profile.Guarded {
		v.Approve = e.command("forti plan approve", s.ID)
	}
	for _, op := range s.Operations {
		v.Summary = append(v.Summary, summary(op))
		v.Operations = append(v.Operations, OperationView{
			Index: op.Index, Op: op.Op, Source: op.Source, Resource: op.Resource, Key: op.Key, Risk: op.Tier,
			Diff: differences(op), Wire: wireView(op),
		})
	}
	return v
}

func (e *Engine) command(words string, id plan.ID) string {
	return words + " " + id.String() + e.options.CommandSuffix
}

// differences are the attributes that an operation changes.
func differences(op plan.Operation) []Difference {
	list := []Difference{}
	switch op.Op {
	case plan.OpCreate, plan.OpAction:
		for _, name := range canon.Keys(op.Expect) {
			list = append(list, Difference{Attribute: name, To: shown(op.Expect[name])})
		}
	case plan.OpUpdate:
		for _, name := range canon.Keys(op.Expect) {
			list = append(list, Difference{Attribute: name, From: shown(op.Before[name]), To: shown(op.Expect[name])})
		}
	case plan.OpDelete:
		for _, name := range canon.Keys(op.Before) {
			list = append(list, Difference{Attribute: name, From: shown(op.Before[name])})
		}
	case plan.OpMove:
		list = append(list, Difference{Attribute: "position", From: place(op.Order.Before, op.Key), To: place(op.Order.After, op.Key)})
	}
	return list
}

// place says where a row stands: "after 4, before 7".
func place(keys []operation.Key, key operation.Key) string {
	for i, k := range keys {
		if k != key {
			continue
		}
		var words []string
		if i > 0 {
			words = append(words, "after "+keys[i-1].String())
		}
		if i+1 < len(keys) {
			words = append(words, "before "+keys[i+1].String())
		}
		return strings.Join(words, ", ")
	}
	return ""
}

// shown is a value as callers see it: secret references and values that look like
// secrets become the mask.
func shown(v any) any {
	masked, _ := redact.Untyped(hideReferences(v), func(string) bool { return false })
	return masked
}

func hideReferences(v any) any {
	switch t := v.(type) {
	case map[string]any:
		if _, secret := t[plan.SecretKey]; secret && len(t) == 1 {
			return redact.Mask
		}
		object := make(map[string]any, len(t))
		for name, inner := range t {
			object[name] = hideReferences(inner)
		}
		return object
	case []any:
		list := make([]any, len(t))
		for i, inner := range t {
			list[i] = hideReferences(inner)
		}
		return list
	}
	return v
}

func wireView(op plan.Operation) WireView {
	view := WireView{Method: op.Wire.Method, Path: op.Wire.Path, Query: map[string]string{}}
	for _, p := range op.Wire.Query {
		view.Query[p.Name] = p.Value
	}
	if op.Wire.Body != nil {
		view.Body = shown(op.Wire.Body)
	}
	return view
}

// summary is one line that a tired engineer understands at once.
func summary(op plan.Operation) string {
	what := redact.Escape(label(op.Resource, op.Key))
	switch op.Op {
	case plan.OpCreate:
		return fmt.Sprintf("create %s (%s)", what, attributes(op.Expect))
	case plan.OpUpdate:
		return fmt.Sprintf("update %s: %s", what, strings.Join(canon.Keys(op.Expect), ", "))
	case plan.OpMove:
		return fmt.Sprintf("move %s to stand %s %s", what, op.Order.Position.Where(), redact.Escape(op.Order.Position.Anchor.String()))
	case plan.OpDelete, plan.OpAction:
	}
	return fmt.Sprintf("%s %s", op.Op, what)
}

// attributes lists the short values of a new object.
func attributes(object map[string]any) string {
	var words []string
	for _, name := range canon.Keys(object) {
		switch v := shown(object[name]).(type) {
		case string:
			if v != "" && len(v) <= 60 {
				words = append(words, name+" "+redact.Escape(v))
			}
		case int64:
			words = append(words, fmt.Sprintf("%s %d", name, v))
		case []any:
			words = append(words, name+" "+members(v))
		}
	}
	return strings.Join(words, ", ")
}

func members(list []any) string {
	var names []string
	for i, item := range list {
		if i == 4 {
			names = append(names, fmt.Sprintf("… %d in all", len(list)))
			break
		}
		row, ok := item.(map[string]any)
		if !ok {
			continue
		}
		for _, key := range []string{"name", "id", "q_origin_key"} {
			if v, ok := row[key]; ok {
				names = append(names, redact.Escape(fmt.Sprint(v)))
				break
			}
		}
	}
	return "[" + strings.Join(names, " ") + "]"
}
