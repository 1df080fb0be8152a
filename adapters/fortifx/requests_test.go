package fortifx_test

import (
	"testing"
)

// TestTheRequestsOfAnApplyOnADevice counts them on the simulator: what an operation of
// each kind costs, and what an apply costs besides.
func TestTheRequestsOfAnApplyOnADevice(t *testing.T) {
	t.Parallel()
	cost := map[string]struct{ operation, besides int }{
		"create":                                 {3, 0},
		"update":                                 {3, 0},
		"delete":                                 {5, 0},
		"move":                                   {5, 0},
		"action":                                 {1, 0},
		"critical create, with backup and probe": {4, 0},
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			_, requests := newBench(t, k.op, k.back).apply(0, nil)
			want := cost[k.name]
			if got := len(requests) - want.operation; got != want.besides || got > 10 {
				t.Errorf("%d requests besides the operation's %d, want %d", got, want.operation, want.besides)
				for _, r := range requests {
					t.Log(r.Method, r.Path)
				}
			}
		})
	}
}
