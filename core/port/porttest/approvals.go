package porttest

import (
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// RunApprovals checks [port.Approvals].
func RunApprovals(t *testing.T, h State[port.Approvals]) {
	h.run(t, "Get gives the approval that was put last", approvalsReplace)
	h.run(t, "an approval that was never put is not found", func(t *testing.T, open func() port.Approvals) {
		a := open()
		must(t, a.Put(t.Context(), ids(2)[0], []byte("{}")))
		_, err := a.Get(t.Context(), ids(2)[1])
		wantCode(t, err, fault.NotFound)
	})
	h.run(t, "a plan is not revoked by itself", func(t *testing.T, open func() port.Approvals) {
		a := open()
		must(t, a.Put(t.Context(), ids(1)[0], []byte("{}")))
		wantRevoked(t, a, ids(1)[0], false)
	})
	h.run(t, "a revocation outlives every approval", approvalsRevoke)
	h.run(t, "a revocation needs no approval and can be repeated", func(t *testing.T, open func() port.Approvals) {
		a := open()
		must(t, a.Revoke(t.Context(), ids(1)[0]))
		must(t, a.Revoke(t.Context(), ids(1)[0]))
		wantRevoked(t, a, ids(1)[0], true)
	})
	h.run(t, "bytes are not shared with the caller", approvalsAreCopied)
}

func wantRevoked(t *testing.T, a port.Approvals, id plan.ID, want bool) {
	t.Helper()
	got, err := a.Revoked(t.Context(), id)
	must(t, err)
	if got != want {
		t.Errorf("revoked is %v, want %v", got, want)
	}
}

func wantApproval(t *testing.T, a port.Approvals, id plan.ID, want string) {
	t.Helper()
	got, err := a.Get(t.Context(), id)
	must(t, err)
	if string(got) != want {
		t.Errorf("the approval reads %q, want %q", got, want)
	}
}

func approvalsReplace(t *testing.T, open func() port.Approvals) {
	a, id := open(), ids(1)[0]
	for _, file := range []string{"a long first one", "second"} {
		must(t, a.Put(t.Context(), id, []byte(file)))
		wantApproval(t, a, id, file)
		wantApproval(t, open(), id, file)
	}
}

func approvalsRevoke(t *testing.T, open func() port.Approvals) {
	a, list := open(), ids(2)
	must(t, a.Put(t.Context(), list[0], []byte("one")))
	must(t, a.Put(t.Context(), list[1], []byte("two")))
	must(t, a.Revoke(t.Context(), list[0]))
	must(t, a.Put(t.Context(), list[0], []byte("again")))
	for _, a := range []port.Approvals{a, open()} {
		wantRevoked(t, a, list[0], true)
		wantRevoked(t, a, list[1], false)
	}
}

func approvalsAreCopied(t *testing.T, open func() port.Approvals) {
	a, id, file := open(), ids(1)[0], []byte("file")
	must(t, a.Put(t.Context(), id, file))
	clear(file)
	got, err := a.Get(t.Context(), id)
	must(t, err)
	clear(got)
	wantApproval(t, a, id, "file")
}
