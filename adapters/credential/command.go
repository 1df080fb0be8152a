package credential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"github.com/forti-mcp/forti/core/fault"
)

// lingering is how long the output of a program is waited for after its end,
// where a child of it still holds the other end.
const lingering = 500 * time.Millisecond

// fromCommand runs a program and takes what it prints. Input and error output are
// the null device; what it leaves running is not waited for.
func (s *Sources) fromCommand(ctx context.Context, name string, from Source) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Timeout)
	defer cancel()
	out := &capped{left: MaxSecret + 2}
	cmd := exec.CommandContext(ctx, from.Command[0], from.Command[1:]...) // #nosec G204 -- the operator names the program
	cmd.Stdin, cmd.Stdout, cmd.Stderr = nil, out, nil
	cmd.WaitDelay = lingering
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fault.Wrap(ctx.Err(), fault.Config, "%s: %s did not end in time; run it by hand to see what it waits for", name, from)
	case out.over:
		return "", fault.New(fault.Config, "%s: %s prints more than 64 KiB; it must print the secret alone", name, from)
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return out.text.String(), nil
	case errors.As(err, &exit):
		return "", fault.New(fault.Config, "%s: %s failed with %s; run it by hand to see why", name, from, ending(exit))
	}
	return "", fault.Wrap(err, fault.Config, "%s: %s cannot be run; check that it exists and may be run", name, from)
}

func ending(e *exec.ExitError) string {
	if code := e.ExitCode(); code >= 0 {
		return fmt.Sprintf("exit status %d", code)
	}
	return "a signal"
}

// capped keeps the first bytes and refuses more, which ends the program.
type capped struct {
	text bytes.Buffer
	left int
	over bool
}

var errOver = errors.New("too much output")

func (c *capped) Write(p []byte) (int, error) {
	if len(p) > c.left {
		c.over = true
		return 0, errOver
	}
	c.left -= len(p)
	return c.text.Write(p)
}
