package engine

import (
	"fmt"
	"slices"
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
	risk.Reasons = orEmpty(risk.Reasons)
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
		if words := attributes(op.Expect, op.Key); words != "" {
			what += " (" + words + ")"
		}
		return "create " + what
	case plan.OpUpdate:
		return fmt.Sprintf("update %s: %s", what, strings.Join(updates(op), ", "))
	case plan.OpMove:
		return fmt.Sprintf("move %s to stand %s %s", what, op.Order.Position.Where(), redact.Escape(op.Order.Position.Anchor.String()))
	case plan.OpDelete, plan.OpAction:
	}
	return fmt.Sprintf("%s %s", op.Op, what)
}

// updates says for each attribute what becomes of it.
func updates(op plan.Operation) []string {
	var words []string
	for _, name := range canon.Keys(op.Expect) {
		from, to := shown(op.Before[name]), shown(op.Expect[name])
		list, isList := to.([]any)
		if !isList {
			words = append(words, fmt.Sprintf("%s %s -> %s", name, brief(from), brief(to)))
			continue
		}
		before, _ := from.([]any)
		was, is := rowNames(before), rowNames(list)
		var signs []string
		for _, n := range is {
			if !slices.Contains(was, n) {
				signs = append(signs, "+"+n)
			}
		}
		for _, n := range was {
			if !slices.Contains(is, n) {
				signs = append(signs, "-"+n)
			}
		}
		if len(signs) > 6 {
			signs = append(signs[:6], fmt.Sprintf("… %d more", len(signs)-6))
		}
		words = append(words, name+" "+strings.Join(signs, " "))
	}
	return words
}

// brief is a value in a few characters.
func brief(v any) string {
	switch x := v.(type) {
	case nil:
		return "unset"
	case string:
		return `"` + redact.Line(x, 40) + `"`
	case int64:
		return operation.IntegerKey(x).String()
	}
	return "…"
}

// attributes lists the short values of a new object, without its key.
func attributes(object map[string]any, key operation.Key) string {
	var words []string
	for _, name := range canon.Keys(object) {
		if object[name] == key.Value() {
			continue // it stands before the list already
		}
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
	names := rowNames(list)
	if len(names) > 4 {
		names = append(names[:4], fmt.Sprintf("… %d in all", len(list)))
	}
	return "[" + strings.Join(names, " ") + "]"
}

// rowNames are what the rows of a list are called, escaped.
func rowNames(list []any) []string {
	names := make([]string, 0, len(list))
	for i, item := range list {
		row, _ := item.(map[string]any)
		name := fmt.Sprintf("row %d", i)
		for _, key := range []string{"name", "id", "interface-name", "q_origin_key"} {
			if v, ok := row[key]; ok {
				name = redact.Escape(fmt.Sprint(v))
				break
			}
		}
		names = append(names, name)
	}
	return names
}
