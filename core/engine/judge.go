package engine

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/risk"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// judge gives the plan its tier. The rules say what they want to see; it is read
// and they judge again, until they have it or it cannot be read.
func (w *planning) judge(ctx context.Context) error {
	if err := w.findManagement(ctx); err != nil {
		return err
	}
	changes, err := w.changes(ctx)
	if err != nil {
		return err
	}
	seen := newSurroundings(w.s, w.world)
	v, err := seen.assess(ctx, changes, w.management)
	if err != nil {
		return err
	}
	w.adopt(v)
	w.notePolicyNames(seen)
	if w.s.managedCentrally(ctx) {
		w.checker.Notes = append(w.checker.Notes, "the device is managed by a FortiManager, whose next installation can overwrite local changes")
	}
	return nil
}

func (w *planning) adopt(v risk.Verdict) {
	adopt(w.ops, v)
	w.risk = plan.Risk{Tier: v.Tier, Reasons: v.Reasons}
	w.checker.Notes = append(w.checker.Notes, v.Notes...)
}

func adopt(ops []plan.Operation, v risk.Verdict) {
	for i := range ops {
		ops[i].Tier, ops[i].Rules = v.Operations[i].Tier, v.Operations[i].Rules
	}
}

// changes are the operations as the rules see them.
func (w *planning) changes(ctx context.Context) ([]risk.Change, error) {
	list := make([]risk.Change, 0, len(w.ops))
	users := map[change.Ref]*usage{}
	for i, op := range w.ops {
		m := w.images[i]
		c := changeOf(op, m.resource, m.before, m.after)
		ref := refOf(op)
		if (op.Op == plan.OpUpdate || op.Op == plan.OpDelete) && !op.Key.IsZero() {
			if users[ref] == nil {
				u, err := w.s.usage(ctx, ref)
				if err != nil {
					return nil, err
				}
				users[ref] = u
			}
			c.Users, c.UserNames = users[ref].count, users[ref].names
			w.ops[i].Users = c.Users
		}
		if keys, known := w.world.Order(ref.Table()); known && op.Op == plan.OpDelete {
			rows := len(keys) + shrunk(w.ops, ref.Table())
			c.Rows = &rows
		}
		list = append(list, c)
	}
	return list, nil
}

// shrunk is how many rows more than after the plan a table has before it.
func shrunk(ops []plan.Operation, t change.Table) int {
	n := 0
	for _, op := range ops {
		switch {
		case refOf(op).Table() != t:
		case op.Op == plan.OpDelete:
			n++
		case op.Op == plan.OpCreate:
			n--
		}
	}
	return n
}

func changeOf(op plan.Operation, r *schema.Resource, before, after map[string]any) risk.Change {
	c := risk.Change{
		Index: op.Index, Op: op.Op, Resource: op.Resource, VDOM: op.VDOM, Key: op.Key, Schema: r, Order: op.Order,
		Before: masked(r, before), After: masked(r, after), Touched: canon.Keys(op.Expect), Secrets: len(op.Secrets),
	}
	if op.Op == plan.OpAction {
		c.Irreversible = "an action cannot be undone"
		if r != nil {
			c.Call, _ = postCall(r)
		}
	}
	if len(op.Lost) > 0 {
		c.Irreversible = "the present secrets cannot be read and so cannot be restored: " + strings.Join(op.Lost, ", ")
	}
	return c
}

// masked keeps the device's secrets out of the rules and their reasons.
func masked(r *schema.Resource, object map[string]any) map[string]any {
	if r == nil || object == nil {
		return object
	}
	clean, _ := redact.Object(r.Attributes, object)
	return clean
}

// findManagement works out the path that this product's own connection takes.
func (w *planning) findManagement(ctx context.Context) error {
	id, p := w.s.identity, w.s.profile
	save, err := w.s.save(ctx)
	if err != nil {
		return err
	}
	w.management = plan.Management{
		Local: id.Local, Remote: id.Remote, Interface: p.ManagementInterface, APIUser: p.APIUser, Save: save,
	}
	if w.management.Interface != "" || !w.touchesPath() {
		return nil
	}
	remote, known := addressOf(id.Remote)
	if !known {
		return nil // the rules count as not evaluable
	}
	query := port.ListQuery{At: port.Location{Resource: "system/interface", VDOM: w.s.vdom}, Fields: append([]string{"name"}, risk.InterfaceFields()...)}
	_, err = w.s.device.List(ctx, query, func(row map[string]any) bool {
		for _, network := range risk.InterfaceAddresses(row) {
			own, _, _ := strings.Cut(strings.Replace(network, "/", " ", 1), " ")
			if addr, ok := addressOf(own); ok && addr == remote {
				w.management.Interface, _ = row["name"].(string)
				return false
			}
		}
		return true
	})
	return tolerate(err)
}

// addressOf reads an address with or without a port.
func addressOf(text string) (netip.Addr, bool) {
	if both, err := netip.ParseAddrPort(text); err == nil {
		return both.Addr().Unmap(), true
	}
	addr, err := netip.ParseAddr(text)
	return addr.Unmap(), err == nil
}

// touchesPath reports whether an operation could touch the management path, so
// that it is worth a request to find it.
func (w *planning) touchesPath() bool {
	return slices.ContainsFunc(w.ops, func(op plan.Operation) bool {
		return !strings.HasPrefix(op.Resource, "firewall/addr") && !strings.HasPrefix(op.Resource, "firewall.service/") &&
			!strings.HasPrefix(op.Resource, "firewall.schedule/")
	})
}

// tolerate drops failures that only say that something may not be seen.
func tolerate(err error) error {
	if slices.Contains([]fault.Code{fault.NotFound, fault.PermissionDenied, fault.DeviceError}, fault.CodeOf(err)) {
		return nil
	}
	return err
}

// usage is who refers to an object, by the device's own look-up; count is nil
// where the device does not tell.
type usage struct {
	count *int
	names []string
}

func (s *session) usage(ctx context.Context, ref change.Ref) (*usage, error) {
	path, name, _ := strings.Cut(ref.Resource, "/")
	v, err := s.device.Monitor(ctx, port.MonitorQuery{
		At:     port.Location{Resource: "monitor/system/object/usage", VDOM: ref.VDOM},
		Params: []wire.Pair{{Name: "q_path", Value: path}, {Name: "q_name", Value: name}, {Name: "mkey", Value: ref.Key.String()}},
	})
	if err != nil {
		return &usage{}, tolerate(err)
	}
	u := &usage{}
	object, _ := v.(map[string]any)
	list, ok := object["currently_using"].([]any)
	if !ok {
		return u, nil
	}
	n := len(list)
	u.count = &n
	for _, item := range list {
		user, _ := item.(map[string]any)
		u.names = append(u.names, strings.TrimSpace(text(user["path"])+"/"+text(user["name"])+" "+text(user["mkey"])))
	}
	return u, nil
}

func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case int64:
		return operation.IntegerKey(x).String()
	}
	return ""
}
