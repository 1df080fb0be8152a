package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

const monitorPrefix = "monitor/"

// Read reads configuration or monitor data. Data is the device's own JSON with
// secrets masked: an object for one row and for singletons, a list for tables.
func (e *Engine) Read(ctx context.Context, _ Caller, r request.Read) (Found, error) {
	if err := e.decoder.Check(&r); err != nil {
		return Found{}, err
	}
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return Found{}, err
	}
	r.Resource = e.withoutSelect(r.Resource)
	if err := allowed(p, r.Resource); err != nil {
		return Found{}, err
	}
	if strings.HasPrefix(r.Resource, monitorPrefix) {
		return e.readMonitor(ctx, p.Name, r)
	}
	// What the catalog does not know at all needs no request.
	if _, err := e.ports.Catalog.Resource(r.Resource, schema.Version{}); err != nil {
		return Found{}, err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return Found{}, err
	}
	defer s.close()
	resource, err := s.resource(r.Resource)
	if err != nil {
		return Found{}, err
	}
	q, notes, err := query(s, resource, r)
	if err != nil {
		return Found{}, err
	}
	var found Found
	if resource.Kind == schema.Singleton || !r.Key.IsZero() {
		found, err = s.readOne(ctx, resource, r)
	} else {
		found, err = s.readRows(ctx, resource, q)
		if err == nil {
			found.Meta.Notes = append(found.Meta.Notes, notes...)
		}
	}
	return found, s.explain(ctx, r.VDOM, err)
}

// query checks a read of configuration and turns it into a listing. The notes
// say what was assumed.
func query(s *session, r *schema.Resource, in request.Read) (q port.ListQuery, notes []string, err error) {
	var problems fault.Problems
	one := r.Kind == schema.Singleton || !in.Key.IsZero()
	for name, given := range map[string]bool{"filter": len(in.Filter) > 0, "start": in.Start > 0, "count": in.Count > 0} {
		if given && one {
			problems.Add("/"+name, "belongs to listings of a table")
		}
	}
	if len(in.Params) > 0 {
		problems.Add("/params", "belongs to monitor endpoints; use filter and fields here")
	}
	switch {
	case in.Key.IsZero():
	case r.Kind == schema.Singleton:
		problems.Add("/key", r.Path+" is a singleton: it has no key")
	case in.Key.Check() != nil:
		problems.Add("/key", in.Key.Check().Error())
	}
	for i, name := range in.Fields {
		if _, ok := r.Attribute(name); !ok {
			problems.Add(fault.Pointer("fields", i), unknownField(r, name))
		}
	}
	q = port.ListQuery{At: port.Location{Resource: r.Path, VDOM: s.vdomFor(r)}, Fields: in.Fields, Start: in.Start, Count: in.Count}
	if q.Count == 0 {
		q.Count = request.DefaultCount
	}
	whole := r
	if len(in.Filter) > 0 {
		whole = s.whole(r)
	}
	for i, text := range in.Filter {
		clause, assumed, problem := parseFilter(r, text)
		if problem == "" {
			problem = guesses(whole, clause)
		}
		if problem != "" {
			problems.Add(fault.Pointer("filter", i), problem)
			continue
		}
		q.Filter = append(q.Filter, clause)
		notes = append(notes, assumed...)
	}
	slices.SortFunc(problems, func(a, b fault.Problem) int { return strings.Compare(a.Pointer, b.Pointer) })
	return q, notes, problems.Err()
}

