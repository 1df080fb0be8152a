package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/plan/planfile"
	"github.com/forti-mcp/forti/core/risk"
	"github.com/forti-mcp/forti/core/schema"
)

// draft turns one intention into stored operations and plays them on the world.
func (w *planning) draft(i int, in operation.Operation) error {
	r := w.resources[i]
	switch o := in.(type) {
	case operation.Create:
		return w.draftCreate(i, r, o)
	case operation.Update:
		return w.draftUpdate(r, o)
	case operation.Delete:
		return w.draftDelete(r, o)
	case operation.Action:
		return w.draftAction(r, o)
	}
	return fault.New(fault.Internal, "an operation of an unknown kind was planned")
}

func (w *planning) draftCreate(i int, r *schema.Resource, o operation.Create) error {
	at := o.Pointer + "/object"
	object := w.checker.Object(r, o.Object, at)
	ref := w.s.ref(r)
	key, ok := w.newKey(r, o.Object, object, at)
	if !ok {
		return nil
	}
	object[r.Key] = key.Value()
	ref.Key = key
	w.created[i] = key
	if w.exists(ref) {
		w.object(fault.Conflict, at+fault.Pointer(r.Key), "%s exists already; use update, or another key", label(r.Path, key))
		return nil
	}
	if err := w.add(r, plan.Operation{Op: plan.OpCreate, Source: o.Pointer, Key: key, Expect: object}); err != nil {
		return err
	}
	if o.Position == nil {
		return nil
	}
	return w.draftMove(r, o.Pointer, key, *o.Position)
}

// newKey is the key of a new row: the given one as it was checked, or a free number.
// ok is false where a problem was reported.
func (w *planning) newKey(r *schema.Resource, given, checked map[string]any, at string) (key operation.Key, ok bool) {
	if key, ok = givenKey(r, checked); ok {
		return key, true
	}
	v, sound := checked[r.Key]
	_, err := operation.KeyOf(v)
	switch {
	case sound && err != nil:
		w.checker.Problem(at+fault.Pointer(r.Key), "%s", err.Error())
		return key, false
	case !sound && given[r.Key] != nil:
		return key, false // the checker has said why
	case !r.IntegerKey():
		w.checker.Problem(at+fault.Pointer(r.Key), "the key attribute %q is required", r.Key)
		return key, false
	}
	key = w.world.FreeKey(w.s.ref(r).Table())
	w.checker.Note(at, "key %s was chosen for the new row of %s", key, r.Path)
	return key, true
}

// exists: the row was read or written, or stands in its table's order.
func (w *planning) exists(ref change.Ref) bool {
	if object, known := w.world.Object(ref); known {
		return object != nil
	}
	keys, _ := w.world.Order(ref.Table())
	return slices.Contains(keys, ref.Key)
}

func (w *planning) draftUpdate(r *schema.Resource, o operation.Update) error {
	ref := w.s.ref(r)
	ref.Key = o.Key.As(r.IntegerKey())
	current, _ := w.world.Object(ref)
	if current == nil {
		w.absent(r, ref, o.Pointer)
		w.checkWords(r, o)
		return nil
	}
	touched := w.touched(r, o, current)
	for _, name := range canon.Keys(touched) {
		if compare.Unchanged(r.Attributes, map[string]any{name: touched[name]}, current) {
			delete(touched, name)
			w.checker.Note(o.Pointer, "%s of %s has the wanted value already", name, label(r.Path, ref.Key))
		}
	}
	if len(touched) > 0 {
		if err := w.add(r, plan.Operation{Op: plan.OpUpdate, Source: o.Pointer, Key: ref.Key, Expect: touched}); err != nil {
			return err
		}
	}
	if o.Position == nil {
		return nil
	}
	return w.draftMove(r, o.Pointer, ref.Key, *o.Position)
}

// absent reports that there is no such object, unless a create failed that would have
// made it.
func (w *planning) absent(r *schema.Resource, ref change.Ref, source string) {
	if !w.missed[ref] {
		w.object(fault.NotFound, source+"/key", "there is no %s", label(r.Path, ref.Key))
	}
}

