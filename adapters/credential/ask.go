package credential

import (
	"context"
	"errors"

	"github.com/forti-mcp/forti/core/fault"
)

// ask makes one call of the keyring within the time limit. The calls cannot be
// ended: where a person does not answer the keyring's question, one call stays
// behind until they do, and the next ones are refused meanwhile.
func (s *Sources) ask(ctx context.Context, name string, call func(Keyring) (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return "", waiting(ctx, name)
	}
	type result struct {
		value string
		err   error
	}
	done := make(chan result, 1)
	go func() {
		defer func() { <-s.turn }()
		value, err := call(s.options.Keyring)
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, explain(r.err, name)
	case <-ctx.Done():
		return "", waiting(ctx, name)
	}
}

func waiting(ctx context.Context, name string) error {
	return fault.Wrap(ctx.Err(), fault.Config, "%s: the keyring did not answer in time; unlock it and try again", name)
}

// explain leaves the keyring's own text out: it may quote what it was given.
func explain(err error, name string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNoEntry):
		return fault.Wrap(err, fault.Config, "%s: the keyring has no entry for it; run: forti configure", name)
	case errors.Is(err, ErrNoKeyring):
		return fault.Wrap(err, fault.Config,
			"%s: this session has no keyring, as over ssh or in a container; use another source: env, file or command", name)
	}
	return fault.Wrap(err, fault.Config, "%s: the keyring refused; unlock it, or use another source: env, file or command", name)
}
