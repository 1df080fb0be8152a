package fortiosdevice

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/wire"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// Send sends one write, once, and gives the facts. A context that is cancelled
// when it is called sends nothing; later the exchange is finished, because a
// write that is cut in the middle leaves nobody knowing what it did.
func (d *Device) Send(ctx context.Context, request wire.Request, secrets map[string]string) exchange.Exchange {
	switch {
	case d.readOnly:
		return exchange.Exchange{Failure: exchange.FailDial}
	case ctx.Err() != nil:
		return exchange.Exchange{Failure: exchange.FailDeadline}
	}
	body, err := payload(request.Body, secrets)
	if err != nil {
		// A plan whose secrets are missing cannot be sent; the engine has looked.
		return exchange.Exchange{Failure: exchange.FailDial}
	}
	query := make([][2]string, 0, len(request.Query))
	for _, p := range request.Query {
		query = append(query, [2]string{p.Name, p.Value})
	}
	answer := d.client.Do(context.WithoutCancel(ctx), fortios.Request{
		Method: request.Method, Path: request.Path, Query: query, Body: body,
	})
	return facts(answer, newScrubber(secrets))
}

// payload is the body with the secrets in their places, as canonical JSON; nil
// for none.
func payload(body map[string]any, secrets map[string]string) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	filled, err := fill(body, secrets)
	if err != nil {
		return nil, err
	}
	return canon.Encode(filled)
}

// fill copies a value and puts a secret wherever {"$secret": ref} stands. A
// reference without a value is an error that names the reference.
func fill(v any, secrets map[string]string) (any, error) {
	switch x := v.(type) {
	case map[string]any:
		if ref, ok := reference(x); ok {
			secret, known := secrets[ref]
			if !known {
				return nil, fmt.Errorf("the secret %q of the request is not at hand", ref)
			}
			return secret, nil
		}
		return fillObject(x, secrets)
	case []any:
		return fillList(x, secrets)
	}
	return v, nil
}

// reference reads {"$secret": "s0"}.
func reference(object map[string]any) (ref string, ok bool) {
	if len(object) != 1 {
		return "", false
	}
	ref, ok = object[plan.SecretKey].(string)
	return ref, ok
}

func fillObject(object map[string]any, secrets map[string]string) (any, error) {
	out := make(map[string]any, len(object))
	for name, member := range object {
		filled, err := fill(member, secrets)
		if err != nil {
			return nil, err
		}
		out[name] = filled
	}
	return out, nil
}

func fillList(list []any, secrets map[string]string) (any, error) {
	out := make([]any, len(list))
	for i, member := range list {
		filled, err := fill(member, secrets)
		if err != nil {
			return nil, err
		}
		out[i] = filled
	}
	return out, nil
}
