package filestate

import (
	"context"
	"errors"
	"io/fs"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Approvals keeps consent as approvals/<id>.json. A file <id>.revoked beside it
// withdraws the plan for good.
type Approvals struct{ store *Store }

var _ port.Approvals = (*Approvals)(nil)

func approvalFile(id plan.ID) string { return approvalsDir + "/" + id.String() + ".json" }
func revokedFile(id plan.ID) string  { return approvalsDir + "/" + id.String() + ".revoked" }

// Put stores or replaces an approval.
func (a *Approvals) Put(ctx context.Context, id plan.ID, file []byte) error {
	return a.store.put(ctx, approvalsDir, approvalFile(id), file)
}

// Get gives the approval.
func (a *Approvals) Get(ctx context.Context, id plan.ID) ([]byte, error) {
	return a.store.get(ctx, approvalsDir, approvalFile(id), "plan %s has no approval", id)
}

// Revoke leaves the mark; leaving it twice is as good as once.
func (a *Approvals) Revoke(ctx context.Context, id plan.ID) error {
	v, err := a.store.in(ctx, approvalsDir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	err = v.create(revokedFile(id), nil)
	if errors.Is(err, fs.ErrExist) {
		// Whoever left it may have died before it was durable.
		if err = v.tree.Settle(approvalsDir); err != nil {
			err = trouble(err, "write", v.path(revokedFile(id)))
		}
	}
	return err
}

// Revoked reports whether the mark exists. Anything in its place counts: what
// cannot be understood does not permit.
func (a *Approvals) Revoked(ctx context.Context, id plan.ID) (bool, error) {
	v, err := a.store.in(ctx, approvalsDir, reading)
	if errors.Is(err, errAbsent) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer v.leave()
	_, err = v.tree.Lstat(revokedFile(id))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, trouble(err, "look at", v.path(revokedFile(id)))
	}
	return true, nil
}
