package fake

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// AuditLog is the audit log of a [State].
type AuditLog struct{ state *State }

var _ port.AuditLog = (*AuditLog)(nil)

// Audit is the port.
func (s *State) Audit() *AuditLog { return &AuditLog{s} }

// Append seals an entry; see [port.AuditLog]. Like a journal it takes no notice
// of a cancelled context.
func (l *AuditLog) Append(_ context.Context, e audit.Entry) (audit.Head, error) {
	if err := l.repair(e); err != nil {
		return audit.Head{}, err
	}
	var line []byte
	var sealed audit.Head // of its own: the disk keeps a pointer to it, whatever is returned
	seal := func(d *disk) error {
		at, err := l.link(d)
		if err != nil {
			return err
		}
		line, sealed, err = audit.Seal(e, at)
		return err
	}
	err := l.state.durable(StepAudit, seal, func(d *disk, torn bool) {
		if torn {
			d.log = append(d.log, line[:len(line)/2])
			return
		}
		d.log = append(d.log, line)
		d.anchor = &sealed
	})
	if err != nil {
		return audit.Head{}, err
	}
	return sealed, nil
}

// repair sets a torn tail aside and puts that on record.
func (l *AuditLog) repair(e audit.Entry) error {
	var torn []byte
	err := l.state.locked(func(d *disk) error {
		if n := len(d.log); n > 0 && !bytes.HasSuffix(d.log[n-1], []byte("\n")) {
			torn = d.log[n-1]
			d.log = d.log[:n-1]
		}
		return nil
	})
	if err != nil || torn == nil {
		return err
	}
	_, err = l.Append(context.Background(), audit.Entry{
		Event: audit.Repaired, At: e.At, Boot: e.Boot, BootTime: e.BootTime, Program: e.Program,
		Note: fmt.Sprintf("a torn tail of %d bytes was set aside, %s", len(torn), canon.Sum(torn)),
	})
	return err
}

// link is where the next record goes.
func (l *AuditLog) link(d *disk) (audit.Link, error) {
	if len(d.log) == 0 {
		return audit.First(d.install), nil
	}
	r, err := audit.ParseLine(bytes.TrimSuffix(d.log[len(d.log)-1], []byte("\n")))
	if err != nil {
		return audit.Link{}, fault.Wrap(fmt.Errorf("%w: %w", audit.ErrChain, err), fault.Config, "the audit log is damaged; run forti audit verify")
	}
	return audit.After(audit.Head{Seq: r.Seq, Hash: r.Hash}), nil
}

// Head is the newest whole record; see [port.AuditLog].
func (l *AuditLog) Head(ctx context.Context) (head audit.Head, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return audit.Head{}, false, err
	}
	err = l.state.locked(func(d *disk) error {
		for _, line := range slices.Backward(d.log) {
			body, whole := bytes.CutSuffix(line, []byte("\n"))
			if !whole {
				continue
			}
			r, err := audit.ParseLine(body)
			if err != nil {
				return fault.Wrap(err, fault.Config, "the audit log is damaged; run forti audit verify")
			}
			head, ok = audit.Head{Seq: r.Seq, Hash: r.Hash}, true
			return nil
		}
		return nil
	})
	return head, ok, err
}

// First is the first link; see [port.AuditLog].
func (l *AuditLog) First(ctx context.Context) (link audit.Link, err error) {
	if err := ctx.Err(); err != nil {
		return audit.Link{}, err
	}
	err = l.state.locked(func(d *disk) error {
		link = audit.First(d.install)
		return nil
	})
	return link, err
}

// Lines streams the lines; see [port.AuditLog].
func (l *AuditLog) Lines(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var lines [][]byte
		err := l.state.locked(func(d *disk) error {
			lines = slices.Clone(d.log)
			return nil
		})
		if err != nil {
			yield(nil, err)
			return
		}
		for _, line := range lines {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(bytes.Clone(line), nil) {
				return
			}
		}
	}
}

// Anchor is the head remembered outside the log; see [port.AuditLog].
func (l *AuditLog) Anchor(ctx context.Context) (head audit.Head, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return audit.Head{}, false, err
	}
	err = l.state.locked(func(d *disk) error {
		if d.anchor != nil {
			head, ok = *d.anchor, true
		}
		return nil
	})
	return head, ok, err
}

// Tamper changes the log's bytes as somebody with an editor does. A last line
// without a newline is a torn one.
func (l *AuditLog) Tamper(change func(data []byte) []byte) error {
	return l.state.locked(func(d *disk) error {
		d.log = slices.Collect(bytes.Lines(change(bytes.Join(d.log, nil))))
		return nil
	})
}
