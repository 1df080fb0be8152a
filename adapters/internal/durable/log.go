package durable

import (
	"errors"
	"sync"
)

// ErrStopped is wrapped where a log took no line because an earlier one failed.
var ErrStopped = errors.New("an earlier write to this file failed")

// Log is a file that takes lines at its end. It is safe for concurrent use.
type Log struct {
	mu   sync.Mutex
	file File
	err  error
}

// NewLog takes over a file that was opened for appending.
func NewLog(f File) *Log { return &Log{file: f} }

// Append writes a line, newline included, with one write and syncs it. After an
// error the log takes no more lines: what the file holds is not known.
func (l *Log) Append(line []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return errors.Join(ErrStopped, l.err)
	}
	if _, l.err = l.file.Write(line); l.err == nil {
		l.err = syncFile(l.file)
	}
	return l.err
}

// Cut shortens the file to size bytes and syncs it.
func (l *Log) Cut(size int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = l.file.Truncate(size)
	}
	if l.err == nil {
		l.err = syncFile(l.file)
	}
	return l.err
}

// File is the file itself, for reading and locking.
func (l *Log) File() File { return l.file }

// Close closes the file.
func (l *Log) Close() error { return l.file.Close() }
