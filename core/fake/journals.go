package fake

import (
	"bytes"
	"context"
	"maps"
	"sync"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Journals is the journals of a [State].
type Journals struct{ state *State }

var (
	_ port.Journals = (*Journals)(nil)
	_ port.Journal  = (*journal)(nil)
)

// Journals is the port.
func (s *State) Journals() *Journals { return &Journals{s} }

// Claim creates a journal; see [port.Journals].
func (j *Journals) Claim(ctx context.Context, id plan.ID, first []byte) (port.Journal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	free := func(d *disk) error {
		if _, claimed := d.journals[id]; claimed {
			return fault.New(fault.Conflict, "the plan %s has been executed already", id)
		}
		return nil
	}
	err := j.state.durable(StepClaim, free, func(d *disk, torn bool) {
		if !torn {
			d.journals[id] = bytes.Clone(first)
		}
	})
	if err != nil {
		return nil, err
	}
	return &journal{state: j.state, id: id}, nil
}

// Continue opens a journal again; see [port.Journals].
func (j *Journals) Continue(ctx context.Context, id plan.ID, good int) (port.Journal, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err := j.state.locked(func(d *disk) error {
		data, claimed := d.journals[id]
		switch {
		case !claimed:
			return noPlan(id, "journal")
		case good < 0 || good > len(data):
			return fault.New(fault.Config, "the journal of the plan %s has %d bytes, not %d", id, len(data), good)
		}
		d.journals[id] = bytes.Clone(data[:good])
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &journal{state: j.state, id: id}, nil
}

// Read gives the bytes; see [port.Journals].
func (j *Journals) Read(ctx context.Context, id plan.ID) (data []byte, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = j.state.locked(func(d *disk) error {
		found, claimed := d.journals[id]
		if !claimed {
			return noPlan(id, "journal")
		}
		data = bytes.Clone(found)
		return nil
	})
	return data, err
}

// List gives the ids; see [port.Journals].
func (j *Journals) List(ctx context.Context) (ids []plan.ID, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	err = j.state.locked(func(d *disk) error {
		ids = newestFirst(maps.Keys(d.journals))
		return nil
	})
	return ids, err
}

type journal struct {
	state *State
	id    plan.ID

	mu     sync.Mutex
	closed bool
}

// Append adds a line; see [port.Journal]. A cancelled context does not keep a
// line out: what happened must be on record.
func (j *journal) Append(_ context.Context, line []byte) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return fault.New(fault.Config, "the journal of the plan %s takes no more lines", j.id)
	}
	err := j.state.durable(StepJournal, nil, func(d *disk, torn bool) {
		if torn {
			line = line[:len(line)/2]
		}
		d.journals[j.id] = append(d.journals[j.id], line...)
	})
	j.closed = err != nil
	return err
}

// Close ends it.
func (j *journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	return nil
}
