package harness

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// Process is a running program.
type Process struct {
	lab      *Lab
	cmd      *exec.Cmd
	out, err output
	// gone is closed when the program has ended; failure is of waiting for it.
	gone    chan struct{}
	failure error
}

// output is what a program wrote so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write takes more.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

// String is what was written so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Forti runs forti to its end, with nothing on standard input.
func (l *Lab) Forti(args ...string) Result {
	l.TB.Helper()
	return l.FortiWith("", args...)
}

// FortiWith is Forti with a text on standard input.
func (l *Lab) FortiWith(stdin string, args ...string) Result {
	l.TB.Helper()
	p := l.prepare("forti", args)
	if stdin != "" {
		p.cmd.Stdin = strings.NewReader(stdin)
	}
	p.start()
	return p.Wait()
}

// Pipe runs forti-mcp as a pipe would: the lines on standard input, then its end.
func (l *Lab) Pipe(args []string, lines ...string) Result {
	l.TB.Helper()
	p := l.prepare("forti-mcp", args)
	p.cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	p.start()
	return p.Wait()
}

// Start starts forti and does not wait for it.
func (l *Lab) Start(args ...string) *Process {
	l.TB.Helper()
	p := l.prepare("forti", args)
	p.start()
	return p
}

func (l *Lab) prepare(name string, args []string) *Process {
	l.TB.Helper()
	p := &Process{lab: l, cmd: l.Command(name, args...), gone: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	return p
}

// Command is a program that is ready to be started; it ends with the test.
func (l *Lab) Command(name string, args ...string) *exec.Cmd {
	l.TB.Helper()
	args = slices.Concat(l.Flags, args)
	cmd := exec.CommandContext(l.limited(), program(l.TB, name), args...)
	cmd.Env, cmd.Dir = l.environment(), l.User
	cmd.WaitDelay = 5 * time.Second // for what a child keeps open
	return cmd
}

func (p *Process) start() {
	p.lab.TB.Helper()
	if err := p.cmd.Start(); err != nil {
		p.lab.TB.Fatal(err)
	}
	go func() {
		defer close(p.gone)
		p.failure = p.cmd.Wait()
	}()
}

// PID is the number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Held waits until the device holds a request or the program ends, and says which.
func (p *Process) Held(h *fortisim.Hold) bool {
	select {
	case <-h.Held():
		return true
	case <-p.gone:
		return false
	}
}

// Await waits until the device holds a request. It ends the test where the program
// ends instead.
func (p *Process) Await(h *fortisim.Hold) {
	p.lab.TB.Helper()
	if !p.Held(h) {
		r := p.Wait()
		p.lab.TB.Fatalf("the program ended with status %d before the request was held\nstdout: %s\nstderr: %s", r.Status, r.Stdout, r.Stderr)
	}
}

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) {
	p.lab.TB.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.lab.TB.Fatalf("signal %v: %v", s, err)
	}
}

// Kill ends the program as a crash does and waits until it is gone.
func (p *Process) Kill() {
	p.lab.TB.Helper()
	p.Signal(syscall.SIGKILL)
	p.Wait().Must(-1)
}

// Wait waits for the end.
func (p *Process) Wait() Result {
	p.lab.TB.Helper()
	<-p.gone
	var exit *exec.ExitError
	if p.failure != nil && !errors.As(p.failure, &exit) {
		p.lab.TB.Fatalf("%s: %v\nstdout: %s\nstderr: %s", strings.Join(p.cmd.Args, " "), p.failure, &p.out, &p.err)
	}
	return Result{
		tb: p.lab.TB, Args: p.cmd.Args, Status: p.cmd.ProcessState.ExitCode(), Stdout: p.out.String(), Stderr: p.err.String(),
	}
}
