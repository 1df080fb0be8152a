package engine

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// secretFile is a plan's secret values, kept apart from the plan. Nothing prints it.
type secretFile struct {
	V       int                    `json:"v"`
	Secrets map[string]secretEntry `json:"secrets"`
	// next numbers the references.
	next int
}

type secretEntry struct {
	Value string `json:"value"`
	Salt  string `json:"salt"`
}

// String keeps the values out of every print.
func (secretFile) String() string { return redact.Mask }

// GoString keeps the values out of every print.
func (secretFile) GoString() string { return redact.Mask }

const saltBytes = 16

// extract takes the secret values out of a body: each becomes {"$secret": "sN"}
// with a salted commitment in the plan, so that a swapped value is found out and
// the plan can be shown, exported and kept.
func (f *secretFile) extract(r *schema.Resource, body map[string]any, random port.Random) (map[string]any, []plan.SecretRef, error) {
	if body == nil || r.Kind == schema.Monitor {
		return f.extractParams(r, body, random)
	}
	x := &extraction{file: f, random: random}
	clean, err := x.object(r.Attributes, body, "")
	return clean, x.refs, err
}

func (f *secretFile) extractParams(r *schema.Resource, body map[string]any, random port.Random) (map[string]any, []plan.SecretRef, error) {
	if body == nil {
		return nil, nil, nil
	}
	attrs := []schema.Attribute{}
	for _, c := range r.Calls {
		for _, p := range c.Params {
			attrs = append(attrs, schema.Attribute{Name: p.Name, Secret: p.Secret})
		}
	}
	x := &extraction{file: f, random: random}
	clean, err := x.object(attrs, body, "")
	return clean, x.refs, err
}

type extraction struct {
	file   *secretFile
	random port.Random
	refs   []plan.SecretRef
}

func (x *extraction) object(attrs []schema.Attribute, object map[string]any, at string) (map[string]any, error) {
	result := make(map[string]any, len(object))
	for _, name := range canon.Keys(object) {
		v := object[name]
		for i := range attrs {
			if attrs[i].Name != name {
				continue
			}
			clean, err := x.value(&attrs[i], v, at+fault.Pointer(name))
			if err != nil {
				return nil, err
			}
			v = clean
		}
		result[name] = v
	}
	return result, nil
}

func (x *extraction) value(a *schema.Attribute, v any, at string) (any, error) {
	switch {
	case a.Secret:
		return x.secret(v, at)
	case len(a.Attributes) == 0:
		return v, nil
	}
	switch t := v.(type) {
	case map[string]any:
		return x.object(a.Attributes, t, at)
	case []any:
		list := make([]any, len(t))
		for i, item := range t {
			row, ok := item.(map[string]any)
			if !ok {
				list[i] = item
				continue
			}
			clean, err := x.object(a.Attributes, row, at+fault.Pointer(i))
			if err != nil {
				return nil, err
			}
			list[i] = clean
		}
		return list, nil
	}
	return v, nil
}

func (x *extraction) secret(v any, at string) (any, error) {
	if v == "" || v == nil {
		return v, nil // clearing a secret reveals nothing
	}
	ref := plan.SecretRef{Ref: fmt.Sprintf("s%d", x.file.next), Pointer: at}
	x.file.next++
	switch t := v.(type) {
	case map[string]any:
		inner, _ := t[plan.SecretKey].(map[string]any)
		name, ok := inner["name"].(string)
		if !ok {
			return nil, fault.New(fault.Usage, "%s: a secret is a string or {\"$secret\": {\"name\": NAME}}", at)
		}
		ref.Name = name
	default:
		if err := x.keep(&ref, v); err != nil {
			return nil, err
		}
	}
	x.refs = append(x.refs, ref)
	return map[string]any{plan.SecretKey: ref.Ref}, nil
}

