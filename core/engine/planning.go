package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// planning works a request out: it checks the values, reads what the operations
// touch, runs them over a copy of it and writes down the requests.
type planning struct {
	s *session
	// intentions are nil where the form of an operation is wrong.
	intentions []operation.Operation
	// known are the operations' resources; resources those that take their operation.
	known, resources []*schema.Resource
	// updates are the intentions of that kind by their place.
	updates map[string]operation.Update
	// at is the operation at hand, failed those with a mistake, and missed what creates
	// among those would have made.
	at      int
	failed  map[int]bool
	missed  map[change.Ref]bool
	checker change.Checker
	// codes are the fault codes of problems that are not the caller's words.
	codes      []fault.Code
	world      *change.World
	ops        []plan.Operation
	created    map[int]operation.Key
	secrets    secretFile
	management plan.Management
	risk       plan.Risk
	// images are each operation's object before and after it.
	images []image
}

type image struct {
	resource      *schema.Resource
	before, after map[string]any
}

func newPlanning(s *session, intentions []operation.Operation) *planning {
	w := &planning{
		s: s, intentions: intentions, world: change.NewWorld(), created: map[int]operation.Key{},
		failed: map[int]bool{}, missed: map[change.Ref]bool{}, updates: map[string]operation.Update{},
	}
	for _, in := range intentions {
		if u, ok := in.(operation.Update); ok {
			w.updates[u.Pointer] = u
		}
	}
	w.known = make([]*schema.Resource, len(intentions))
	w.resources = make([]*schema.Resource, len(intentions))
	w.checker.Unknown = s.unknownAttribute
	w.checker.KeyOf = w.keyOf
	return w
}

// unknownAttribute says which releases have an attribute that this one lacks.
func (s *session) unknownAttribute(r *schema.Resource, path string) string {
	all, err := s.engine.ports.Catalog.Resource(r.Path, schema.Version{})
	if err != nil {
		return ""
	}
	if a, ok := all.Find(path); ok {
		return fmt.Sprintf("exists in releases %s, this device runs %s", orAll(a.Releases), s.identity.Version)
	}
	return ""
}

func orAll(releases string) string {
	if releases == "" {
		return "other than this one"
	}
	return releases
}

// work goes on after a mistake with what does not depend on it, so that one answer names
// every mistake.
func (w *planning) work(ctx context.Context) error {
	w.resolve()
	if err := w.load(ctx); err != nil {
		return err
	}
	for i, in := range w.intentions {
		if err := w.draftNext(i, in); err != nil {
			return err
		}
	}
	if err := w.namedSecrets(ctx); err != nil {
		return err
	}
	if err := w.references(ctx); err != nil {
		return err
	}
	return w.failure()
}

// draftNext drafts an operation, or checks its values where more cannot be done with it.
// What a failed operation would have made counts as there: that others use it is no
// mistake of theirs.
func (w *planning) draftNext(i int, in operation.Operation) error {
	w.at = i
	r, before := w.resources[i], len(w.checker.Problems)
	switch {
	case in == nil || w.known[i] == nil:
	case r == nil:
		w.checkWords(w.known[i], in)
	default:
		if err := w.draft(i, in); err != nil {
			return err
		}
		if len(w.checker.Problems) == before {
			return nil
		}
	}
	w.failed[i] = true
	create, isCreate := in.(operation.Create)
	if !isCreate || w.known[i] == nil {
		return nil
	}
	if key, ok := givenKey(w.known[i], create.Object); ok {
		ref := w.s.ref(w.known[i])
		ref.Key = key
		w.missed[ref] = true
	}
	return nil
}

// checkWords checks the values of an operation.
func (w *planning) checkWords(r *schema.Resource, in operation.Operation) {
	switch o := in.(type) {
	case operation.Create:
		w.checker.Object(r, o.Object, o.Pointer+"/object")
	case operation.Update:
		w.checker.Object(r, o.Set, o.Pointer+"/set")
	case operation.Delete, operation.Action:
	}
}

