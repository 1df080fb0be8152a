package harness

import (
	"encoding/json"
	"strings"
	"testing"
)

// Result is how a program ended.
type Result struct {
	tb testing.TB
	// Args are what it was asked.
	Args []string
	// Status is the exit status; -1 where a signal ended it.
	Status         int
	Stdout, Stderr string
}

// Must ends the test where the exit status is another one.
func (r Result) Must(status int) Result {
	r.tb.Helper()
	if r.Status != status {
		r.tb.Fatalf("%s: exit status %d, want %d\nstdout: %s\nstderr: %s",
			strings.Join(r.Args, " "), r.Status, status, r.Stdout, r.Stderr)
	}
	return r
}

// Envelope decodes the one JSON document on standard output.
func (r Result) Envelope() Envelope {
	r.tb.Helper()
	var e Envelope
	if err := json.Unmarshal([]byte(r.Stdout), &e); err != nil {
		r.tb.Fatalf("%s: standard output is not one envelope: %v\nstdout: %s\nstderr: %s",
			strings.Join(r.Args, " "), err, r.Stdout, r.Stderr)
	}
	return e
}

// Failed checks exit status and code of a failure and gives it.
func (r Result) Failed(status int, code string) Failure {
	r.tb.Helper()
	r.Must(status)
	return r.Envelope().Failed(r.tb, code)
}
