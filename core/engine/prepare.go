package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// prepare does what comes before the claim: the device is the planned one, nothing
// has changed, the audit log takes a record, the backup is made. Whatever fails
// here leaves the approval unused.
func (r *run) prepare(ctx context.Context) error {
	var err error
	if r.secrets, err = r.engine.reveal(ctx, r.plan.Plan); err != nil {
		return err
	}
	r.news(ctx, port.StageCheck, -1, "", "checking the device and every object of the plan")
	if r.session, err = r.engine.connect(ctx, r.profile, r.plan.Device.VDOM); err != nil {
		return err
	}
	if err := r.sameDevice(); err != nil {
		return err
	}
	if err := r.readSave(ctx); err != nil {
		return err
	}
	if err := r.sameObjects(ctx); err != nil {
		return err
	}
	if err := r.begin(ctx); err != nil {
		return err
	}
	return r.saveBackup(ctx)
}

func (r *run) sameDevice() error {
	was, is := r.plan.Device, r.session.identity
	switch {
	case was.Serial != is.Serial:
		return stale(r.plan, "serial", fmt.Sprintf("it was made for device %s and %s answers (another unit, or a cluster that failed over)", was.Serial, is.Serial)).
			With("planned", was.Serial).With("found", is.Serial)
	case was.Version != is.Version || was.Build != is.Build:
		return stale(r.plan, "version", fmt.Sprintf("the device ran %s build %d and now runs %s build %d", was.Version, was.Build, is.Version, is.Build))
	case was.Trust != r.profile.Trust || was.Host != r.profile.Host || was.Port != r.profile.Port:
		return stale(r.plan, "profile", fmt.Sprintf("profile %q names another address or trusts another certificate now", r.profile.Name))
	}
	return nil
}

// readSave notes a device on which changes do not last. It fails where the device
// does not let the token in any more, or another device answers.
func (r *run) readSave(ctx context.Context) error {
	save, err := r.session.save(ctx)
	switch save {
	case "", "automatic":
	default:
		r.notes = append(r.notes, fmt.Sprintf("the device runs with cfg-save %q: the changes are lost at a reboot, or undone, unless they are saved on the device", save))
	}
	return err
}

// save is the device's cfg-save setting, "" where the token may not see it. The error
// is one after which nothing more may be asked.
func (s *session) save(ctx context.Context) (string, error) {
	object, err := s.device.Object(ctx, port.Location{Resource: "system/global"}, noKey)
	if final(err) {
		return "", err
	}
	if err != nil {
		return "", nil //nolint:nilerr // many tokens may not see it
	}
	text, _ := object["cfg-save"].(string)
	if !slices.Contains([]string{"automatic", "manual", "revert"}, text) {
		return "", nil
	}
	return text, nil
}

// final: to ask again after this would feed a lock-out, or ask another device.
func final(err error) bool {
	code := fault.CodeOf(err)
	return code == fault.Auth || code == fault.StalePlan
}

// sameObjects compares everything that the plan touches with what was planned.
func (r *run) sameObjects(ctx context.Context) error {
	world := change.NewWorld()
	if err := r.loadTouched(ctx, world); err != nil {
		return err
	}
	for _, op := range r.plan.Operations {
		ref := refOf(op)
		object, _ := world.Object(ref)
		if found := r.differs(op, object, world); found != "" {
			return stale(r.plan, "object", fmt.Sprintf("%s %s", label(op.Resource, op.Key), found)).With("operation", op.Index)
		}
		switch op.Op { // play the orders, so that later moves are compared rightly
		case plan.OpCreate, plan.OpDelete:
			keys, known := world.Order(ref.Table())
			if known {
				world.LoadOrder(ref.Table(), played(keys, op))
			}
		case plan.OpMove:
			world.LoadOrder(ref.Table(), op.Order.After)
		case plan.OpUpdate, plan.OpAction:
		}
	}
	return nil
}

func (r *run) loadTouched(ctx context.Context, world *change.World) error {
	var refs []change.Ref
	for _, op := range r.plan.Operations {
		switch op.Op {
		case plan.OpCreate, plan.OpUpdate, plan.OpDelete:
			refs = append(refs, refOf(op))
		case plan.OpMove:
			resource, err := r.engine.ports.Catalog.Resource(op.Resource, r.session.release)
			if err != nil {
				return err
			}
			if err := r.session.loadOrder(ctx, world, resource); err != nil {
				return err
			}
		case plan.OpAction:
		}
	}
	return r.session.loadObjects(ctx, world, refs)
}

// differs says how an object differs from every state in which its operation may
// go on, or "".
func (r *run) differs(op plan.Operation, object map[string]any, world *change.World) string {
	if op.Op == plan.OpMove {
		keys, _ := world.Order(refOf(op).Table())
		if orderFits(op, keys) == orderOther {
			return "stands in another order now"
		}
		return ""
	}
	resource := r.schema(op.Resource)
	for _, pre := range op.Pre {
		if pre.After > 0 || pre.None || fits(resource, pre, object) {
			return ""
		}
	}
	switch {
	case object == nil:
		return "is gone"
	case op.Op == plan.OpCreate:
		return "exists now"
	}
	return "was changed since"
}

func (r *run) schema(path string) *schema.Resource {
	resource, err := r.engine.ports.Catalog.Resource(path, r.session.release)
	if err != nil {
		return nil
	}
	return resource
}

// begin writes the record without which nothing is sent.
func (r *run) begin(ctx context.Context) error {
	entry := r.engine.entry(r.caller, audit.ApplyBegin, r.plan)
	entry.Mode, entry.Ops, entry.Approval = r.profile.Mode, auditOps(r.plan.Plan, nil), r.approvalRef()
	if _, err := r.engine.ports.Audit.Append(ctx, entry); err != nil {
		return fault.Wrap(err, fault.Config, "the audit log cannot be written (%s); nothing was sent and the plan can still be applied; %s", fault.From(err).Message, r.engine.mendState())
	}
	r.begun = true
	return nil
}

func (r *run) approvalRef() *audit.ApprovalRef {
	a := r.consent.Approval
	if a == nil || len(a.Grants) == 0 {
		return nil
	}
	g := a.Grants[0]
	return &audit.ApprovalRef{Method: string(g.Method), Approver: approverName(g.Approver), File: canon.Sum(r.file)}
}

func approverName(a approval.Approver) string {
	if a.Key != "" {
		return a.Key
	}
	return a.User + "@" + a.Host
}

// saveBackup keeps the device's configuration before a critical plan.
func (r *run) saveBackup(ctx context.Context) error {
	if !r.plan.IsCritical() {
		return nil
	}
	if r.profile.NoBackup {
		r.notes = append(r.notes, "no backup was made: the profile sets backup_before_critical to false")
		return nil
	}
	r.news(ctx, port.StageBackup, -1, "", "saving a backup of the configuration")
	b, err := r.session.backup(ctx, r.plan.ID)
	if err != nil {
		return fault.Wrap(err, fault.PolicyDenied, "no backup could be made before this critical plan (%s), so nothing was sent and the plan can still be applied; try forti backup save%s, or the operator does without (backup_before_critical)", fault.From(err).Message, r.engine.options.CommandSuffix).
			With("reason", "backup")
	}
	r.backup = &b
	return nil
}
