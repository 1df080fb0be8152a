// Package terminal is where a human is shown something and asked.
//
// [Open] finds the terminal of the person who started the program, or says why
// there is none. [Consent] is the one way in which a person agrees to a change:
// everything is drawn, nothing that was typed ahead counts, and only the wanted
// text, typed by hand, is a yes.
package terminal

import (
	"context"
	"time"
)

// Terminal is a person's screen and keyboard. One goroutine uses it at a time.
type Terminal interface {
	// Name is the device, such as "/dev/pts/3".
	Name() string
	// Size is the number of columns and rows; 80 and 24 where it is not known.
	Size() (columns, rows int)
	// Write draws text. What could move the cursor, apart from LF, is made visible.
	Write(text string) error
	// Ask throws away what was typed before, draws the prompt and reads one line,
	// which comes without its LF. It ends with io.EOF at the end of input and with
	// the cause of ctx.
	Ask(ctx context.Context, prompt string) (line string, err error)
	// Key is Ask for one keystroke, which need not be followed by Enter.
	Key(ctx context.Context, prompt string) (key byte, err error)
}

// Clock waits. A test's clock need not.
type Clock interface {
	// Sleep waits, or returns the context's error early.
	Sleep(ctx context.Context, d time.Duration) error
}

// NoTerminalError says why nobody can be asked.
type NoTerminalError struct {
	// Why completes "nobody can be asked here: …".
	Why string
	// Err is the cause, where there is one.
	Err error
}

// Error is the reason in words.
func (e *NoTerminalError) Error() string { return "nobody can be asked here: " + e.Why }

// Unwrap is the cause.
func (e *NoTerminalError) Unwrap() error { return e.Err }
