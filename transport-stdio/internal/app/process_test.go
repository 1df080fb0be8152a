//go:build unix

package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/forti-mcp/forti/adapters/zaplog"
)

// childGraph is the engine of the program under test. What Discover does is the
// value of childMode.
func childGraph(o Options, errs io.Writer) (graph, error) {
	g, err := fakeGraph(o, errs)
	g.logger = zaplog.New(errs, o.LogLevel)
	g.engine = fakeEngine{discover: map[string]func(context.Context){
		"noisy": makeNoise,
		"busy": func(ctx context.Context) {
			fmt.Fprintln(os.Stderr, "busy")
			<-ctx.Done()
		},
		"idle":      func(context.Context) {},
		"panicking": func(context.Context) { panic("content of a request") },
		"faulting": func(context.Context) {
			var none *fakeEngine
			none.discover(context.Background())
		},
	}[os.Getenv(childMode)]}
	return g, err
}

// makeNoise writes to file descriptor 1 in every way a library or a helper
// might, and reports descriptors that a helper would inherit.
func makeNoise(ctx context.Context) {
	fmt.Println("noise of a library")
	_, _ = unix.Write(1, []byte("noise of a raw write\n"))
	helper := exec.CommandContext(ctx, "/bin/sh", "-c", "echo noise of a helper; echo stray >&3; echo stray >&4; echo stray >&5; echo stray >&6")
	helper.Stdout = os.Stdout
	_ = helper.Run() // its stray writes are meant to fail
}

// child is this test binary, started as the program.
type child struct {
	*exec.Cmd
	in        io.WriteCloser
	out, errs *bufio.Reader
	errPipe   io.Closer
}

func start(t *testing.T, mode string) child {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this binary itself
	cmd.Env = append(os.Environ(), childMode+"="+mode)
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	errs, errErr := cmd.StderrPipe()
	if err := errors.Join(errIn, errOut, errErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	return child{cmd, in, bufio.NewReader(out), bufio.NewReader(errs), errs}
}

func (c child) send(t *testing.T, line string) {
	t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func (c child) expect(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	if line, err := r.ReadString('\n'); !strings.HasPrefix(line, want) {
		t.Fatalf("got %q, %v; want %q", line, err, want)
	}
}

// rest reads both streams to their end and waits for the exit status.
func (c child) rest(t *testing.T) (out, errs string, status int) {
	t.Helper()
	outBytes, err := io.ReadAll(c.out)
	if err != nil {
		t.Error(err)
	}
	errBytes, _ := io.ReadAll(c.errs) // a test may have closed it
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Error(err)
	}
	return string(outBytes), string(errBytes), c.ProcessState.ExitCode()
}

func TestStdoutCarriesProtocolMessagesOnly(t *testing.T) {
	t.Parallel()
	c := start(t, "noisy")
	c.send(t, ping)
	c.send(t, callDiscover)
	_ = c.in.Close()
	out, errs, status := c.rest(t)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 0 || len(lines) != 2 || !strings.Contains(lines[1], `"data":"found"`) || strings.Contains(out, "stray") {
		t.Errorf("status %d, stdout %q", status, out)
	}
	for _, noise := range []string{"noise of a library", "noise of a raw write", "noise of a helper"} {
		if !strings.Contains(errs, noise) || strings.Contains(out, noise) {
			t.Errorf("%q is not where it belongs: stdout %q, stderr %q", noise, out, errs)
		}
	}
}

func TestASignalEndsAnIdleServerWithStatus0(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			continue // as SIGHUP is under nohup, and then for the child too
		}
		c := start(t, "idle")
		c.send(t, ping)
		c.expect(t, c.out, `{"id":1`)
		if err := c.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if out, errs, status := c.rest(t); status != 0 || out+errs != "" {
			t.Errorf("%v: status %d, stdout %q, stderr %q", s, status, out, errs)
		}
	}
}

func TestASignalLetsTheRunningOperationReturnAndItsAnswerBeWritten(t *testing.T) {
	t.Parallel()
	c := start(t, "busy")
	c.send(t, callDiscover)
	c.send(t, ping)
	c.expect(t, c.errs, "busy")
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	out, _, status := c.rest(t)
	if status != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, `"data":"found"`) {
		t.Errorf("status %d, stdout %q", status, out)
	}
}

func TestAPanicInAHandlerIsAnInternalErrorAndTheServerLives(t *testing.T) {
	t.Parallel()
	for mode, says := range map[string]string{"panicking": "string", "faulting": "nil pointer dereference"} {
		c := start(t, mode)
		c.send(t, callDiscover)
		c.expect(t, c.out, `{"error":{"code":-32603,"message":"Internal error`)
		c.send(t, ping)
		c.expect(t, c.out, `{"id":1,"jsonrpc":"2.0","result":{}}`)
		c.send(t, callDiscover)
		c.expect(t, c.out, `{"error":{"code":-32603,`)
		_ = c.in.Close()
		_, errs, status := c.rest(t)
		if status != 0 || !strings.Contains(errs, "a handler panicked") || !strings.Contains(errs, says) || strings.Contains(errs, "content of a request") {
			t.Errorf("%s: status %d, stderr %s", mode, status, errs)
		}
	}
}

func TestAClosedStderrDoesNotEndTheServer(t *testing.T) {
	t.Parallel()
	c := start(t, "noisy")
	_ = c.errPipe.Close()
	c.send(t, callDiscover)
	c.expect(t, c.out, `{"id":2,"jsonrpc":"2.0","result":`)
	c.send(t, ping)
	c.expect(t, c.out, `{"id":1`)
	_ = c.in.Close()
	if _, _, status := c.rest(t); status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestAClosedStdoutIsStatus1(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	syscall.ForkLock.RLock() // a program that is starting would hold it until it runs
	_ = r.Close()
	syscall.ForkLock.RUnlock()
	cmd := exec.CommandContext(t.Context(), os.Args[0]) //nolint:gosec // this binary itself
	cmd.Env = append(os.Environ(), childMode+"=idle")
	cmd.Stdin, cmd.Stdout = strings.NewReader(ping+"\n"), w
	errs, err := cmd.StderrPipe()
	if err := errors.Join(err, cmd.Start(), w.Close()); err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(errs)
	_ = cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(text), "cannot be written") {
		t.Errorf("status %d, stderr %q", cmd.ProcessState.ExitCode(), text)
	}
}