// unknownField names the nearest attribute, in nested rows where the name leads there.
func unknownField(r *schema.Resource, name string) string {
	text := fmt.Sprintf("%s has no attribute %q", r.Path, name)
	if near := nearestAttribute(r.Attributes, name); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

func nearestAttribute(attributes []schema.Attribute, text string) string {
	names := make([]string, 0, len(attributes))
	for i := range attributes {
		a := &attributes[i]
		if rest, below := inRows(a, text); below {
			if near := nearestAttribute(a.Attributes, rest); near != "" {
				return strings.TrimSuffix(text, rest) + near
			}
			return ""
		}
		names = append(names, a.Name)
	}
	return change.Nearest(text, names)
}

func (s *session) readOne(ctx context.Context, r *schema.Resource, in request.Read) (Found, error) {
	key := in.Key
	if !key.IsZero() {
		key = key.As(r.IntegerKey())
	}
	text, err := s.device.Row(ctx, port.Location{Resource: r.Path, VDOM: s.vdomFor(r)}, key)
	if fault.CodeOf(err) == fault.NotFound {
		return Found{}, fault.Wrap(err, fault.NotFound, "there is no %s in VDOM %q", redact.Line(label(r.Path, key), 200), s.vdom)
	}
	if err != nil {
		return Found{}, err
	}
	masked, err := redact.For(s.whole(r).Attributes).JSON(text, in.Fields)
	if err != nil {
		return Found{}, notAnObject(err, r)
	}
	meta := s.meta(r.Path)
	if note := notThere(leftOut(r, in.Fields, masked.Names)); note != "" {
		meta.Notes = append(meta.Notes, note)
	}
	named := newMaskedPlaces(s.budget())
	named.addAll(masked.Pointers)
	named.tell(meta)
	if room, err := roomIn(meta, s.budget()); err != nil || len(masked.Text) <= room {
		return Found{Data: json.RawMessage(masked.Text), Meta: meta}, err
	}
	object, err := canon.DecodeLoose(masked.Text)
	if err != nil {
		return Found{}, err
	}
	return cutObject(object, meta, s.budget(), "name the attributes that are needed in fields")
}

func notAnObject(err error, r *schema.Resource) error {
	return fault.Wrap(err, fault.NotFortiOS, "the device answered for %s with something that is not an object in valid JSON", r.Path)
}

// pick keeps the named attributes; all where none is named.
func pick(object map[string]any, fields []string) map[string]any {
	if len(fields) == 0 {
		return object
	}
	kept := map[string]any{}
	for _, name := range fields {
		if v, ok := object[name]; ok {
			kept[name] = v
		}
	}
	return kept
}

// readMonitor reads a monitor endpoint. Endpoints outside the catalog are read
// untyped; what hands out secrets or files is refused.
func (e *Engine) readMonitor(ctx context.Context, profileName string, r request.Read) (Found, error) {
	var problems fault.Problems
	for name, given := range map[string]bool{
		"key": !r.Key.IsZero(), "fields": len(r.Fields) > 0, "filter": len(r.Filter) > 0, "start": r.Start > 0, "count": r.Count > 0,
	} {
		if given {
			problems.Add("/"+name, "belongs to configuration; monitor endpoints take params")
		}
	}
	slices.SortFunc(problems, func(a, b fault.Problem) int { return strings.Compare(a.Pointer, b.Pointer) })
	if err := e.plainPath(r.Resource); err != nil {
		return Found{}, err
	}
	resource, err := e.ports.Catalog.Resource(r.Resource, schema.Version{})
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return Found{}, err
	}
	if resource == nil {
		if err := e.untyped(r.Resource); err != nil {
			return Found{}, err
		}
	}
	params, secretNames, err := e.monitorCall(resource, r, &problems)
	if err != nil {
		return Found{}, err
	}
	if err := problems.Err(); err != nil {
		return Found{}, err
	}
	p, err := e.profile(ctx, profileName)
	if err != nil {
		return Found{}, err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return Found{}, err
	}
	defer s.close()
	data, err := s.device.Monitor(ctx, port.MonitorQuery{At: port.Location{Resource: r.Resource, VDOM: s.vdom}, Params: params})
	if err != nil {
		return Found{}, s.explain(ctx, r.VDOM, err)
	}
	masked, pointers := redact.Untyped(data, secretNames)
	meta := s.meta(r.Resource)
	if resource == nil {
		meta.Notes = append(meta.Notes, "this endpoint is not in the catalog; it was read untyped")
	}
	return fitObject(masked, pointers, meta, s.budget(), "narrow it with params")
}

// withoutSelect drops the action "select" from a path: FortiOS takes it for no action
// at all, so it must not be another name for what is refused.
func (e *Engine) withoutSelect(path string) string {
	base, selects := strings.CutSuffix(path, "/select")
	if !selects {
		return path
	}
	if _, err := e.ports.Catalog.Resource(base, schema.Version{}); err != nil {
		return path
	}
	return e.withoutSelect(base)
}

// untyped refuses a path that the catalog does not know where it lies below an
// endpoint that hands out secrets or files.
func (e *Engine) untyped(path string) error {
	for at := strings.LastIndex(path, "/"); at > 0; at = strings.LastIndex(path[:at], "/") {
		above, err := e.ports.Catalog.Resource(strings.ToLower(path[:at]), schema.Version{})
		if err != nil || above.Kind != schema.Monitor {
			continue
		}
		for _, c := range above.Calls {
			if c.Reveals || c.Class == "file" {
				return fault.New(fault.PolicyDenied, "%s hands out secrets or files, and %s is not known to be anything else; it is not read", above.Path, path).With("reason", "reveals")
			}
		}
	}
	return nil
}

// plainPath refuses a path that a device could take for another one that the catalog
// knows, and so get around what is refused there: dot segments, escapes, empty
// segments, and another case.
func (e *Engine) plainPath(path string) error {
	for segment := range strings.SplitSeq(path, "/") {
		if !monitorSegment().MatchString(segment) || strings.Trim(segment, ".") == "" {
			return problem("/resource", "is not a path such as monitor/system/status")
		}
	}
	lower := strings.ToLower(path)
	if lower == path {
		return nil
	}
	if _, err := e.ports.Catalog.Resource(lower, schema.Version{}); err != nil {
		return nil //nolint:nilerr // nothing is known by that name
	}
	return problem("/resource", "is written "+lower)
}

var monitorSegment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._+-]{1,128}$`) })
