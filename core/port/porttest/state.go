package porttest

import "testing"

// State is the harness of a state port.
type State[P any] struct {
	// New makes an empty state directory. Each call of open gives the port as one
	// more process sees it: the first call is the first process, a later one is
	// another process beside it, or the next one after it.
	New func(t *testing.T) (open func() P)
}

// run runs subtests, each on a fresh directory.
func (s State[P]) run(t *testing.T, name string, test func(t *testing.T, open func() P)) {
	t.Run(name, func(t *testing.T) { test(t, s.New(t)) })
}
