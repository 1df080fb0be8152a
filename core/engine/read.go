package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
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
	q, err := query(s, resource, r)
	if err != nil {
		return Found{}, err
	}
	if resource.Kind == schema.Singleton || !r.Key.IsZero() {
		return s.readOne(ctx, resource, r)
	}
	return s.readRows(ctx, resource, q)
}

// query checks a read of configuration and turns it into a listing.
func query(s *session, r *schema.Resource, in request.Read) (port.ListQuery, error) {
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
	if r.Kind == schema.Singleton && !in.Key.IsZero() {
		problems.Add("/key", r.Path+" is a singleton: it has no key")
	}
	for i, name := range in.Fields {
		if _, ok := r.Attribute(name); !ok {
			problems.Add(fault.Pointer("fields", i), unknownField(r, name))
		}
	}
	q := port.ListQuery{At: port.Location{Resource: r.Path, VDOM: s.vdomFor(r)}, Fields: in.Fields, Start: in.Start, Count: in.Count}
	if q.Count == 0 {
		q.Count = request.DefaultCount
	}
	for i, text := range in.Filter {
		clause, problem := parseFilter(r, text)
		if problem != "" {
			problems.Add(fault.Pointer("filter", i), problem)
			continue
		}
		q.Filter = append(q.Filter, clause)
	}
	slices.SortFunc(problems, func(a, b fault.Problem) int { return strings.Compare(a.Pointer, b.Pointer) })
	return q, problems.Err()
}

func unknownField(r *schema.Resource, name string) string {
	names := make([]string, 0, len(r.Attributes))
	for _, a := range r.Attributes {
		names = append(names, a.Name)
	}
	text := fmt.Sprintf("%s has no attribute %q", r.Path, name)
	if near := change.Nearest(name, names); near != "" {
		text += fmt.Sprintf("; did you mean %q?", near)
	}
	return text
}

