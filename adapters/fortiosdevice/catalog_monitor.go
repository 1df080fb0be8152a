package fortiosdevice

import (
	"errors"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

const monitorPrefix = "monitor/"

// monitor describes an endpoint with all its calls, or the calls with one action.
// A path can be both: FortiOS has "backup" as an endpoint and as an action of the
// endpoint above, and then all of these calls belong to it.
func (c *Catalog) monitor(path string, at schema.Version) (*schema.Resource, error) {
	own, err := c.endpoint(path)
	if err != nil {
		return nil, err
	}
	parent, action := cutLast(path, "/")
	above, err := c.endpoint(parent)
	if err != nil {
		return nil, err
	}
	calls := slices.Clone(own)
	for _, call := range above {
		if call.Action == action && action != "" {
			calls = append(calls, call)
		}
	}
	if len(calls) == 0 {
		return nil, c.unknown(path, c.nearestCalls(path, parent, above))
	}
	return describeCalls(path, calls, at)
}

// endpoint gives an endpoint's calls, none where there is no such endpoint.
func (c *Catalog) endpoint(path string) ([]catalog.Call, error) {
	e, err := c.facts.Endpoint(path)
	if errors.Is(err, catalog.ErrUnknown) {
		return nil, nil
	}
	if err != nil {
		return nil, c.absent(path, err)
	}
	return e.Calls, nil
}

// nearestCalls offers the actions of the endpoint above before other endpoints.
func (c *Catalog) nearestCalls(path, parent string, above []catalog.Call) []string {
	near := []string{}
	for _, call := range above {
		if full := parent + "/" + call.Action; call.Action != "" && !slices.Contains(near, full) {
			near = append(near, full)
		}
	}
	for _, other := range c.facts.Nearest(path) {
		if !slices.Contains(near, other) {
			near = append(near, other)
		}
	}
	return near
}

func describeCalls(path string, calls []catalog.Call, at schema.Version) (*schema.Resource, error) {
	r := &schema.Resource{Path: path, Kind: schema.Monitor, Group: calls[0].Group, Releases: seenTogether(calls)}
	for _, call := range calls {
		if lacks(call.Window, at) {
			continue
		}
		r.Calls = append(r.Calls, convertCall(call))
		if !slices.Contains(r.Methods, call.Method) {
			r.Methods = append(r.Methods, call.Method)
		}
		if call.Group != r.Group {
			r.Group = ""
		}
	}
	if len(r.Calls) == 0 {
		return nil, outside(path, at, r.Releases)
	}
	return r, nil
}

func convertCall(call catalog.Call) schema.Call {
	out := schema.Call{Method: call.Method, Action: call.Action, Class: call.Class, Reveals: call.Reveals}
	for _, p := range call.Params {
		out.Params = append(out.Params, schema.Param(p))
	}
	return out
}

// monitorSamples are the releases whose monitor endpoints the facts were taken
// from. A window of a call says no more than that it was or was not seen there.
func monitorSamples() []catalog.Version {
	return []catalog.Version{{Major: 7, Minor: 0, Patch: 3}, {Major: 7, Minor: 6, Patch: 5}, {Major: 7, Minor: 6, Patch: 6}}
}

// lacks reports whether a release certainly lacks a call. Of a release between
// those that were looked at nothing is known, and the call counts as present:
// the device itself has the last word.
func lacks(w catalog.Window, at schema.Version) bool {
	v := catalog.Version(at)
	absence := w.Absence(v)
	if absence == catalog.Present {
		return false
	}
	return slices.ContainsFunc(monitorSamples(), func(sample catalog.Version) bool {
		if w.Absence(sample) != absence {
			return false
		}
		if absence == catalog.Gone {
			return sample.Compare(v) <= 0
		}
		return sample.Compare(v) >= 0
	})
}

// seen says in words where an endpoint was seen, "" where everywhere.
func seen(w catalog.Window) string {
	if text := releases(w); text != "" {
		return "seen in " + text
	}
	return ""
}

// seenTogether joins where the calls were seen, "" where one was seen everywhere.
func seenTogether(calls []catalog.Call) string {
	var texts []string
	for _, call := range calls {
		text := seen(call.Window)
		if text == "" {
			return ""
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "; ")
}
