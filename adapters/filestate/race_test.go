//go:build linux || darwin

package filestate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/fault"
)

// meddler lets somebody act at one moment inside a use.
type meddler struct {
	durable.System
	// beforeOpen and afterOpen act around the opening of a file, beforeNames before
	// a directory is listed.
	beforeOpen, afterOpen, beforeNames func(name string)
}

func (m *meddler) OpenFile(name string, flag int, perm fs.FileMode) (durable.File, error) {
	if m.beforeOpen != nil {
		m.beforeOpen(name)
	}
	f, err := m.System.OpenFile(name, flag, perm)
	if m.afterOpen != nil {
		m.afterOpen(name)
	}
	return f, err
}

func (m *meddler) Names(dir string) ([]string, error) {
	if m.beforeNames != nil {
		m.beforeNames(dir)
	}
	return m.System.Names(dir)
}

// meddle lets m act in the uses of a store.
func meddle(s *filestate.Store, m *meddler) {
	s.WrapSystem(func(sys durable.System) durable.System {
		m.System = sys
		return m
	})
}

// once acts the first time a name is seen.
func once(name string, act func()) func(string) {
	done := false
	return func(seen string) {
		if seen == name && !done {
			done = true
			act()
		}
	}
}

func TestAFileExchangedForALinkWhileItIsOpenedIsNotRead(t *testing.T) {
	h := home(t)
	s := open(t, h)
	must(t, s.Plans().Put(t.Context(), stored(1)), s.Plans().Put(t.Context(), stored(2)))
	name := "state/plans/" + planID(1).String() + ".json"
	path := filepath.Join(h, name)
	meddle(s, &meddler{beforeOpen: once(name, func() {
		must(t, os.Remove(path), os.Symlink(planID(2).String()+".json", path))
	})})
	_, err := s.Plans().Get(t.Context(), planID(1))
	wantCode(t, err, fault.Config)
	if !strings.Contains(err.Error(), path) {
		t.Errorf("the error reads %q", err)
	}
}

func TestAHomeExchangedWhileItIsOpenedIsNotUsed(t *testing.T) {
	h := home(t)
	s := open(t, h)
	s.WrapSystem(func(sys durable.System) durable.System {
		must(t, sys.Close(), os.Rename(h, h+".old"), os.Mkdir(h, 0o700))
		other, err := durable.OpenRoot(h)
		must(t, err)
		return other
	})
	wantCode(t, s.Plans().Put(t.Context(), stored(1)), fault.Config)
	if made := under(t, h); len(made) != 0 {
		t.Errorf("made there: %v", made)
	}
}

func TestALockOnARemovedFileIsNotTakenForOne(t *testing.T) {
	h := home(t)
	path := lockPath(t, h)
	must(t, os.WriteFile(path, nil, 0o600))
	s := open(t, h)
	meddle(s, &meddler{afterOpen: once("state/locks/"+filepath.Base(path), func() { must(t, os.Remove(path)) })})
	release, err := s.Locks().Lock(t.Context(), "device")
	must(t, err)
	defer release()
	_, err = open(t, h).Locks().Lock(t.Context(), "device")
	wantCode(t, err, fault.Conflict)
}

func TestARecordIsNotWrittenToALogThatWasClosedMeanwhile(t *testing.T) {
	h := home(t)
	s := open(t, h)
	appendAll(t, s, 0, 1)
	meddle(s, &meddler{afterOpen: once("state/audit.jsonl", func() {
		must(t, os.Rename(filepath.Join(h, "state/audit.jsonl"), filepath.Join(h, "state/audit-0.jsonl")))
	})})
	appendAll(t, s, 2, 2)
	records, report := log(t, s)
	if report.Broken() || events(records) != "plan.created plan.created audit.rotated plan.created" {
		t.Errorf("%+v: %s", report, events(records))
	}
}

func TestALogClosedWhileItIsReadIsReadOnce(t *testing.T) {
	h := home(t)
	s := open(t, h)
	appendAll(t, s, 0, 2)
	m := &meddler{}
	meddle(s, m)
	first, err := s.Audit().First(t.Context())
	must(t, err)
	m.beforeNames = once("state", func() {
		must(t, os.Rename(filepath.Join(h, "state/audit.jsonl"), filepath.Join(h, "state/audit-0.jsonl")))
		appendAll(t, open(t, h), 3, 3)
	})
	lines := 0
	for _, err := range s.Audit().Lines(t.Context()) {
		must(t, err)
		lines++
	}
	if lines != 3 || first.Seq != 0 {
		t.Errorf("%d lines, want the 3 that there were at the start", lines)
	}
}