// keyOf is the key of an earlier create.
func (w *planning) keyOf(op int) (operation.Key, bool) {
	if k, ok := w.created[op]; ok {
		return k, true
	}
	if op < 0 || op >= w.at || !w.failed[op] {
		return operation.Key{}, false
	}
	_, isCreate := w.intentions[op].(operation.Create)
	return operation.IntegerKey(1), isCreate || w.intentions[op] == nil
}

// failure is the collected problems as one error. Its code is the problems' own
// where all agree on one, else usage.
func (w *planning) failure() error {
	w.checker.Problems.Sort()
	err := w.checker.Problems.Err()
	if err == nil {
		return nil
	}
	var f *fault.Error
	if errors.As(err, &f) && len(w.codes) == len(w.checker.Problems) {
		if code := w.codes[0]; !slices.ContainsFunc(w.codes, func(c fault.Code) bool { return c != code }) {
			f.Code = code
		}
	}
	return err
}

// object reports a problem of the device's state rather than of the words.
func (w *planning) object(code fault.Code, at, format string, args ...any) {
	w.checker.Problem(at, format, args...)
	w.codes = append(w.codes, code)
}

// resolve finds each operation's resource and checks that it takes the operation.
func (w *planning) resolve() {
	for i, in := range w.intentions {
		if in == nil {
			continue
		}
		r, err := w.s.resource(in.Path())
		if err != nil {
			f := fault.From(err)
			w.object(f.Code, in.Source()+"/resource", "%s", withNearest(f))
			continue
		}
		field, problem := takes(r, in)
		if field != "resource" {
			w.known[i] = r
		}
		if problem == "" {
			field, problem = badKey(in)
		}
		if problem != "" {
			w.checker.Problem(in.Source()+"/"+field, "%s", problem)
			continue
		}
		w.resources[i] = r
	}
}

// withNearest is an error's message with the paths that may have been meant, which
// are lost with its details where several problems become one error.
func withNearest(f *fault.Error) string {
	near, _ := f.Details["nearest"].([]string)
	if len(near) == 0 || strings.Contains(f.Message, near[0]) {
		return f.Message
	}
	return f.Message + ": " + strings.Join(near, ", ")
}

// takes says which field of an operation its resource does not take, and why; the
// problem is "" where it takes them all.
func takes(r *schema.Resource, in operation.Operation) (field, problem string) {
	_, action := in.(operation.Action)
	switch {
	case action && r.Kind != schema.Monitor:
		return "resource", r.Path + " is not a monitor endpoint; actions are for those"
	case !action && r.Kind == schema.Monitor:
		return "resource", r.Path + " is a monitor endpoint; use op \"action\""
	case !action && r.ReadOnly:
		return "resource", r.Path + " is read-only"
	}
	switch o := in.(type) {
	case operation.Create, operation.Delete:
		if r.Kind != schema.Table {
			return "resource", fmt.Sprintf("%s is a %s; create and delete are for tables", r.Path, r.Kind)
		}
	case operation.Update:
		return takesUpdate(r, o)
	case operation.Action:
	}
	return "", ""
}

// badKey finds a key that no request may carry. Decoding refuses such keys; a request
// that code filled in is held to the same.
func badKey(in operation.Operation) (field, problem string) {
	var key operation.Key
	var to *operation.Position
	switch o := in.(type) {
	case operation.Create:
		to = o.Position
	case operation.Update:
		key, to = o.Key, o.Position
	case operation.Delete:
		if key = o.Key; key.IsZero() {
			return "key", "is required"
		}
	case operation.Action:
	}
	if !key.IsZero() {
		if err := key.Check(); err != nil {
			return "key", err.Error()
		}
	}
	if to != nil {
		if err := to.Anchor.Check(); err != nil {
			return "position", err.Error()
		}
	}
	return "", ""
}

