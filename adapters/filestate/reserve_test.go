//go:build linux || darwin

package filestate_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/adapters/internal/durable/durabletest"
	"github.com/forti-mcp/forti/core/fault"
)

// disk makes every write fail for want of room, from when fill is called until the
// reserve was given back.
func disk(s *filestate.Store) (fill func()) {
	full := false
	withFault(s, func(c durabletest.Call) error {
		switch {
		case c.Kind == durabletest.Truncate && c.Name == "state/reserve":
			full = false
		case c.Kind == durabletest.Write && full:
			return syscall.ENOSPC
		}
		return nil
	})
	return func() { full = true }
}

func reserved(t *testing.T, h string) int64 {
	t.Helper()
	info, err := os.Stat(filepath.Join(h, "state", "reserve"))
	must(t, err)
	return info.Size()
}

// What was done to a device can be written down though the disk is full by then.
func TestTheReserveIsForTheRecordsOfAnApply(t *testing.T) {
	for name, write := range map[string]func(s *filestate.Store) error{
		"a line of the journal": nil,
		"the audit log":         func(s *filestate.Store) error { return told(s.Audit().Append(t.Context(), entry(1))) },
		"the rollback plan":     func(s *filestate.Store) error { return s.Plans().Put(t.Context(), stored(2)) },
	} {
		t.Run(name, func(t *testing.T) {
			h := home(t)
			s := open(t, h)
			fill := disk(s)
			appendAll(t, s, 0, 0)
			j, err := s.Journals().Claim(t.Context(), planID(1), []byte("1\n"))
			must(t, err)
			if n := reserved(t, h); n != 64<<10 {
				t.Fatalf("the reserve has %d bytes", n)
			}
			fill()
			if write == nil {
				must(t, j.Append(t.Context(), []byte("2\n")))
				if raw, err := s.Journals().Read(t.Context(), planID(1)); err != nil || string(raw) != "1\n2\n" {
					t.Errorf("%q, %v", raw, err)
				}
			} else {
				must(t, write(s))
			}
			must(t, j.Close())
			if n := reserved(t, h); n != 0 {
				t.Errorf("the reserve has %d bytes still", n)
			}
			// Without room for another one nothing is claimed, with room it is there again.
			full := open(t, h)
			disk(full)()
			wantCode(t, told(full.Journals().Claim(t.Context(), planID(3), []byte("1\n"))), fault.Config)
			_, err = open(t, h).Journals().Read(t.Context(), planID(3))
			wantCode(t, err, fault.NotFound)
			again, err := open(t, h).Journals().Claim(t.Context(), planID(3), []byte("1\n"))
			must(t, err, again.Close())
			if n := reserved(t, h); n != 64<<10 {
				t.Errorf("the reserve has %d bytes", n)
			}
		})
	}
}

// Of plans there can be any number: they do not get what the next apply needs.
func TestNothingButAnApplyGetsTheReserve(t *testing.T) {
	h := home(t)
	s := open(t, h)
	fill := disk(s)
	j, err := s.Journals().Claim(t.Context(), planID(1), []byte("1\n"))
	must(t, err, j.Close())
	fill()
	wantCode(t, s.Plans().Put(t.Context(), stored(2)), fault.Config)
	wantCode(t, told(s.Audit().Append(t.Context(), entry(1))), fault.Config)
	if n := reserved(t, h); n != 64<<10 {
		t.Errorf("the reserve has %d bytes", n)
	}
}
