package filestate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
)

// rotate closes a file that has become large and begins the next one with a
// record of where the last one ended. A crash between the two is made good by
// the next append, which finds an empty log after a closed file.
func (w *writer) rotate(ctx context.Context, e audit.Entry) error {
	if w.tail.good >= w.store.rotateAt {
		if err := w.closeSegment(); err != nil {
			return err
		}
		w.close()
		if err := w.open(ctx); err != nil {
			return err
		}
		if err := w.load(tailWindow, tailChecked); err != nil {
			return err
		}
	}
	if w.tail.good > 0 || w.tail.head == nil {
		return nil
	}
	segments, err := w.segments()
	if err != nil {
		return err
	}
	closed, err := w.describe(path.Base(segments[len(segments)-1].name))
	if err != nil {
		return err
	}
	head := *w.tail.head
	_, err = w.append(note(e, audit.Rotated, fmt.Sprintf("goes on from %s, which ends with record %d, %s", closed, head.Seq, head.Hash)))
	return err
}

// closeSegment gives the current file its final name and takes the right to
// write to it away.
func (w *writer) closeSegment() error {
	first, err := firstRecord(w.log.File())
	if err != nil {
		return w.damaged(err)
	}
	name := segmentFile(first)
	taken, err := w.exists(name)
	if err != nil {
		return err
	}
	if taken {
		return w.needsRepair(nil, auditFile, "begins with the same record as "+w.path(name))
	}
	if err := w.log.File().Chmod(0o400); err != nil {
		return trouble(err, "close", w.path(auditFile))
	}
	if err := w.tree.Move(auditFile, name); err != nil {
		return trouble(err, "close", w.path(auditFile))
	}
	return nil
}

// firstRecord is the number of a file's first record.
func firstRecord(f io.ReaderAt) (uint64, error) {
	data := make([]byte, tailWindow)
	for {
		n, err := f.ReadAt(data, 0)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		line, _, whole := bytes.Cut(data[:n], []byte("\n"))
		if whole {
			p, err := readPlace(append(line, '\n'), false)
			return p.Seq, err
		}
		if n < len(data) || len(data) > maxLine {
			return 0, &damage{cause: errors.New("the first record is torn or too long")}
		}
		data = make([]byte, 2*len(data))
	}
}

// segmentHead is the last record of a closed file, which must be whole.
func (v *visit) segmentHead(s segment) (audit.Head, error) {
	f, err := v.open(s.name, v.tree.Open)
	if err != nil {
		return audit.Head{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return audit.Head{}, trouble(err, "look at", v.path(s.name))
	}
	w := walk{tail: tail{size: info.Size()}, checked: 1}
	if err := w.file(f, tailWindow); err != nil {
		return audit.Head{}, v.restore(err, s)
	}
	if w.head == nil || w.torn() {
		return audit.Head{}, v.restore(audit.ErrTorn, s)
	}
	return *w.head, nil
}

// restore is the error for a closed file that nobody writes to any more: what
// changed it is not ours to repair.
func (v *visit) restore(cause error, s segment) error {
	return fault.Wrap(cause, fault.Config, "%s is damaged; put it back from a backup", v.path(s.name)).With("path", v.path(s.name))
}