func takesUpdate(r *schema.Resource, o operation.Update) (field, problem string) {
	switch {
	case r.Kind == schema.Table && o.Key.IsZero():
		return "key", fmt.Sprintf("%s is a table: key is required for \"update\"", r.Path)
	case r.Kind == schema.Singleton && !o.Key.IsZero():
		return "key", r.Path + " is a singleton: it has no key"
	case o.Position != nil && !r.Ordered:
		return "position", r.Path + " is not an ordered table"
	}
	return "", ""
}

// load reads what the operations touch, in batches.
func (w *planning) load(ctx context.Context) error {
	var refs []change.Ref
	for i, in := range w.intentions {
		r := w.resources[i]
		if r == nil || r.Kind == schema.Monitor {
			continue
		}
		ref := w.s.ref(r)
		switch o := in.(type) {
		case operation.Create:
			key, ok := givenKey(r, o.Object)
			if ok {
				ref.Key = key
				refs = append(refs, ref)
			}
			if err := w.loadOrderFor(ctx, r, !ok || o.Position != nil); err != nil {
				return err
			}
		case operation.Update:
			ref.Key = o.Key.As(r.IntegerKey())
			refs = append(refs, ref)
			if err := w.loadOrderFor(ctx, r, o.Position != nil); err != nil {
				return err
			}
		case operation.Delete:
			ref.Key = o.Key.As(r.IntegerKey())
			refs = append(refs, ref)
			if err := w.loadOrderFor(ctx, r, true); err != nil {
				return err
			}
		case operation.Action:
		}
	}
	return w.s.loadObjects(ctx, w.world, refs)
}

func (w *planning) loadOrderFor(ctx context.Context, r *schema.Resource, needed bool) error {
	if !needed || r.Kind != schema.Table {
		return nil
	}
	return w.s.loadOrder(ctx, w.world, r)
}

// givenKey is the key that stands inside a new object; an integer key of 0 means
// that none is given.
func givenKey(r *schema.Resource, object map[string]any) (operation.Key, bool) {
	key, err := operation.KeyOf(object[r.Key])
	if err != nil {
		return operation.Key{}, false
	}
	key = key.As(r.IntegerKey())
	if key.IsInteger() && key.Value() == int64(0) {
		return operation.Key{}, false
	}
	return key, true
}

func (w *planning) target() plan.Target {
	id, p := w.s.identity, w.s.profile
	return plan.Target{
		Profile: p.Name, Host: p.Host, Port: p.Port, VDOM: w.s.vdom, Serial: id.Serial, Version: id.Version,
		Build: id.Build, Model: id.Model, Trust: p.Trust,
	}
}

func (w *planning) allNotes() []string {
	notes := slices.Clone(w.checker.Notes)
	for _, op := range w.ops {
		if op.VDOM == "" && op.Op != plan.OpAction {
			notes = append(notes, fmt.Sprintf("%s is global: the change is not limited to VDOM %q", op.Resource, w.s.vdom))
			break
		}
	}
	switch w.management.Save {
	case "", "automatic":
	default:
		notes = append(notes, fmt.Sprintf("the device runs with cfg-save %q: changes are lost at a reboot, or undone, unless they are saved on the device", w.management.Save))
	}
	return notes
}

// modeNotes say what a mode means for a plan that waits. They are not stored: the operator
// may change the mode, and a plan that was approved or applied waits no more.
func modeNotes(m profile.Mode) []string {
	switch m {
	case profile.Guarded:
		return []string{"guarded mode: a human must approve this plan in a terminal before it can be applied"}
	case profile.ReadOnly:
		return []string{"read_only mode: this plan can be reviewed but not applied"}
	case profile.Autonomous:
	}
	return nil
}

func label(r string, key operation.Key) string {
	if key.IsZero() {
		return r
	}
	return strings.TrimSpace(r + " " + key.String())
}
