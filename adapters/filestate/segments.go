package filestate

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/fault"
)

// segment is a file of the audit log that takes no more records. It is named
// after its first one.
type segment struct {
	name  string
	first uint64
}

const (
	segmentPrefix = "audit-"
	segmentSuffix = ".jsonl"
)

func segmentFile(first uint64) string {
	return stateDir + "/" + segmentPrefix + strconv.FormatUint(first, 10) + segmentSuffix
}

// segments lists the closed files of the log, oldest first.
func (v *visit) segments() ([]segment, error) {
	names, err := v.published(stateDir)
	if err != nil {
		return nil, err
	}
	var list []segment
	for _, base := range names {
		text, ok := strings.CutPrefix(base, segmentPrefix)
		text, whole := strings.CutSuffix(text, segmentSuffix)
		first, err := strconv.ParseUint(text, 10, 64)
		if ok && whole && err == nil && segmentFile(first) == stateDir+"/"+base {
			list = append(list, segment{stateDir + "/" + base, first})
		}
	}
	slices.SortFunc(list, func(a, b segment) int { return cmp.Compare(a.first, b.first) })
	return list, nil
}

// Waiting for the audit log: another process holds it for one append at a time.
const (
	auditPatience = 10 * time.Second
	auditPause    = 20 * time.Millisecond
)

// openAudit opens and locks the file that takes records. A writer makes it where
// it is missing; fs.ErrNotExist for a reader.
func (v *visit) openAudit(ctx context.Context, mode durable.LockMode) (durable.File, error) {
	for range attempts {
		f, err := v.auditFile(mode)
		if err != nil {
			return nil, err
		}
		err = v.wait(ctx, f, mode)
		current := false
		if err == nil {
			current, err = v.tree.Leads(auditFile, f)
		}
		if current {
			return f, nil
		}
		_ = f.Close()
		if err != nil {
			return nil, trouble(err, "lock", v.path(auditFile))
		}
	}
	return nil, unsteady(v.path(auditFile))
}

func (v *visit) auditFile(mode durable.LockMode) (durable.File, error) {
	if mode == durable.Exclusive {
		return v.openOrCreate(auditFile)
	}
	return v.open(auditFile, v.tree.Open)
}

// wait takes the lock of f, for as long as patience and ctx last.
func (v *visit) wait(ctx context.Context, f durable.File, mode durable.LockMode) error {
	limit, cancel := context.WithTimeout(ctx, auditPatience)
	defer cancel()
	for pause := time.Millisecond; ; pause = min(2*pause, auditPause) {
		locked, err := durable.TryLock(f, mode)
		if locked || err != nil {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-limit.Done():
			timer.Stop()
			return orElse(ctx.Err(), fault.New(fault.Config, "another process holds %s for more than %s; find and end it",
				v.path(auditFile), auditPatience).With("path", v.path(auditFile)))
		}
	}
}
