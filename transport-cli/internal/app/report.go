package app

import (
	"errors"
	"io"
	"strings"
	"syscall"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// report tells a failure, once, and gives the exit status: the message on
// standard error, and the envelope on standard output where that was asked for.
func (a *app) report(err error) int {
	if err == nil {
		return 0
	}
	var exit *command.ExitError
	if errors.As(err, &exit) {
		return exit.Status // the answer was given
	}
	var output *command.OutputError
	if errors.As(err, &output) {
		if !errors.Is(err, syscall.EPIPE) { // the reader has seen enough
			a.tell("error: " + output.Error() + ": " + redact.Line(output.Err.Error(), 200))
		}
		return 1
	}
	f := a.faultOf(err)
	a.tell(lines(f, a.flags.verbose)...)
	if a.frame.Format != view.Table && a.frame.Format != "" && !a.frame.Answered() {
		if out, err := view.Encode(envelope.Failed(f), a.frame.Format); err == nil {
			_, _ = a.frame.Out.Write(out) // standard error has the message already
		}
	}
	var special *command.StatusError
	if errors.As(err, &special) {
		return special.Status
	}
	return status(f.Code)
}

// faultOf gives any failure a code. What comes from the command line's parser,
// before a command began to run, is the caller's to correct.
func (a *app) faultOf(err error) *fault.Error {
	var f *fault.Error
	if errors.As(err, &f) || a.running {
		return fault.From(err)
	}
	problem := redact.Line(redact.Text(err.Error()), 300)
	return fault.Wrap(err, fault.Usage, "%s (see: forti --help)", problem).
		With("problems", []fault.Problem{{Pointer: "", Problem: problem}})
}

func (a *app) tell(lines ...string) {
	_, _ = io.WriteString(a.frame.Err, strings.Join(lines, "\n")+"\n") // nowhere is left to tell that it failed
}

// lines is a failure for a person: the message, each problem of the arguments on
// its own line, the device's words, and the cause of a defect.
func lines(f *fault.Error, verbose bool) []string {
	list, _ := f.Details["problems"].([]fault.Problem)
	texts := make([]string, 0, len(list))
	for _, p := range list {
		texts = append(texts, p.String())
	}
	message := f.Message
	if len(texts) > 1 && message == strings.Join(texts, "; ") {
		message = "the request has mistakes:"
	} else if len(texts) <= 1 {
		texts = nil // the message says it
	}
	out := []string{"error (" + string(f.Code) + "): " + redact.Escape(redact.Text(message))}
	for _, t := range texts {
		out = append(out, "  "+redact.Escape(redact.Text(t)))
	}
	if words, ok := f.Details["device_message"].(string); ok && words != "" {
		out = append(out, "  device says: "+redact.Line(redact.Text(words), 300))
	}
	if f.Err != nil && (f.Code == fault.Internal || verbose) {
		out = append(out, "  cause: "+redact.Line(redact.Text(f.Err.Error()), 500))
	}
	return out
}
