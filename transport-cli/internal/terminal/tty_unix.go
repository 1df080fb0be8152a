//go:build linux || darwin

package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// TTY is the controlling terminal of the process.
type TTY struct {
	fd   int
	name string
}

var _ Terminal = (*TTY)(nil)

// Open opens the controlling terminal. It refuses, with a *NoTerminalError,
// unless standard input and output are that terminal too and the process is in
// its foreground: a pipe, a file or a detached process is nobody to ask.
func Open(in io.Reader, out io.Writer) (*TTY, error) {
	fd, err := open("/dev/tty")
	if err != nil {
		return nil, &NoTerminalError{Why: "this process has no terminal of its own", Err: err}
	}
	t := &TTY{fd: fd, name: ttyName(in)}
	streams := []struct {
		what string
		of   any
	}{{"standard input", in}, {"standard output", out}}
	for _, s := range streams {
		if why := attached(s.of); why != "" {
			t.Close()
			return nil, &NoTerminalError{Why: s.what + " " + why}
		}
	}
	if why := foreground(fd); why != "" {
		t.Close()
		return nil, &NoTerminalError{Why: "this process " + why}
	}
	return t, nil
}

func open(path string) (int, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC|unix.O_NOCTTY, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}

// attached says what keeps a stream from being the terminal; "" where nothing does.
func attached(stream any) string {
	fd, ok := descriptor(stream)
	if !ok || !isTerminal(fd) {
		return "is not a terminal"
	}
	return foreground(fd)
}

// foreground says what keeps a descriptor from being the controlling terminal
// with this process in its foreground.
func foreground(fd int) string {
	group, err := foregroundGroup(fd)
	switch {
	case err != nil:
		return "is not on the terminal that controls this process"
	case group != unix.Getpgrp():
		return "is not in the foreground of its terminal"
	}
	return ""
}

// ttyName is the device behind standard input, where the system tells.
func ttyName(in io.Reader) string {
	if fd, ok := descriptor(in); ok {
		if name, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd)); err == nil && strings.HasPrefix(name, "/dev/") {
			return name
		}
	}
	return "/dev/tty"
}

// Close gives the terminal back.
func (t *TTY) Close() {
	_ = unix.Close(t.fd) // nothing was buffered; nothing can be lost
}

// Name is the device.
func (t *TTY) Name() string { return t.name }

// Size is the number of columns and rows.
func (t *TTY) Size() (columns, rows int) {
	columns, rows, err := size(t.fd)
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}

// Write draws text.
func (t *TTY) Write(text string) error {
	data := []byte(clean(text))
	for len(data) > 0 {
		n, err := unix.Write(t.fd, data)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("writing to the terminal: %w", err)
		}
		data = data[n:]
	}
	return nil
}

// lineLimit is far above every text that is ever asked for.
const lineLimit = 4096

// Ask reads a line.
func (t *TTY) Ask(ctx context.Context, prompt string) (string, error) {
	if err := t.fresh(prompt); err != nil {
		return "", err
	}
	return t.line(ctx)
}

func (t *TTY) line(ctx context.Context) (string, error) {
	var line []byte
	for len(line) < lineLimit {
		b, err := t.read(ctx)
		if err != nil {
			return "", err
		}
		if b == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, b)
	}
	return "", errors.New("the line that was typed is too long")
}

// Secret is Ask without showing what is typed.
func (t *TTY) Secret(ctx context.Context, prompt string) (line string, err error) {
	err = t.with(prompt, func(mode *unix.Termios) { mode.Lflag &^= unix.ECHO }, func() (err error) {
		line, err = t.line(ctx)
		return err
	})
	return line, errors.Join(err, t.Write("\n"))
}

// Key reads a keystroke. Signals by keyboard keep working.
func (t *TTY) Key(ctx context.Context, prompt string) (key byte, err error) {
	single := func(mode *unix.Termios) {
		mode.Lflag &^= unix.ICANON | unix.ECHO
		mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	}
	err = t.with(prompt, single, func() (err error) {
		key, err = t.read(ctx)
		return err
	})
	return key, err
}

// with draws a prompt and reads in another mode, which ends with the reading.
func (t *TTY) with(prompt string, change func(mode *unix.Termios), read func() error) (err error) {
	before, err := unix.IoctlGetTermios(t.fd, getAttributes)
	if err != nil {
		return fmt.Errorf("reading the terminal's settings: %w", err)
	}
	mode := *before
	change(&mode)
	if err := unix.IoctlSetTermios(t.fd, setAttributes, &mode); err != nil {
		return fmt.Errorf("changing the terminal's settings: %w", err)
	}
	defer func() { err = errors.Join(err, unix.IoctlSetTermios(t.fd, setAttributes, before)) }()
	if err := t.fresh(prompt); err != nil {
		return err
	}
	return read()
}

// fresh throws typed-ahead input away and draws the prompt.
func (t *TTY) fresh(prompt string) error {
	if err := flushInput(t.fd); err != nil {
		return fmt.Errorf("emptying the terminal's input: %w", err)
	}
	return t.Write(prompt)
}

// read gives one byte, or the cause of ctx as soon as that ends.
func (t *TTY) read(ctx context.Context) (byte, error) {
	var pipe [2]int
	if err := unix.Pipe(pipe[:]); err != nil {
		return 0, fmt.Errorf("waiting for the terminal: %w", err)
	}
	defer func() { _ = unix.Close(pipe[0]) }()
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(woken)
		_ = unix.Close(pipe[1]) // the other end becomes readable
	})
	defer func() {
		if stop() {
			_ = unix.Close(pipe[1])
			return
		}
		<-woken
	}()
	for {
		b, again, err := t.one(ctx, pipe[0])
		if !again {
			return b, err
		}
	}
}

// one waits until the terminal or the pipe can be read and reads the terminal.
func (t *TTY) one(ctx context.Context, wake int) (b byte, again bool, err error) {
	var ready unix.FdSet
	ready.Set(t.fd)
	ready.Set(wake)
	if _, err := unix.Select(max(t.fd, wake)+1, &ready, nil, nil, nil); err != nil {
		return 0, errors.Is(err, unix.EINTR), fmt.Errorf("waiting for the terminal: %w", err)
	}
	if ready.IsSet(wake) {
		return 0, false, context.Cause(ctx)
	}
	var buffer [1]byte
	switch n, err := unix.Read(t.fd, buffer[:]); {
	case errors.Is(err, unix.EINTR):
		return 0, true, nil
	case errors.Is(err, unix.EIO): // the other side of the terminal is gone
		return 0, false, io.EOF
	case err != nil:
		return 0, false, fmt.Errorf("reading from the terminal: %w", err)
	case n == 0:
		return 0, false, io.EOF
	}
	return buffer[0], false, nil
}

func isTerminal(fd int) bool {
	_, err := unix.IoctlGetTermios(fd, getAttributes)
	return err == nil
}

func size(fd int) (columns, rows int, err error) {
	w, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0, err
	}
	return int(w.Col), int(w.Row), nil
}
