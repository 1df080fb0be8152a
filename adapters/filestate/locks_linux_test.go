package filestate_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// A process that is being started has a copy of every open file for a moment. A lock that
// was given back is free nevertheless.
func TestALockThatIsGivenBackIsFreeThoughACopyOfItsFileIsOpen(t *testing.T) {
	s := open(t, home(t))
	release, err := s.Locks().Lock(t.Context(), "device")
	must(t, err)
	copied := 0
	entries, err := os.ReadDir("/proc/self/fd")
	must(t, err)
	for _, e := range entries {
		target, err := os.Readlink(filepath.Join("/proc/self/fd", e.Name()))
		if err != nil || !strings.HasPrefix(target, s.Home()) || !strings.HasSuffix(target, ".lock") {
			continue
		}
		fd, err := strconv.Atoi(e.Name())
		must(t, err)
		other, err := syscall.Dup(fd)
		must(t, err)
		t.Cleanup(func() { _ = syscall.Close(other) })
		copied++
	}
	if copied == 0 {
		t.Fatal("the lock's file is not open")
	}
	release()
	again, err := s.Locks().Lock(t.Context(), "device")
	if err != nil {
		t.Fatalf("the lock is still held: %v", err)
	}
	again()
}
