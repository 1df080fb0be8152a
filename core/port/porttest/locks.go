package porttest

import (
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// LocksHarness is the harness of [RunLocks].
type LocksHarness struct {
	New func(t *testing.T) LocksFixture
	// Without may declare Killing.
	Without Without
}

// LocksFixture is a directory of locks that nobody holds.
type LocksFixture struct {
	// Open gives the locks as one more process sees them.
	Open func() port.Locks
	// HoldAndDie lets a process take a lock and end without releasing it.
	HoldAndDie func(t *testing.T, name string)
}

// RunLocks checks [port.Locks].
func RunLocks(t *testing.T, h LocksHarness) {
	run := func(name string, test func(t *testing.T, f LocksFixture)) {
		t.Run(name, func(t *testing.T) { test(t, h.New(t)) })
	}
	run("a lock is held by one", locksExclusive)
	run("a released lock is free for all", locksRelease)
	run("of many at once exactly one gets it", func(t *testing.T, f LocksFixture) {
		processes := []port.Locks{f.Open(), f.Open(), f.Open()}
		oneWon(t, race(24, func(i int) error {
			release, err := processes[i%3].Lock(t.Context(), "device")
			if err == nil {
				t.Cleanup(release)
			}
			return err
		}))
	})
	run("locks of other names are free", func(t *testing.T, f LocksFixture) {
		l := f.Open()
		for _, name := range []string{"a", "b", "FGT60FTK20000001", "a/b", ".."} {
			release, err := l.Lock(t.Context(), name)
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			defer release()
		}
	})
	run("a lock vanishes with its process", func(t *testing.T, f LocksFixture) {
		h.Without.need(t, Killing, f.HoldAndDie != nil)
		f.HoldAndDie(t, "device")
		release, err := f.Open().Lock(t.Context(), "device")
		must(t, err)
		release()
	})
}

func locksExclusive(t *testing.T, f LocksFixture) {
	l := f.Open()
	release, err := l.Lock(t.Context(), "device")
	must(t, err)
	defer release()
	for _, other := range []port.Locks{l, f.Open()} {
		_, err := other.Lock(t.Context(), "device")
		wantCode(t, err, fault.Conflict)
	}
}

func locksRelease(t *testing.T, f LocksFixture) {
	for range 3 {
		for _, l := range []port.Locks{f.Open(), f.Open()} {
			release, err := l.Lock(t.Context(), "device")
			must(t, err)
			release()
		}
	}
}
