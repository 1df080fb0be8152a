package filestate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Journals keeps journals as journal/<id>.jsonl.
type Journals struct{ store *Store }

// Journal is one journal, open for appending.
type Journal struct {
	store *Store
	where string
	log   *durable.Log
}

var (
	_ port.Journals = (*Journals)(nil)
	_ port.Journal  = (*Journal)(nil)
)

func journalFile(id plan.ID) string { return journalDir + "/" + id.String() + ".jsonl" }

// Claim publishes the journal with its first line. Where the disk did not
// confirm the publication it fails and the plan may yet count as executed. The reserve
// is made sure of before.
func (j *Journals) Claim(ctx context.Context, id plan.ID, first []byte) (port.Journal, error) {
	v, err := j.store.in(ctx, journalDir, writing)
	if err != nil {
		return nil, err
	}
	defer v.leave()
	if err := v.provide(); err != nil {
		return nil, err
	}
	name := journalFile(id)
	log, err := v.tree.CreateLog(name, first)
	if errors.Is(err, fs.ErrExist) {
		return nil, fault.New(fault.Conflict, "plan %s has been executed already, or is being executed", id)
	}
	if err != nil {
		return nil, trouble(err, "write", v.path(name))
	}
	j.store.journals.Add(1)
	return &Journal{j.store, v.path(name), log}, nil
}

// Continue opens a journal for recovery and cuts what follows its good bytes,
// which must be one torn line at most.
func (j *Journals) Continue(ctx context.Context, id plan.ID, good int) (port.Journal, error) {
	v, err := j.store.in(ctx, journalDir, writing)
	if err != nil {
		return nil, err
	}
	defer v.leave()
	name := journalFile(id)
	f, err := v.open(name, v.tree.OpenAppend)
	if err != nil {
		return nil, missing(err, "plan %s has no journal", id)
	}
	log := durable.NewLog(f)
	if err := cut(log, good); err != nil {
		_ = log.Close()
		return nil, trouble(err, "cut", v.path(name))
	}
	j.store.journals.Add(1)
	return &Journal{j.store, v.path(name), log}, nil
}

// cut shortens a journal to its good bytes, and syncs it even where nothing has
// to go: a line that was read may never have reached the disk.
func cut(log *durable.Log, good int) error {
	info, err := log.File().Stat()
	if err != nil {
		return err
	}
	if good < 0 || int64(good) > info.Size() {
		return fault.New(fault.Config, "the journal has %d bytes, not %d; it was damaged after it was read", info.Size(), good)
	}
	tail, err := io.ReadAll(io.NewSectionReader(log.File(), int64(good), info.Size()-int64(good)))
	if err != nil {
		return err
	}
	if bytes.IndexByte(bytes.TrimSuffix(tail, []byte("\n")), '\n') >= 0 {
		return fault.New(fault.Conflict, "the journal has grown since it was read; try again")
	}
	return log.Cut(int64(good))
}

// Read gives the journal's bytes.
func (j *Journals) Read(ctx context.Context, id plan.ID) ([]byte, error) {
	return j.store.get(ctx, journalDir, journalFile(id), "plan %s has no journal", id)
}

// List gives the plans that have a journal, newest first.
func (j *Journals) List(ctx context.Context) ([]plan.ID, error) {
	return j.store.ids(ctx, journalDir, ".jsonl")
}

// Append writes a line. It does not ask ctx: what has happened is written down
// even where nobody waits for it any more.
func (j *Journal) Append(_ context.Context, line []byte) error {
	if err := j.log.Append(line); err != nil {
		return trouble(err, "write", j.where)
	}
	return nil
}

// Close closes the journal; every line is on the disk already.
func (j *Journal) Close() error {
	j.store.journals.Add(-1)
	if err := j.log.Close(); err != nil {
		return trouble(err, "close", j.where)
	}
	return nil
}
