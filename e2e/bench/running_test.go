package bench

import (
	"bufio"
	"errors"
	"io"
	"os/exec"
	"testing"
	"time"
)

// running is a started program.
type running struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	id  int
}

// start starts a program and waits for its answer to initialize.
func start(b *testing.B, p program) *running {
	b.Helper()
	cmd := p.command()
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		b.Fatal(err)
	}
	r := &running{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	r.send(b, initialize)
	r.lines(b, 1)
	return r
}

func (r *running) send(b *testing.B, text string) {
	b.Helper()
	if _, err := io.WriteString(r.in, text); err != nil {
		b.Fatal(err)
	}
}

// ask sends one request and reads its answer.
func (r *running) ask(b *testing.B, request string) {
	b.Helper()
	r.id++
	r.send(b, numbered(request, r.id))
	r.lines(b, 1)
}

// lines reads answers; an error among them ends the benchmark.
func (r *running) lines(b *testing.B, n int) {
	b.Helper()
	for range n {
		line, err := r.out.ReadSlice('\n')
		if err != nil || len(line) < 40 {
			b.Fatalf("%v, %.300s", err, line)
		}
	}
}

// pipeline sends a request n times without waiting, and reads all answers.
func (r *running) pipeline(b *testing.B, request string, n int) {
	b.Helper()
	first := r.id + 1
	r.id += n
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(r.in, 1<<16)
		for i := range n {
			if _, err := w.WriteString(numbered(request, first+i)); err != nil {
				sent <- err
				return
			}
		}
		sent <- w.Flush()
	}()
	r.lines(b, n)
	if err := <-sent; err != nil {
		b.Fatal(err)
	}
}

// end closes the input, waits and gives the processor time that was used.
func (r *running) end(b *testing.B) time.Duration {
	b.Helper()
	_ = r.in.Close()
	_, _ = io.Copy(io.Discard, r.out)
	if err := r.cmd.Wait(); err != nil {
		b.Fatalf("%s: %v", r.cmd.Path, err)
	}
	return r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()
}
