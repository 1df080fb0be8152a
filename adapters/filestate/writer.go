package filestate

import (
	"context"
	"errors"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
)

// writer is the audit log, locked for writing.
type writer struct {
	*visit
	log    *durable.Log
	tail   tail
	anchor *audit.Head
	// anchorLost is why the anchor cannot be read.
	anchorLost error
}

func (w *writer) open(ctx context.Context) error {
	f, err := w.openAudit(ctx, durable.Exclusive)
	if err != nil {
		return err
	}
	w.log = durable.NewLog(f)
	return nil
}

// close gives the lock back; every record is on the disk already.
func (w *writer) close() { _ = w.log.Close() }

// load looks at the log's end.
func (w *writer) load(window int64, checked int) error {
	var err error
	if w.tail, err = w.visit.tail(w.log.File(), window, checked, w.anchor); err != nil {
		return w.damaged(err)
	}
	return nil
}

// sound refuses a log that the anchor or an unfinished repair speaks against.
func (w *writer) sound() error {
	if w.anchorLost != nil {
		return w.anchorLost
	}
	torn, err := w.aside(tornPrefix)
	if err != nil {
		return err
	}
	if problem := w.tail.against(w.anchor, w.tail.torn() || len(torn) > 0); problem != "" {
		return w.needsRepair(nil, auditFile, problem)
	}
	damaged, err := w.aside(damagedPrefix)
	if err == nil && len(damaged) > 0 {
		return w.needsRepair(nil, auditFile, "was not repaired to the end")
	}
	return err
}

// append writes one record and then the anchor.
func (w *writer) append(e audit.Entry) (audit.Head, error) {
	line, head, err := audit.Seal(e, w.tail.next)
	if err == nil && len(line) > maxLine {
		err = errors.New("the record is too long")
	}
	if err != nil {
		return audit.Head{}, fault.Wrap(err, fault.Internal, "the audit record cannot be encoded")
	}
	if w.tail.good == 0 {
		// Before the first record, so that a file with records has a durable name.
		if err := w.tree.Settle(stateDir); err != nil {
			return audit.Head{}, trouble(err, "write", w.path(auditFile))
		}
	}
	if err := w.confirm(w.log.Append(line)); err != nil {
		return audit.Head{}, err
	}
	w.tail.next, w.tail.head = audit.After(head), &head
	w.tail.good += int64(len(line))
	w.tail.size = w.tail.good
	return head, w.remember(head)
}

// confirm remembers where the disk did not confirm a write to the log.
func (w *writer) confirm(err error) error {
	if errors.Is(err, durable.ErrSync) {
		w.store.unconfirmed = err
	}
	if err != nil {
		return trouble(err, "write", w.path(auditFile))
	}
	return nil
}

// note is an entry of ours about the log, signed with the facts of the entry
// that made us look.
func note(e audit.Entry, event audit.Event, text string) audit.Entry {
	return audit.Entry{
		Event: event, At: e.At, Boot: e.Boot, BootTime: e.BootTime, Program: e.Program, PID: e.PID,
		UID: e.UID, User: e.User, Host: e.Host, Client: e.Client, Note: text,
	}
}