func (s *session) readOne(ctx context.Context, r *schema.Resource, in request.Read) (Found, error) {
	key := in.Key
	if !key.IsZero() {
		key = key.As(r.IntegerKey())
	}
	object, err := s.device.Object(ctx, port.Location{Resource: r.Path, VDOM: s.vdomFor(r)}, key)
	if fault.CodeOf(err) == fault.NotFound {
		return Found{}, fault.Wrap(err, fault.NotFound, "there is no %s in VDOM %q", redact.Line(label(r.Path, key), 200), s.vdom)
	}
	if err != nil {
		return Found{}, err
	}
	masked, pointers := redact.Object(r.Attributes, pick(object, in.Fields))
	meta := s.meta(r.Path)
	meta.Redacted = pointers
	return fitObject(masked, meta, s.budget())
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

// fitObject cuts the longest lists of one object until it fits.
func fitObject(object any, meta *envelope.Meta, budget int) (Found, error) {
	cut, cuts, ok, err := envelope.Shrink(object, budget-envelope.Overhead)
	if err != nil {
		return Found{}, err
	}
	if !ok {
		return Found{}, fault.New(fault.ResultTooLarge, "%s does not fit the byte budget of %d even when its lists are cut; name the attributes that are needed in fields", meta.Resource, budget)
	}
	meta.Cut = cuts
	if len(cuts) > 0 {
		meta.Truncated = "byte_budget"
		meta.Notes = append(meta.Notes, "lists were shortened; name fewer attributes in fields to see them whole")
	}
	return Found{Data: cut, Meta: meta}, nil
}

// readRows streams one page: rows are masked one by one and kept while they fit.
func (s *session) readRows(ctx context.Context, r *schema.Resource, q port.ListQuery) (Found, error) {
	page := page{resource: r, fields: q.Fields, budget: s.budget(), count: q.Count, rows: []any{}, redacted: map[string]bool{}}
	ask := q
	ask.Count = q.Count + 1 // one row more tells whether something follows
	info, err := s.device.List(ctx, ask, page.take)
	if err == nil {
		err = page.err
	}
	if err != nil {
		return Found{}, err
	}
	meta := s.meta(r.Path)
	meta.Start, meta.Returned, meta.Truncated, meta.Redacted = &q.Start, new(len(page.rows)), page.truncated, page.pointers()
	meta.Cut = page.cuts
	if total := info.Matched; total >= 0 {
		meta.Total = &total
	}
	if page.truncated != "" {
		meta.NextStart = new(q.Start + len(page.rows))
	}
	return Found{Data: page.rows, Meta: meta}, nil
}

type page struct {
	resource  *schema.Resource
	fields    []string
	budget    int
	used      int
	count     int
	rows      []any
	redacted  map[string]bool
	truncated string
	cuts      []envelope.Cut
	err       error
}

func (p *page) take(row map[string]any) bool {
	if len(p.rows) == p.count {
		p.truncated = "count"
		return false
	}
	masked, pointers := redact.Object(p.resource.Attributes, pick(row, p.fields))
	size, err := envelope.Size(masked)
	if err != nil {
		p.err = err
		return false
	}
	room := p.budget - envelope.Overhead - p.used
	if size+1 > room && len(p.rows) > 0 {
		p.truncated = "byte_budget"
		return false
	}
	var kept any = masked
	if size+1 > room {
		var ok bool
		if kept, p.cuts, ok, p.err = envelope.Shrink(masked, room); p.err != nil || !ok {
			if p.err == nil {
				p.err = fault.New(fault.ResultTooLarge, "one row of %s does not fit the byte budget even when its lists are cut; name the attributes that are needed in fields", p.resource.Path)
			}
			return false
		}
		for i := range p.cuts {
			p.cuts[i].Pointer = "/0" + p.cuts[i].Pointer
		}
	}
	p.used += size + 1
	p.rows = append(p.rows, kept)
	for _, pointer := range pointers {
		p.redacted["/*"+pointer] = true
	}
	return true
}

func (p *page) pointers() []string {
	if len(p.redacted) == 0 {
		return nil
	}
	list := make([]string, 0, len(p.redacted))
	for pointer := range p.redacted {
		list = append(list, pointer)
	}
	slices.Sort(list)
	return list
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
	resource, err := e.ports.Catalog.Resource(r.Resource, schema.Version{})
	if err != nil && fault.CodeOf(err) != fault.NotFound {
		return Found{}, err
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
		return Found{}, err
	}
	masked, pointers := redact.Untyped(data, secretNames)
	meta := s.meta(r.Resource)
	meta.Redacted = pointers
	if resource == nil {
		meta.Notes = append(meta.Notes, "this endpoint is not in the catalog; it was read untyped")
	}
	return fitObject(masked, meta, s.budget())
}

// monitorCall checks a monitor read against the catalog, where that knows it.
func (e *Engine) monitorCall(r *schema.Resource, in request.Read, problems *fault.Problems) ([]wire.Pair, func(string) bool, error) {
	secret := map[string]bool{}
	checker := change.Checker{}
	params := in.Params
	if r != nil {
		call := getCall(r)
		if call == nil {
			return nil, nil, fault.New(fault.Usage, "/resource: %s cannot be read; it is an action for forti_plan", in.Resource)
		}
		if call.Reveals || call.Class == "file" {
			return nil, nil, fault.New(fault.PolicyDenied, "%s hands out secrets or files and is never read", in.Resource).With("reason", "reveals")
		}
		for _, p := range call.Params {
			secret[p.Name] = p.Secret
		}
		params = checker.Params(call, in.Params, "/params")
		*problems = append(*problems, checker.Problems...)
	}
	pairs := []wire.Pair{}
	for _, name := range canon.Keys(params) {
		pairs = append(pairs, wire.Pair{Name: name, Value: paramText(params[name], fault.Pointer("params", name), problems)})
	}
	names := func(name string) bool { return secret[name] || redact.SecretName(name) }
	return pairs, names, nil
}

func paramText(v any, at string, problems *fault.Problems) string {
	switch x := v.(type) {
	case string:
		return x
	case bool:
		return map[bool]string{true: "true", false: "false"}[x]
	case int64:
		return operation.IntegerKey(x).String()
	}
	problems.Add(at, "must be a string, an integer or a boolean")
	return ""
}

func getCall(r *schema.Resource) *schema.Call {
	for i := range r.Calls {
		if r.Calls[i].Method == "GET" && (r.Calls[i].Action == "" || r.Calls[i].Action == "select" || strings.HasSuffix(r.Path, "/"+r.Calls[i].Action)) {
			return &r.Calls[i]
		}
	}
	return nil
}
