//go:build linux || darwin

package approve_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// Variables of the child process. They steer the test's own engine and clock; the
// command reads none.
const (
	child      = "APPROVE_TEST_CHILD"
	callsFile  = "APPROVE_TEST_CALLS"
	operations = "APPROVE_TEST_OPERATIONS"
	impatient  = "APPROVE_TEST_IMPATIENT"
)

func TestMain(m *testing.M) {
	switch os.Getenv(child) {
	case "":
		os.Exit(m.Run())
	case "background":
		os.Exit(background())
	default:
		os.Exit(runChild())
	}
}

// background runs the command in a process group that is not in the foreground.
func background() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), child+"=approve")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		return 99
	}
	return 0
}

const (
	planID    = "20261015-104512-a1b2c3"
	theHeader = "device header\n"
)

var theScreen = strings.Repeat("a line of the plan\n", 5)

func digest() canon.Digest { return canon.Sum([]byte("plan")) }

func screenDigest() string { return canon.Sum([]byte(theScreen)).String() }

// call is one call of the engine.
type call struct {
	Name, Digest, Method, Challenge, Screen, User, TTY, Why string
	Width                                                   int
}

// noter is an engine that writes its calls down.
type noter struct{ file string }

func (n noter) note(c call) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(n.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

func (n noter) Review(_ context.Context, _ engine.Caller, id plan.ID, width int, _ bool) (*engine.Review, error) {
	r := &engine.Review{
		PlanID: id, Digest: digest(), Screen: theScreen, Header: theHeader, Tier: plan.Medium, Profile: "home",
		Serial: "FGT60F0000000001", Need: 1, Operations: 2,
	}
	if many, err := strconv.Atoi(os.Getenv(operations)); err == nil {
		r.Operations, r.Screen = many, strings.Repeat("an operation\n", many)
	}
	return r, n.note(call{Name: "review", Width: width})
}

func (n noter) Approve(_ context.Context, _ engine.Caller, id plan.ID, d canon.Digest, ev engine.Evidence) (*engine.Approved, error) {
	err := n.note(call{
		Name: "approve", Digest: d.String(), Method: string(ev.Method), Challenge: ev.Challenge, Screen: ev.Screen.String(),
		User: ev.Approver.User, TTY: ev.Approver.TTY,
	})
	return &engine.Approved{
		PlanID: id, Expires: time.Date(2026, 10, 16, 10, 45, 12, 0, time.UTC), Have: 1, Need: 1,
		Audit: audit.Head{Seq: 42, Hash: canon.Sum([]byte("head"))}, Apply: "forti apply " + id.String(),
	}, err
}

func (n noter) RefuseApproval(_ context.Context, _ engine.Caller, _ plan.ID, why string) error {
	return n.note(call{Name: "refuse", Why: why})
}

// quick is a clock without pauses; the time limit of the prompt lasts, unless the
// test wants it to be over.
type quick struct{}

func (quick) Sleep(ctx context.Context, d time.Duration) error {
	if d < terminal.Patience || os.Getenv(impatient) != "" {
		return ctx.Err()
	}
	<-ctx.Done()
	return ctx.Err()
}

// runChild is the command with its real terminal.
func runChild() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	c := approve.New(approve.Options{
		Frame: &command.Frame{In: os.Stdin, Out: os.Stdout, Err: os.Stderr},
		Open:  func(context.Context) (approve.Engine, error) { return noter{os.Getenv(callsFile)}, nil },
		Human: func() (terminal.Terminal, func(), error) {
			t, err := terminal.Open(os.Stdin, os.Stdout)
			if err != nil {
				return nil, nil, err
			}
			return t, t.Close, nil
		},
		Session: func() (approve.Session, error) {
			return approve.Session{
				Clock: quick{}, Random: []byte(strconv.Itoa(os.Getpid()) + "-random-of-the-session"),
				Approver: approval.Approver{User: "alice", UID: 1000, Host: "ws1"},
			}, nil
		},
	})
	c.SetArgs([]string{planID})
	c.SilenceErrors, c.SilenceUsage = true, true
	err := c.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	if fault.CodeOf(err) == fault.PolicyDenied {
		return 5
	}
	return 1
}
