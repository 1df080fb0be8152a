package fake

import (
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// target is what a request addresses.
type target struct {
	resource *schema.Resource
	at       place
	// vdom is the virtual domain that the answer names.
	vdom string
	// key is "" where the path has none: the whole table.
	key string
}

// route takes a request's path apart as a web server does: it decodes the
// segments and then resolves "." and "..", so that a careless key addresses the
// table, or another one.
func (d *Device) route(r wire.Request) (target, *refusal) {
	segments, err := wire.Segments(r.Path)
	if err != nil {
		return target{}, badPath()
	}
	segments = resolveDots(segments)
	vdom := queryValue(r, "vdom")
	if vdom == "" {
		vdom = d.management
	}
	if !d.vdoms[vdom] {
		return target{}, forbidden()
	}
	switch {
	case len(segments) >= 2 && segments[0] == "monitor":
		return d.routeMonitor(strings.Join(segments, "/"), vdom)
	case len(segments) >= 3 && len(segments) <= 4 && segments[0] == "cmdb":
		return d.routeTable(segments[1]+"/"+segments[2], segments[3:], vdom)
	}
	return target{}, missing()
}

func resolveDots(segments []string) []string {
	var out []string
	for i, s := range segments {
		switch {
		case s == ".", s == "" && i == len(segments)-1:
		case s == "..":
			out = out[:max(len(out)-1, 0)]
		default:
			out = append(out, s)
		}
	}
	return out
}

func queryValue(r wire.Request, name string) string {
	for _, p := range r.Query {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

func (d *Device) routeTable(path string, rest []string, vdom string) (target, *refusal) {
	r, no := d.resource(path)
	if no != nil || r.Kind == schema.Monitor {
		return target{}, missing()
	}
	t := target{resource: r, at: place{path, home(r, vdom)}, vdom: vdom}
	if r.Scope == "global" {
		t.vdom = d.management
	}
	if len(rest) > 0 {
		t.key = rest[0]
	}
	if r.Kind == schema.Singleton && t.key != "" {
		return target{}, missing()
	}
	return t, nil
}

func (d *Device) routeMonitor(path, vdom string) (target, *refusal) {
	t := target{at: place{resource: path}, vdom: vdom}
	for _, endpoint := range []string{path, path[:strings.LastIndexByte(path, '/')]} {
		if r, no := d.resource(endpoint); no == nil && r.Kind == schema.Monitor {
			t.resource = r
			return t, nil
		}
	}
	return target{}, missing()
}

// home is the virtual domain under which a resource's rows are kept: none for
// what exists once on the box.
func home(r *schema.Resource, vdom string) string {
	if r.Scope == "global" || r.Scope == "both" {
		return ""
	}
	return vdom
}

// resource describes a path as the device's release has it.
func (d *Device) resource(path string) (*schema.Resource, *refusal) {
	v, _ := schema.ParseVersion(d.identity.Version)
	r, err := d.catalog.Resource(path, v)
	switch {
	case fault.CodeOf(err) == fault.NotFound:
		return nil, missing()
	case err != nil:
		return nil, refused(-1, "%s", fault.From(err).Message)
	}
	return r, nil
}
