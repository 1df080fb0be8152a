package fortifx_test

import (
	"testing"
)

// TestTheRequestsOfAnApplyOnADevice counts them on the simulator: what an operation of
// each kind costs, and what an apply costs besides: who answers, how it saves, one look
// at the objects before the claim, and the backup of a critical plan. The rollback of a move
// is judged by the policies that it moves among, and by what they name.
func TestTheRequestsOfAnApplyOnADevice(t *testing.T) {
	t.Parallel()
	cost := map[string]struct{ operation, besides int }{
		"create":                                 {3, 3},
		"update":                                 {3, 3},
		"delete":                                 {5, 3},
		"move":                                   {5, 10},
		"action":                                 {1, 2},
		"critical create, with backup and probe": {4, 4},
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
