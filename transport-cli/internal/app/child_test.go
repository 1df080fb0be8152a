package app

import (
	"context"
	"os"
	"os/signal"
	"testing"
	"time"

	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// childVariable makes the test's binary the program, with a clock that does not
// pause, or, with "main", exactly the program. It is the test's; the program reads
// no such variable.
const childVariable = "APP_TEST_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childVariable) {
	case "":
		os.Exit(m.Run())
	case "main":
		os.Exit(Main(os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	a := newApp(os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	a.clock = unpaused{}
	exit := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(exit)
}

// unpaused is a clock without pauses; the time limit of a prompt lasts.
type unpaused struct{}

func (unpaused) Sleep(ctx context.Context, d time.Duration) error {
	if d < terminal.Patience {
		return ctx.Err()
	}
	<-ctx.Done()
	return ctx.Err()
}