// touched are the attributes that an update writes, with their new values.
func (w *planning) touched(r *schema.Resource, o operation.Update, current map[string]any) map[string]any {
	if _, renames := o.Set[r.Key]; renames && r.Key != "" {
		w.checker.Problem(o.Pointer+fault.Pointer("set", r.Key), "is the key; a row cannot be renamed, create another and delete this one")
		return nil
	}
	touched := w.checker.Object(r, o.Set, o.Pointer+"/set")
	w.noteReplaced(r, o, current)
	w.cleared(r, o, touched)
	w.edited(r, o, current, touched)
	return touched
}

// cleared adds the attributes that go back to their default.
func (w *planning) cleared(r *schema.Resource, o operation.Update, touched map[string]any) {
	for i, name := range o.Clear {
		at := o.Pointer + fault.Pointer("clear", i)
		a, known := w.checker.Attribute(r, name, at)
		switch {
		case !known:
			continue
		case name == r.Key:
			w.checker.Problem(at, "%s is the key; a row cannot be renamed", name)
			continue
		case a.ReadOnly:
			w.checker.Problem(at, "%s is read-only on the device", name)
			continue
		}
		v, why := change.Default(a)
		if why != "" {
			w.checker.Problem(at, "%s %s", name, why)
			continue
		}
		touched[name] = v
	}
}

// edited adds the lists that entries are added to or removed from.
func (w *planning) edited(r *schema.Resource, o operation.Update, current, touched map[string]any) {
	for _, name := range listNames(o) {
		at := [2]string{o.Pointer + fault.Pointer("add", name), o.Pointer + fault.Pointer("remove", name)}
		first := at[0]
		if _, adds := o.Add[name]; !adds {
			first = at[1]
		}
		a, known := w.checker.Attribute(r, name, first)
		switch {
		case !known:
		case a.ReadOnly:
			w.checker.Problem(first, "is read-only on the device")
		default:
			touched[name] = w.checker.Edit(r, a, current[name], o.Add[name], o.Remove[name], at)
		}
	}
}