func (x *extraction) keep(ref *plan.SecretRef, v any) error {
	text, ok := v.(string)
	if !ok {
		return fault.New(fault.Usage, "%s: a secret value must be a string", ref.Pointer)
	}
	salt, err := x.random.Bytes(saltBytes)
	if err != nil {
		return fault.Wrap(err, fault.Config, "no random bytes are to be had")
	}
	if x.file.Secrets == nil {
		x.file.V, x.file.Secrets = 1, map[string]secretEntry{}
	}
	entry := secretEntry{Value: text, Salt: hex.EncodeToString(salt)}
	x.file.Secrets[ref.Ref] = entry
	ref.Length, ref.Commitment = len(text), entry.commitment()
	return nil
}

func (s secretEntry) commitment() string {
	mac := hmac.New(sha256.New, []byte(s.Salt))
	mac.Write([]byte(s.Value))
	return hex.EncodeToString(mac.Sum(nil))
}

// reveal gives the values of a plan's secrets for sending. A value that does not
// fit the plan's commitment is tampered_plan.
func (e *Engine) reveal(ctx context.Context, p *plan.Plan) (map[string]string, error) {
	if p.SecretCount() == 0 {
		return nil, nil //nolint:nilnil // a plan without secrets has no values
	}
	var file secretFile
	values := map[string]string{}
	for _, op := range p.Operations {
		for _, ref := range op.Secrets {
			if ref.Name == "" && file.Secrets == nil {
				var err error
				if file, err = e.loadSecrets(ctx, p.ID); err != nil {
					return nil, err
				}
			}
			value, err := e.secretValue(ctx, file, ref)
			if err != nil {
				return nil, err
			}
			values[ref.Ref] = value
		}
	}
	return values, nil
}

func (e *Engine) loadSecrets(ctx context.Context, id plan.ID) (secretFile, error) {
	var file secretFile
	if e.ports.Secrets == nil {
		return file, fault.New(fault.Config, "no store for the secrets of plans is set up")
	}
	data, err := e.ports.Secrets.Get(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return file, fault.New(fault.TamperedPlan, "the secret values of plan %s are gone; make a new plan", id)
	}
	if err != nil {
		return file, err
	}
	if err := canon.Unmarshal(data, &file); err != nil {
		return file, fault.New(fault.TamperedPlan, "the secret values of plan %s are damaged; make a new plan", id)
	}
	return file, nil
}

func (e *Engine) secretValue(ctx context.Context, file secretFile, ref plan.SecretRef) (string, error) {
	if ref.Name != "" {
		if e.ports.Named == nil {
			return "", fault.New(fault.Config, "no named secrets are configured, %q is needed", ref.Name)
		}
		v, err := e.ports.Named.Value(ctx, ref.Name)
		return v.Reveal(), err
	}
	entry, ok := file.Secrets[ref.Ref]
	if !ok || !hmac.Equal([]byte(entry.commitment()), []byte(ref.Commitment)) {
		return "", fault.New(fault.TamperedPlan, "the secret for %s is not the one that was planned; make a new plan", ref.Pointer)
	}
	return entry.Value, nil
}

// forget erases the secret values of a plan that will not be applied any more. Best
// effort: whoever looks at the plan next tries again.
func (e *Engine) forget(ctx context.Context, s *stored) {
	if e.ports.Secrets != nil && s.SecretCount() > 0 {
		_ = e.ports.Secrets.Erase(context.WithoutCancel(ctx), s.ID)
	}
}

// namedSecrets refuses names of secrets that the operator did not list.
func (w *planning) namedSecrets(ctx context.Context) error {
	var names []string
	for _, op := range w.ops {
		for _, ref := range op.Secrets {
			at := w.written(op, ref.Pointer)
			switch {
			case ref.Name == "":
				continue
			case w.s.engine.ports.Named == nil:
				w.checker.Problem(at, "no named secrets are configured")
				continue
			case names == nil:
				var err error
				if names, err = w.s.engine.ports.Named.Names(ctx); err != nil {
					return err
				}
			}
			if !slices.Contains(names, ref.Name) {
				w.checker.Problem(at, "there is no secret named %q", ref.Name)
			}
		}
	}
	return nil
}

// bodyField is the field of a request's operation in which its values stand.
func bodyField(op plan.Op) string {
	switch op {
	case plan.OpCreate:
		return "object"
	case plan.OpUpdate:
		return "set"
	case plan.OpAction:
		return "params"
	case plan.OpDelete, plan.OpMove:
	}
	return ""
}
