//go:build failpoint

package durable

import (
	"os"
	"strconv"
	"sync/atomic"
	"syscall"
)

// passed counts the points of this process, written its writes.
var passed, written atomic.Int64

// noRoom reports whether the disk has no more room: from the write on whose number
// FORTI_FAILPOINT_FULL names, counted from 1.
func noRoom() bool {
	n, err := strconv.ParseInt(os.Getenv("FORTI_FAILPOINT_FULL"), 10, 64)
	return err == nil && written.Add(1) >= n
}

// point kills the process where it is the one whose number FORTI_FAILPOINT names,
// counted from 1. A program that is built with this tag is for crash tests alone.
func point() {
	n, err := strconv.ParseInt(os.Getenv("FORTI_FAILPOINT"), 10, 64)
	if err != nil || passed.Add(1) != n {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal is on its way
}

// pointedFile has a point before, within and after each write, and around each sync.
type pointedFile struct{ File }

func pointed(f File) File { return pointedFile{f} }

// Write writes in two halves: a crash between them leaves a torn line.
func (f pointedFile) Write(p []byte) (int, error) {
	point()
	n, err := f.File.Write(p[:len(p)/2])
	if err == nil && noRoom() {
		return n, syscall.ENOSPC
	}
	if err != nil {
		return n, err
	}
	point()
	m, err := f.File.Write(p[len(p)/2:])
	point()
	return n + m, err
}

func (f pointedFile) Sync() error {
	err := f.File.Sync()
	point()
	return err
}

func (f pointedFile) Truncate(size int64) error {
	point()
	err := f.File.Truncate(size)
	point()
	return err
}