func listNames(o operation.Update) []string {
	names := slices.Collect(maps.Keys(o.Add))
	for name := range o.Remove {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// noteReplaced says which rows a list given in set would remove.
func (w *planning) noteReplaced(r *schema.Resource, o operation.Update, current map[string]any) {
	for _, name := range canon.Keys(o.Set) {
		a, ok := r.Attribute(name)
		if !ok || !a.IsTable() {
			continue
		}
		if gone := change.Removed(a, current[name], o.Set[name]); len(gone) > 0 {
			w.checker.Note(o.Pointer+fault.Pointer("set", name), "the list is replaced: %s removed; use add to keep them", gone)
		}
	}
}

func (w *planning) draftDelete(r *schema.Resource, o operation.Delete) error {
	ref := w.s.ref(r)
	ref.Key = o.Key.As(r.IntegerKey())
	if current, _ := w.world.Object(ref); current == nil {
		w.absent(r, ref, o.Pointer)
		return nil
	}
	op := plan.Operation{Op: plan.OpDelete, Source: o.Pointer, Key: ref.Key}
	if keys, known := w.world.Order(ref.Table()); known && r.Ordered {
		op.Order = &plan.Order{Before: keys, After: played(keys, op)}
	}
	return w.add(r, op)
}

func (w *planning) draftMove(r *schema.Resource, source string, key operation.Key, to operation.Position) error {
	at := source + "/position"
	if !r.Ordered {
		w.checker.Problem(at, "%s is not an ordered table", r.Path)
		return nil
	}
	to.Anchor = to.Anchor.As(r.IntegerKey())
	ref := w.s.ref(r)
	before, _ := w.world.Order(ref.Table())
	after, ok := change.Reorder(before, key, to)
	if !ok {
		w.object(fault.NotFound, at, "there is no %s to stand %s", label(r.Path, to.Anchor), to.Where())
		return nil
	}
	if slices.Equal(before, after) {
		w.checker.Note(at, "%s stands there already", label(r.Path, key))
		return nil
	}
	return w.add(r, plan.Operation{
		Op: plan.OpMove, Source: source, Key: key, Order: &plan.Order{Position: to, Before: before, After: after},
	})
}

func (w *planning) draftAction(r *schema.Resource, o operation.Action) error {
	call, problem := postCall(r)
	if problem != "" {
		w.checker.Problem(o.Pointer+"/resource", "%s", problem)
		return nil
	}
	if call.Reveals || call.Class == "file" {
		w.object(fault.PolicyDenied, o.Pointer+"/resource", "%s hands out secrets or files and is never called", r.Path)
		return nil
	}
	family, refused := risk.Refused(r.Path)
	if refused && !slices.Contains(w.s.profile.AllowActions, r.Path) {
		w.object(fault.PolicyDenied, o.Pointer+"/resource", "actions of the family %q are refused; the operator may allow %s in the profile", family, r.Path)
		return nil
	}
	params := w.checker.Params(call, o.Params, o.Pointer+"/params")
	return w.add(r, plan.Operation{Op: plan.OpAction, Source: o.Pointer, Expect: params})
}

// postCall is the POST call that a path names. The path of a call with an action
// is the endpoint's path and the action.
func postCall(r *schema.Resource) (*schema.Call, string) {
	var others []string
	for i := range r.Calls {
		c := &r.Calls[i]
		switch {
		case c.Method != "POST":
		case c.Action == "" || strings.HasSuffix(r.Path, "/"+c.Action):
			return c, ""
		default:
			others = append(others, r.Path+"/"+c.Action)
		}
	}
	if len(others) > 0 {
		return nil, r.Path + " takes no POST of its own; its actions are " + strings.Join(others, ", ")
	}
	return nil, r.Path + " takes no POST, so it is not an action; read it with forti_read"
}

// add completes an operation and plays it on the world.
func (w *planning) add(r *schema.Resource, op plan.Operation) error {
	ref := w.s.ref(r)
	ref.Key = op.Key
	op.Index, op.Resource, op.VDOM = len(w.ops), r.Path, ref.VDOM
	if op.Op == plan.OpAction {
		op.VDOM = w.s.vdom
	}
	current, _ := w.world.Object(ref)
	if op.Op != plan.OpAction && op.Op != plan.OpMove && current != nil {
		op.Before = compare.Image(r, current)
	}
	op.Lost = lost(r, op, current)
	pre, err := w.precondition(ref, op)
	if err != nil {
		return err
	}
	op.Pre = []plan.Precondition{pre}
	if op.Expect, op.Secrets, err = w.secrets.extract(r, op.Expect, w.s.engine.ports.Random); err != nil {
		return err
	}
	if op.Op == plan.OpCreate || op.Op == plan.OpUpdate || op.Op == plan.OpAction {
		op.Wire.Body = op.Expect
	}
	if op.Wire, err = planfile.Build(op); err != nil {
		w.checker.Problem(op.Source, "%s", err.Error())
		return nil
	}
	w.play(ref, op, current)
	after, _ := w.world.Object(ref)
	if op.Op == plan.OpAction {
		after = op.Expect
	}
	w.ops = append(w.ops, op)
	w.images = append(w.images, image{resource: r, before: current, after: after})
	return nil
}

// play notes what the operation leaves behind; secrets are references there.
func (w *planning) play(ref change.Ref, op plan.Operation, current map[string]any) {
	switch op.Op {
	case plan.OpCreate:
		w.world.Write(ref, op.Expect, op.Index)
	case plan.OpUpdate:
		w.world.Write(ref, change.With(current, op.Expect), op.Index)
	case plan.OpDelete:
		w.world.Write(ref, nil, op.Index)
	case plan.OpMove:
		w.world.Move(ref.Table(), op.Order.After)
	case plan.OpAction:
	}
}

// precondition is the state in which the operation may go on.
func (w *planning) precondition(ref change.Ref, op plan.Operation) (plan.Precondition, error) {
	pre := plan.Precondition{Then: plan.Send}
	switch {
	case op.Op == plan.OpAction || op.Op == plan.OpMove:
		pre.None = true
	case w.world.Touched(ref) >= 0:
		pre.After = w.world.Touched(ref) + 1
	case op.Before == nil:
		pre.Absent = true
	default:
		digest, err := canon.SumOf(op.Before)
		if err != nil {
			return pre, fault.Wrap(err, fault.DeviceError, "%s holds a value that cannot be compared exactly", label(op.Resource, op.Key))
		}
		pre.Object = digest
	}
	return pre, nil
}

// lost names the secret attributes whose present values a rollback cannot restore.
func lost(r *schema.Resource, op plan.Operation, current map[string]any) []string {
	var names []string
	for i := range r.Attributes {
		a := &r.Attributes[i]
		if !a.SecretSet(current[a.Name]) {
			continue
		}
		if _, written := op.Expect[a.Name]; op.Op == plan.OpDelete || op.Op == plan.OpUpdate && written {
			names = append(names, a.Name)
		}
	}
	return names
}
