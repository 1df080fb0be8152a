package durable

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// Spare is a System that, where there is no room left, asks for some and goes on. spend
// frees room and reports whether it did. A write that found no room is no lost write:
// what it put down is known, and the rest follows. A failed sync stays final.
func Spare(s System, spend func() bool) System { return spare{s, spend} }

type spare struct {
	System
	spend func() bool
}

// full reports whether an error says that there is no room.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// again does what found no room once more, where some can be had.
func (s spare) again(do func() error) error {
	err := do()
	if full(err) && s.spend() {
		err = do()
	}
	return err
}

// OpenFile opens one file.
func (s spare) OpenFile(name string, flag int, perm fs.FileMode) (File, error) {
	f, err := s.System.OpenFile(name, flag, perm)
	if flag&os.O_CREATE != 0 && full(err) && s.spend() {
		f, err = s.System.OpenFile(name, flag, perm)
	}
	if err != nil {
		return nil, err
	}
	return spareFile{f, s}, nil
}

// Mkdir makes a directory.
func (s spare) Mkdir(name string, perm fs.FileMode) error {
	return s.again(func() error { return s.System.Mkdir(name, perm) })
}

// Link gives a file one more name.
func (s spare) Link(oldname, newname string) error {
	return s.again(func() error { return s.System.Link(oldname, newname) })
}

// Rename moves a file over another.
func (s spare) Rename(oldname, newname string) error {
	return s.again(func() error { return s.System.Rename(oldname, newname) })
}

type spareFile struct {
	File
	system spare
}

// Write writes all of p, the rest of it after room was made.
func (f spareFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	if full(err) && f.system.spend() {
		var rest int
		rest, err = f.File.Write(p[n:])
		n += rest
	}
	return n, err
}
