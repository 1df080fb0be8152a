// Package command holds what every command is given and how it answers.
//
// Each command is a package below this one: Options say what it was asked, New
// makes it, and run does it. A command reaches the product through an interface
// of its own that the engine satisfies, opened only when the command runs.
package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Frame is what every command is given. The program fills it after the flags
// were read and before a command runs; commands only read it.
type Frame struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
	// Format is the form of the result, Style how tables look.
	Format view.Format
	Style  view.Style
	// Profile is the name given with --profile, "" where none was.
	Profile string
	Caller  engine.Caller
	// Now is the time, for ages such as 24h.
	Now func() time.Time
	// Suffix ends the commands that texts name, such as " --home /tmp/h".
	Suffix string

	answered bool
	telling  sync.Mutex
}

// Answered reports whether something was written to standard output as a result.
func (f *Frame) Answered() bool { return f.answered }

// Open gives a command its part of the product. Failures are faults.
type Open[E any] func(ctx context.Context) (E, error)

// Answer writes a result: the envelope, or what draw makes of it for people.
func (f *Frame) Answer(data any, meta *envelope.Meta, draw func(p *view.Page)) error {
	if f.Format == view.JSON || f.Format == view.YAML {
		out, err := view.Encode(envelope.Success(data, meta), f.Format)
		if err != nil {
			return err
		}
		return f.write(out)
	}
	p := view.NewPage(f.Style)
	draw(p)
	if err := f.write([]byte(p.String())); err != nil {
		return err
	}
	f.remarks(meta)
	return nil
}

// Draw writes a page in the table format and nothing in the others.
func (f *Frame) Draw(draw func(p *view.Page)) error {
	if f.Format == view.JSON || f.Format == view.YAML {
		return nil
	}
	p := view.NewPage(f.Style)
	draw(p)
	return f.write([]byte(p.String()))
}

// Stream writes a part of a result that is given as it arrives.
func (f *Frame) Stream(part []byte) error { return f.write(part) }

// OutputError is a failure to write a result. What was done stays done.
type OutputError struct{ Err error }

// Error says what could not be written.
func (e *OutputError) Error() string { return "standard output cannot be written" }

// Unwrap is the cause.
func (e *OutputError) Unwrap() error { return e.Err }

func (f *Frame) write(data []byte) error {
	f.answered = true
	if _, err := f.Out.Write(data); err != nil {
		return &OutputError{Err: err}
	}
	return nil
}

// Tell writes a line on standard error. What cannot be told is not worth ending
// a command for. It may be called by several goroutines.
func (f *Frame) Tell(draw func(p *view.Page)) {
	p := view.NewPage(view.Style{Width: f.Style.Width})
	draw(p)
	f.telling.Lock()
	defer f.telling.Unlock()
	_, _ = io.WriteString(f.Err, p.String())
}

// remarks says on standard error what a reader of a table should know.
func (f *Frame) remarks(meta *envelope.Meta) {
	if meta == nil {
		return
	}
	f.Tell(func(p *view.Page) {
		if meta.NextStart != nil {
			p.Text("", more(meta))
		}
		for _, c := range meta.Cut {
			p.Text("cut: ", fmt.Sprintf("%s shows %d of %d entries", c.Pointer, c.Kept, c.Total))
		}
		if len(meta.Redacted) > 0 {
			p.Text("redacted: ", strings.Join(meta.Redacted, " "))
		}
		for _, n := range meta.Notes {
			p.Text("note: ", n)
		}
	})
}

func more(meta *envelope.Meta) string {
	of := ""
	if meta.Total != nil {
		of = fmt.Sprintf(" of %d", *meta.Total)
	}
	return fmt.Sprintf("%d shown%s; the next ones: --start %d", *meta.Returned, of, *meta.NextStart)
}

// ExitError ends the program with a status of its own after the answer was given.
type ExitError struct{ Status int }

// Error names the status.
func (e *ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// StatusError is a failure whose exit status is not the one of its code.
type StatusError struct {
	Status int
	Err    error
}

// Error is the failure's.
func (e *StatusError) Error() string { return e.Err.Error() }

// Unwrap is the failure.
func (e *StatusError) Unwrap() error { return e.Err }
