package filestate

import (
	"context"
	"errors"
	"io/fs"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// AuditLog is the hash-chained log audit.jsonl. Once it is large it is closed
// under the name audit-<first record>.jsonl and a new file goes on; all files
// together are the log.
type AuditLog struct{ store *Store }

var _ port.AuditLog = (*AuditLog)(nil)

// Append seals an entry and writes it. It does not ask whether ctx is cancelled:
// what has happened is written down even where nobody waits for it any more.
//
// A torn last record is kept in audit.torn-<number>, cut off and recorded before
// the entry. After a write that the disk did not confirm the store appends
// nothing more until the program is started again.
func (a *AuditLog) Append(ctx context.Context, e audit.Entry) (audit.Head, error) {
	var head audit.Head
	err := a.write(ctx, func(w *writer) error {
		if err := w.load(tailWindow, tailChecked); err != nil {
			return err
		}
		if err := w.sound(); err != nil {
			return err
		}
		if _, err := w.mend(e); err != nil {
			return err
		}
		if err := w.rotate(ctx, e); err != nil {
			return err
		}
		var err error
		head, err = w.append(e)
		return err
	})
	return head, err
}

// write lets do work on the locked log.
func (a *AuditLog) write(ctx context.Context, do func(w *writer) error) error {
	ctx = context.WithoutCancel(ctx)
	a.store.auditing.Lock()
	defer a.store.auditing.Unlock()
	v, err := a.store.enter(ctx, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	if lost := a.store.unconfirmed; lost != nil {
		return trouble(errors.Join(durable.ErrStopped, lost), "write", v.path(auditFile))
	}
	w := &writer{visit: v}
	if w.anchor, err = v.anchor(); err != nil {
		w.anchorLost = err
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	defer w.close()
	return do(w)
}

// Head is the newest whole record.
func (a *AuditLog) Head(ctx context.Context) (head audit.Head, ok bool, err error) {
	v, err := a.store.enter(ctx, reading)
	if errors.Is(err, errAbsent) {
		return audit.Head{}, false, nil
	}
	if err != nil {
		return audit.Head{}, false, err
	}
	defer v.leave()
	f, err := v.openAudit(ctx, durable.Shared)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return audit.Head{}, false, err
	}
	if f != nil {
		defer func() { _ = f.Close() }()
	}
	t, err := v.tail(f, tailWindow, tailChecked, nil)
	if err != nil {
		return audit.Head{}, false, v.damaged(err)
	}
	if t.head == nil {
		return audit.Head{}, false, nil
	}
	return *t.head, true, nil
}

// First is the link of the first record; not_found where there is no state yet.
func (a *AuditLog) First(ctx context.Context) (audit.Link, error) {
	v, err := a.store.enter(ctx, reading)
	if errors.Is(err, errAbsent) {
		return audit.Link{}, fault.Wrap(err, fault.NotFound, "there is no audit log yet; planning a change begins it")
	}
	if err != nil {
		return audit.Link{}, err
	}
	defer v.leave()
	return audit.First(v.install), nil
}

// Anchor is the head that anchor.json remembers.
func (a *AuditLog) Anchor(ctx context.Context) (head audit.Head, ok bool, err error) {
	v, err := a.store.enter(ctx, reading)
	if errors.Is(err, errAbsent) {
		return audit.Head{}, false, nil
	}
	if err != nil {
		return audit.Head{}, false, err
	}
	defer v.leave()
	anchor, err := v.anchor()
	if err != nil || anchor == nil {
		return audit.Head{}, false, err
	}
	return *anchor, true, nil
}

// tail looks at the end of the log; f is the file that takes records, or nil.
func (v *visit) tail(f durable.File, window int64, checked int, anchor *audit.Head) (tail, error) {
	w := walk{tail: tail{next: audit.First(v.install)}, known: true, checked: checked, anchor: anchor}
	segments, err := v.segments()
	if err != nil {
		return tail{}, err
	}
	if n := len(segments); n > 0 {
		head, err := v.segmentHead(segments[n-1])
		if err != nil {
			return tail{}, err
		}
		w.head, w.next = &head, audit.After(head)
	}
	if f == nil {
		return w.tail, nil
	}
	info, err := f.Stat()
	if err != nil {
		return tail{}, trouble(err, "look at", v.path(auditFile))
	}
	w.size = info.Size()
	err = w.file(f, window)
	return w.tail, err
}

// damaged is the error for the operator.
func (v *visit) damaged(err error) error {
	var d *damage
	switch {
	case !errors.As(err, &d):
		return trouble(err, "read", v.path(auditFile))
	case d.foreign:
		return fault.Wrap(err, fault.Config, "%s was written by a newer version; use that version", v.path(auditFile)).With("path", v.path(auditFile))
	}
	return v.needsRepair(err, auditFile, "is "+d.Error())
}
