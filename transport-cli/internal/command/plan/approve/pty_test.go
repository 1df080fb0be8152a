//go:build linux || darwin

package approve_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// The person in these tests sits at a pseudo-terminal; the command runs in a
// process of its own (see child_test.go) over an engine that notes its calls.

// seat is a command at a pseudo-terminal.
type seat struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	seen   strings.Builder
	read   int // how much of it was waited for
	calls  string
}

type opts struct {
	columns, rows int
	// ahead is typed before the command starts.
	ahead string
	env   []string
	// change edits the command before it starts.
	change func(cmd *exec.Cmd, tty *os.File)
}

// sit starts the command. A command that hangs is killed, which ends the test.
func sit(t *testing.T, o opts) *seat {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close() //nolint:errcheck // the child has its own
	t.Cleanup(func() { _ = master.Close() })
	if o.columns > 0 {
		if err := pty.Setsize(tty, &pty.Winsize{Cols: uint16(o.columns), Rows: uint16(o.rows)}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := master.WriteString(o.ahead); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	s := &seat{t: t, master: master, calls: filepath.Join(t.TempDir(), "calls")}
	s.cmd = exec.CommandContext(ctx, os.Args[0])
	s.cmd.Env = append(append(os.Environ(), child+"=approve", callsFile+"="+s.calls), o.env...)
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if o.change != nil {
		o.change(s.cmd, tty)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

// until reads the screen until a text is on it after what was waited for before,
// and gives what came since then.
func (s *seat) until(text string) string {
	s.t.Helper()
	buffer := make([]byte, 4096)
	for {
		fresh := s.seen.String()[s.read:]
		if i := strings.Index(fresh, text); i >= 0 {
			s.read += i + len(text)
			return fresh[:i+len(text)]
		}
		n, err := s.master.Read(buffer)
		s.seen.Write(buffer[:n])
		if err != nil {
			s.t.Fatalf("the command ended without %q: %v\n%s", text, err, s.seen.String())
		}
	}
}

func (s *seat) typed(text string) {
	s.t.Helper()
	if _, err := s.master.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
}

var shown = regexp.MustCompile(`Type the code  ([A-Z2-9]{6})  to approve: `)

// code waits for the prompt and reads the code off the screen.
func (s *seat) code() string {
	s.t.Helper()
	return shown.FindStringSubmatch(s.until("  to approve: "))[1]
}

// end reads the rest of the screen and gives the exit status.
func (s *seat) end() int {
	s.t.Helper()
	buffer := make([]byte, 4096)
	for {
		n, err := s.master.Read(buffer)
		s.seen.Write(buffer[:n])
		if err != nil {
			break // the last holder of the terminal is gone
		}
	}
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return 0
}

// engine gives the calls that reached the engine.
func (s *seat) engine() []call {
	s.t.Helper()
	f, err := os.Open(s.calls)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // opened for reading only
	var list []call
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			s.t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

func (s *seat) wantCalls(want ...call) {
	s.t.Helper()
	if diff := cmp.Diff(want, s.engine()); diff != "" {
		s.t.Errorf("calls of the engine (-want +got):\n%s\nscreen:\n%s", diff, s.seen.String())
	}
}

func review(columns int) call { return call{Name: "review", Width: columns} }

func TestThePersonWhoTypesTheCodeApproves(t *testing.T) {
	s := sit(t, opts{columns: 100, rows: 30})
	code := s.code()
	s.typed(code + "\n")
	if status := s.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, s.seen.String())
	}
	approved := call{Name: "approve", Digest: digest().String(), Method: "typed", Challenge: code, Screen: screenDigest(), User: "alice"}
	calls := s.engine()
	if len(calls) != 2 || !strings.HasPrefix(calls[1].TTY, "/dev/") {
		t.Fatalf("calls of the engine: %+v", calls)
	}
	approved.TTY = calls[1].TTY
	s.wantCalls(review(100), approved)
	for _, text := range []string{planID, "2026-10-16T10:45:12Z", "42 sha256:", "forti apply " + planID, "call forti_apply with this plan_id"} {
		if !strings.Contains(s.seen.String(), text) {
			t.Errorf("the result does not say %q:\n%s", text, s.seen.String())
		}
	}
}

func TestTheScreenIsDrawnWholeAndItsHeaderAgain(t *testing.T) {
	s := sit(t, opts{})
	code := s.code()
	drawn := strings.ReplaceAll(s.seen.String(), "\r\n", "\n")
	if want := theScreen + theHeader + "Type the code  " + code + "  to approve: "; drawn != want {
		t.Errorf("screen (-want +got):\n%s", cmp.Diff(want, drawn))
	}
	s.typed("no\n")
	s.end()
}

func TestEverythingElseMeansNo(t *testing.T) {
	for _, tt := range []struct {
		name, typed, why string
		env              []string
	}{
		{"three wrong codes", "AAAAAA\nBBBBBB\nCCCCCC\n", "wrong text three times", nil},
		{"yes is no code", "yes\ny\napprove\n", "wrong text three times", nil},
		{"no", "no\n", "declined", nil},
		{"the end of input", "\x04", "end of input", nil},
		{"Ctrl-C", "\x03", "interrupted", nil},
		{"ten minutes without an answer", "", "no answer within 10 minutes", []string{impatient + "=1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sit(t, opts{env: tt.env, columns: 80, rows: 24})
			if tt.env == nil {
				s.code()
			}
			for line := range strings.Lines(tt.typed) {
				s.typed(line)
				if strings.HasSuffix(line, "\n") && !strings.HasSuffix(tt.typed, line) {
					s.until("That is not what is asked for")
					s.code() // the next try is asked for
				}
			}
			if status := s.end(); status != 5 {
				t.Errorf("exit status %d, want 5\n%s", status, s.seen.String())
			}
			s.wantCalls(review(80), call{Name: "refuse", Why: tt.why})
			if text := s.seen.String(); !strings.Contains(text, "was not approved: "+tt.why) {
				t.Errorf("the error does not say why:\n%s", text)
			}
		})
	}
}

func TestWhatWasTypedAheadDoesNotCount(t *testing.T) {
	s := sit(t, opts{ahead: "no\nAAAAAA\nBBBBBB\nCCCCCC\n", columns: 80, rows: 24})
	s.typed(s.code() + "\n")
	if status := s.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, s.seen.String())
	}
	if calls := s.engine(); len(calls) != 2 || calls[1].Name != "approve" {
		t.Errorf("calls of the engine: %+v", calls)
	}
}

func TestFortyColumnsAreEnough(t *testing.T) {
	s := sit(t, opts{columns: 40, rows: 20})
	s.typed(s.code() + "\n")
	if status := s.end(); status != 0 {
		t.Errorf("exit status %d\n%s", status, s.seen.String())
	}
	if calls := s.engine(); calls[0].Width != 40 {
		t.Errorf("the screen was made for %d columns", calls[0].Width)
	}
}

func TestMoreThanFiftyOperationsAreWalkedThrough(t *testing.T) {
	long := []string{operations + "=60"}
	t.Run("page by page, with a blank or Enter", func(t *testing.T) {
		s := sit(t, opts{columns: 80, rows: 24, env: long})
		for _, page := range []struct{ at, key string }{{"-- 23 of 60", " "}, {"-- 46 of 60", "\r"}} {
			s.until(page.at)
			s.until("no --")
			s.typed(page.key)
		}
		s.typed(s.code() + "\n")
		if status := s.end(); status != 0 {
			t.Errorf("exit status %d\n%s", status, s.seen.String())
		}
	})
	t.Run("keys typed ahead turn no page", func(t *testing.T) {
		s := sit(t, opts{columns: 80, rows: 24, env: long, ahead: "\n\n\n\n\n\n"})
		s.until("-- 23 of 60")
		s.until("no --")
		s.typed("q")
		if status := s.end(); status != 5 {
			t.Errorf("exit status %d\n%s", status, s.seen.String())
		}
		s.wantCalls(review(80), call{Name: "refuse", Why: "declined"})
		if strings.Contains(s.seen.String(), "46 of 60") {
			t.Errorf("a page was turned:\n%s", s.seen.String())
		}
	})
}

func TestOnlyAPersonAtTheTerminalIsAsked(t *testing.T) {
	open := func(t *testing.T, path string) *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f
	}
	for _, tt := range []struct {
		name, says string
		change     func(t *testing.T, cmd *exec.Cmd)
	}{
		{"standard input is a pipe", "standard input is not a terminal", func(t *testing.T, cmd *exec.Cmd) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = r.Close(), w.Close() })
			if _, err := fmt.Fprint(w, strings.Repeat("y\n", 100)); err != nil {
				t.Fatal(err)
			}
			cmd.Stdin = r
		}},
		{"standard input is /dev/null", "standard input is not a terminal", func(t *testing.T, cmd *exec.Cmd) {
			cmd.Stdin = open(t, os.DevNull)
		}},
		{"standard output is a file", "standard output is not a terminal", func(t *testing.T, cmd *exec.Cmd) {
			cmd.Stdout = open(t, filepath.Join(t.TempDir(), "out"))
			cmd.SysProcAttr.Ctty = 0
		}},
		{"a session without a terminal", "no terminal of its own", func(_ *testing.T, cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		}},
		{"standard input is another terminal", "standard input is not on the terminal that controls", func(t *testing.T, cmd *exec.Cmd) {
			master, other, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = master.Close(), other.Close() })
			cmd.Stdin = other
		}},
		{"in the background", "not in the foreground", func(_ *testing.T, cmd *exec.Cmd) {
			cmd.Env = append(cmd.Env, child+"=background")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := sit(t, opts{change: func(cmd *exec.Cmd, _ *os.File) { tt.change(t, cmd) }})
			if status := s.end(); status != 5 {
				t.Errorf("exit status %d, want 5\n%s", status, s.seen.String())
			}
			s.wantCalls()
			if !strings.Contains(s.seen.String(), tt.says) {
				t.Errorf("the error does not say %q:\n%s", tt.says, s.seen.String())
			}
		})
	}
}
