// Package ledger makes two mistakes impossible to write: executing a plan that
// was not claimed, and sending a request whose intent is not on record.
//
// A [Book] exists only after the plan's journal was published exclusively. An
// [Intent] exists only after its record is durable, and it alone can send: the
// request it recorded, once.
package ledger

import (
	"context"
	"errors"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// Book is an open journal of a claimed plan. It is used by one goroutine.
type Book struct {
	journal port.Journal
	now     func() time.Time
	next    int
	broken  error
}

// Claim publishes the plan's journal with its claim record. From here on the
// plan counts as executed and its approval as used. Among all processes one
// claim of a plan succeeds; the others fail with conflict.
func Claim(ctx context.Context, journals port.Journals, now func() time.Time, id plan.ID, first apply.Record) (*Book, error) {
	first.N, first.Type, first.PlanID, first.At = 0, apply.Claimed, id, now().UTC()
	line, err := apply.EncodeLine(first)
	if err != nil {
		return nil, err
	}
	j, err := journals.Claim(ctx, id, line)
	if err != nil {
		return nil, err
	}
	return &Book{journal: j, now: now, next: 1}, nil
}

// Continue opens the journal of an interrupted plan to close its record. good is
// the length of its whole lines and next the number of the next one.
func Continue(ctx context.Context, journals port.Journals, now func() time.Time, id plan.ID, good, next int) (*Book, error) {
	j, err := journals.Continue(ctx, id, good)
	if err != nil {
		return nil, err
	}
	return &Book{journal: j, now: now, next: next}, nil
}

// Record appends a record durably. After a failure the book takes no more.
func (b *Book) Record(ctx context.Context, r apply.Record) error {
	if b.broken != nil {
		return b.broken
	}
	r.N, r.At = b.next, b.now().UTC()
	line, err := apply.EncodeLine(r)
	if err != nil {
		return err
	}
	if err := b.journal.Append(ctx, line); err != nil {
		b.broken = err
		return err
	}
	b.next++
	return nil
}

// Close closes the journal.
func (b *Book) Close() error { return b.journal.Close() }

// Intent is permission to send one request once.
type Intent struct {
	request wire.Request
	sent    bool
}

// Intend records durably that operation op is about to send a request.
func (b *Book) Intend(ctx context.Context, op int, request wire.Request) (*Intent, error) {
	digest, err := request.Digest()
	if err != nil {
		return nil, err
	}
	if err := b.Record(ctx, apply.Record{Type: apply.Intended, Op: &op, Wire: digest}); err != nil {
		return nil, err
	}
	return &Intent{request: request}, nil
}

// ErrSpent is returned where an intent is used twice.
var ErrSpent = errors.New("ledger: this request was sent already")

// Send sends the recorded request. A second call sends nothing and fails.
func (i *Intent) Send(ctx context.Context, w port.DeviceWriter, secrets map[string]string) (exchange.Exchange, error) {
	if i.sent {
		return exchange.Exchange{}, ErrSpent
	}
	i.sent = true
	return w.Send(ctx, i.request, secrets), nil
}
