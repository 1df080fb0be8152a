package harness

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/creack/pty"
)

// The size of the terminals.
const (
	columns = 100
	rows    = 40
)

// Terminal is a pseudo-terminal in which forti runs, and the person before it.
type Terminal struct {
	lab  *Lab
	cmd  *exec.Cmd
	side *os.File

	mu      sync.Mutex
	changed *sync.Cond
	screen  bytes.Buffer
	seen    int
	ended   bool
}

// Terminal starts forti in a new terminal.
func (l *Lab) Terminal(args ...string) *Terminal {
	l.TB.Helper()
	return l.terminal(l.Command("forti", args...))
}

// Shell runs a line of a shell in a new terminal; $FORTI is the program.
func (l *Lab) Shell(line string) *Terminal {
	l.TB.Helper()
	forti := l.Command("forti")
	cmd := exec.CommandContext(l.limited(), "/bin/sh", "-c", line)
	cmd.Env, cmd.Dir, cmd.WaitDelay = append(forti.Env, "FORTI="+forti.Path), forti.Dir, forti.WaitDelay
	return l.terminal(cmd)
}

func (l *Lab) terminal(cmd *exec.Cmd) *Terminal {
	l.TB.Helper()
	t := &Terminal{lab: l, cmd: cmd}
	t.changed = sync.NewCond(&t.mu)
	var err error
	if t.side, err = pty.StartWithSize(t.cmd, &pty.Winsize{Cols: columns, Rows: rows}); err != nil {
		l.TB.Fatalf("no terminal can be had: %v", err)
	}
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		t.draw()
	}()
	l.TB.Cleanup(func() {
		_ = t.side.Close()
		<-drawn
	})
	return t
}

// draw takes what the program writes until its end of the terminal is closed.
func (t *Terminal) draw() {
	buffer := make([]byte, 4096)
	for {
		n, err := t.side.Read(buffer)
		t.mu.Lock()
		t.screen.Write(buffer[:n])
		t.ended = err != nil
		t.changed.Broadcast()
		t.mu.Unlock()
		if err != nil { // Linux answers EIO when nobody holds the other end any more
			return
		}
	}
}

// Expect waits until the program has written a text after the one that was
// expected before, and gives everything up to its end.
func (t *Terminal) Expect(text string) string {
	t.lab.TB.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		if _, _, found := strings.Cut(t.screen.String()[t.seen:], text); found {
			t.seen += strings.Index(t.screen.String()[t.seen:], text) + len(text)
			return t.screen.String()[:t.seen]
		}
		if t.ended {
			t.lab.TB.Fatalf("the program ended and %q was not shown:\n%s", text, t.screen.String())
		}
		t.changed.Wait()
	}
}

// Type types.
func (t *Terminal) Type(keys string) {
	t.lab.TB.Helper()
	if _, err := io.WriteString(t.side, keys); err != nil {
		t.lab.TB.Fatal(err)
	}
}

// End waits for the program's end. Stdout is everything that was drawn.
func (t *Terminal) End() Result {
	t.lab.TB.Helper()
	t.mu.Lock()
	for !t.ended {
		t.changed.Wait()
	}
	screen := t.screen.String()
	t.mu.Unlock()
	var exit *exec.ExitError
	if err := t.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.lab.TB.Fatal(err)
	}
	return Result{tb: t.lab.TB, Args: t.cmd.Args, Status: t.cmd.ProcessState.ExitCode(), Stdout: screen}
}
