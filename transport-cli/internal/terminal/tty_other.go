//go:build !linux && !darwin

package terminal

import (
	"context"
	"errors"
	"io"
)

// TTY is the controlling terminal; this system has none that can be used.
type TTY struct{}

var _ Terminal = (*TTY)(nil)

var errNone = errors.New("no terminal on this system")

// Open refuses: on this system nobody can be asked in a way that proves to be a
// person's.
func Open(io.Reader, io.Writer) (*TTY, error) {
	return nil, &NoTerminalError{Why: "this system has no terminal that can be checked", Err: errors.ErrUnsupported}
}

// Close does nothing.
func (t *TTY) Close() {}

// Name is empty.
func (t *TTY) Name() string { return "" }

// Size is the usual one.
func (t *TTY) Size() (columns, rows int) { return 80, 24 }

// Write fails.
func (t *TTY) Write(string) error { return errNone }

// Ask fails.
func (t *TTY) Ask(context.Context, string) (string, error) { return "", errNone }

// Secret fails.
func (t *TTY) Secret(context.Context, string) (string, error) { return "", errNone }

// Key fails.
func (t *TTY) Key(context.Context, string) (byte, error) { return 0, errNone }

func isTerminal(int) bool { return false }

func size(int) (columns, rows int, err error) { return 0, 0, errNone }
