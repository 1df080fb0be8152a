package porttest

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

func storedPlan(id plan.ID) port.StoredPlan {
	file := []byte(`{"id":"` + id.String() + `"}`)
	return port.StoredPlan{ID: id, File: file, Digest: canon.Sum(file), Remarks: []byte(`{"reason":"why"}`)}
}

var samePlan = cmp.Comparer(func(a, b port.StoredPlan) bool {
	return a.ID == b.ID && a.Digest == b.Digest && bytes.Equal(a.File, b.File) && bytes.Equal(a.Remarks, b.Remarks)
})

// RunPlans checks [port.Plans].
func RunPlans(t *testing.T, h State[port.Plans]) {
	h.run(t, "Get gives back what Put stored, byte for byte", plansKeepBytes)
	h.run(t, "another process finds a plan", plansAreShared)
	h.run(t, "an id is taken once", plansAreImmutable)
	h.run(t, "of many Puts of an id exactly one succeeds", plansRace)
	h.run(t, "a plan that was never put is not found", plansMissing)
	h.run(t, "List gives all ids, newest first", plansInOrder)
	h.run(t, "bytes are not shared with the caller", plansAreCopied)
}

func plansKeepBytes(t *testing.T, open func() port.Plans) {
	p := open()
	want := storedPlan(ids(1)[0])
	want.File = append(bytes.Repeat([]byte("x\x00\xff\n"), 300_000), '\n')
	want.Remarks = []byte("{}")
	must(t, p.Put(t.Context(), want))
	got, err := p.Get(t.Context(), want.ID)
	must(t, err)
	if !cmp.Equal(want, got, samePlan) {
		t.Errorf("%d bytes of %s came back as %d bytes of %s", len(want.File), want.ID, len(got.File), got.ID)
	}
}

func plansAreShared(t *testing.T, open func() port.Plans) {
	want := storedPlan(ids(1)[0])
	must(t, open().Put(t.Context(), want))
	got, err := open().Get(t.Context(), want.ID)
	must(t, err)
	if diff := cmp.Diff(want, got, samePlan); diff != "" {
		t.Error(diff)
	}
}

func plansAreImmutable(t *testing.T, open func() port.Plans) {
	first := storedPlan(ids(1)[0])
	second := first
	second.File, second.Remarks = []byte(`{"other":1}`), nil
	second.Digest = canon.Sum(second.File)
	must(t, open().Put(t.Context(), first))
	for _, p := range []port.Plans{open(), open()} {
		wantCode(t, p.Put(t.Context(), second), fault.Conflict)
		got, err := p.Get(t.Context(), first.ID)
		must(t, err)
		if diff := cmp.Diff(first, got, samePlan); diff != "" {
			t.Error(diff)
		}
	}
}

func plansRace(t *testing.T, open func() port.Plans) {
	stored := storedPlan(ids(1)[0])
	processes := []port.Plans{open(), open()}
	oneWon(t, race(12, func(i int) error { return processes[i%2].Put(t.Context(), stored) }))
}

func plansMissing(t *testing.T, open func() port.Plans) {
	p := open()
	must(t, p.Put(t.Context(), storedPlan(ids(2)[0])))
	_, err := p.Get(t.Context(), ids(2)[1])
	wantCode(t, err, fault.NotFound)
}

func plansInOrder(t *testing.T, open func() port.Plans) {
	p := open()
	none, err := p.List(t.Context())
	must(t, err)
	if len(none) != 0 {
		t.Errorf("an empty store lists %v", none)
	}
	want := ids(4)
	for _, i := range []int{2, 0, 3, 1} {
		must(t, p.Put(t.Context(), storedPlan(want[i])))
	}
	slices.Reverse(want)
	for _, p := range []port.Plans{p, open()} {
		got, err := p.List(t.Context())
		must(t, err)
		if diff := cmp.Diff(want, got, cmpopts.EquateComparable(plan.ID{})); diff != "" {
			t.Error(diff)
		}
	}
}

func plansAreCopied(t *testing.T, open func() port.Plans) {
	p := open()
	want := storedPlan(ids(1)[0])
	given := storedPlan(want.ID)
	must(t, p.Put(t.Context(), given))
	clear(given.File)
	clear(given.Remarks)
	first, err := p.Get(t.Context(), want.ID)
	must(t, err)
	clear(first.File)
	clear(first.Remarks)
	second, err := p.Get(t.Context(), want.ID)
	must(t, err)
	if diff := cmp.Diff(want, second, samePlan); diff != "" {
		t.Error(diff)
	}
}
