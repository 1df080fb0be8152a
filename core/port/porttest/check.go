package porttest

import (
	"fmt"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// wantCode fails where err has another code.
func wantCode(t *testing.T, err error, want fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != want {
		t.Errorf("error code %q (%v), want %q", got, err, want)
	}
}

// must fails at once where a step that the subtest needs goes wrong.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ids are plan ids, oldest first.
func ids(n int) []plan.ID {
	at := time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC)
	list := make([]plan.ID, n)
	for i := range list {
		// The random part falls while the time rises: only the time orders them.
		list[i] = plan.NewID(at.Add(time.Duration(i)*time.Minute), [plan.RandomBytes]byte{byte(255 - i), 0, byte(i)})
	}
	return list
}

// canonical fails where a value holds anything that a canonical value cannot,
// except a device's odd numbers.
func canonical(t *testing.T, v any) {
	t.Helper()
	switch x := v.(type) {
	case nil, bool, string, int64, canon.Number:
	case []any:
		for _, item := range x {
			canonical(t, item)
		}
	case map[string]any:
		for _, item := range x {
			canonical(t, item)
		}
	default:
		t.Errorf("%s is no canonical value", fmt.Sprintf("%T", v))
	}
}

// race runs n calls at once and gives their errors.
func race(n int, call func(i int) error) []error {
	start, results := make(chan struct{}), make(chan error)
	for i := range n {
		go func() {
			<-start
			results <- call(i)
		}()
	}
	close(start)
	list := make([]error, n)
	for i := range list {
		list[i] = <-results
	}
	return list
}

// oneWon fails unless exactly one call succeeded and the others conflict.
func oneWon(t *testing.T, results []error) {
	t.Helper()
	won := 0
	for _, err := range results {
		if err == nil {
			won++
			continue
		}
		wantCode(t, err, fault.Conflict)
	}
	if won != 1 {
		t.Errorf("%d of %d calls succeeded, want exactly one", won, len(results))
	}
}
