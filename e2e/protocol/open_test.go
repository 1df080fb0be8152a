package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// server is a running program whose streams a test holds.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	pipe *os.File
	errs *bytes.Buffer
}

func open(t *testing.T, lab *harness.Lab, args ...string) *server {
	t.Helper()
	s := &server{cmd: lab.Command("forti-mcp", args...), errs: &bytes.Buffer{}}
	reader, writer, pipeErr := os.Pipe()
	in, inErr := s.cmd.StdinPipe()
	s.cmd.Stdout, s.cmd.Stderr = writer, s.errs
	if err := errors.Join(pipeErr, inErr, s.cmd.Start(), writer.Close()); err != nil {
		t.Fatal(err)
	}
	s.in, s.out, s.pipe = in, bufio.NewReader(reader), reader
	t.Cleanup(func() { _ = reader.Close() })
	return s
}

func (s *server) send(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		t.Fatal(err)
	}
}

// hangUp closes the reader of standard output. A program that another test starts at
// this moment would hold it too, until it runs, and what is written would go nowhere
// without an error: none may be starting.
func (s *server) hangUp(t *testing.T) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := s.pipe.Close(); err != nil {
		t.Fatal(err)
	}
}

// line is the next line of standard output.
func (s *server) line(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatalf("%v after %q", err, line)
	}
	return line[:len(line)-1]
}

// end closes standard input and checks how the program ends.
func (s *server) end(t *testing.T, want int) {
	t.Helper()
	_ = s.in.Close() // the program may have closed it
	s.ended(t, want)
}

// ended waits until the program has ended and gives what was left on standard
// output; it must be whole lines.
func (s *server) ended(t *testing.T, want int) string {
	t.Helper()
	rest, err := io.ReadAll(s.out)
	if err != nil && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
	status(t, s.cmd.Wait())
	if got := s.cmd.ProcessState.ExitCode(); got != want {
		t.Fatalf("status %d, want %d; stderr %s", got, want, s.errs)
	}
	if len(rest) > 0 && rest[len(rest)-1] != '\n' {
		t.Fatalf("half a line: %q", rest)
	}
	return string(rest)
}
