package discover

import (
	"maps"
	"slices"

	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// draw shows the answer of any of the look-ups.
func draw(p *view.Page, plain any) {
	switch v := plain.(type) {
	case []any:
		p.Rows(view.Objects(v), columns(v))
	case map[string]any:
		if _, described := v["operations"]; described {
			resource(p, v)
			return
		}
		p.Object(v, "profile", "mode", "hostname", "model", "serial", "version", "build", "catalog_version", "compared", "meaning", "vdom", "vdoms")
	}
}

// columns are those of profiles or of resources.
func columns(list []any) []string {
	for _, row := range view.Objects(list) {
		if _, hit := row["path"]; hit {
			return []string{"path", "kind", "key", "releases"}
		}
	}
	return []string{"name", "host", "port", "vdom", "mode", "default"}
}

// resource shows a description: facts, then attributes, then calls.
func resource(p *view.Page, v map[string]any) {
	attributes, _ := v["attributes"].(map[string]any)
	calls, _ := v["calls"].([]any)
	facts := maps.Clone(v)
	delete(facts, "attributes")
	delete(facts, "calls")
	p.Object(facts, "path", "kind", "key", "key_type", "ordered", "scope", "releases", "operations", "risk")
	if len(attributes) > 0 {
		p.Say("")
		p.Title("attributes")
		attributeLines(p, attributes)
	}
	if len(calls) > 0 {
		p.Say("")
		p.Title("calls")
		p.Rows(view.Objects(calls), []string{"path", "method", "class", "refused", "params"})
	}
}

// attributeLines shows short descriptions as lines, full ones as blocks.
func attributeLines(p *view.Page, attributes map[string]any) {
	short := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		full, ok := attributes[name].(map[string]any)
		if !ok {
			short[name] = attributes[name]
			continue
		}
		p.Text("", name)
		full = maps.Clone(full)
		if options, ok := full["options"].([]any); ok {
			full["options"] = optionNames(options)
		}
		p.Object(full, "type")
		p.Say("")
	}
	if len(short) > 0 {
		p.Object(short)
	}
}

// optionNames are options with the releases that have them.
func optionNames(options []any) []any {
	names := make([]any, 0, len(options))
	for _, o := range view.Objects(options) {
		name := view.Word(o["value"])
		if releases := view.Word(o["releases"]); releases != "" {
			name += " (" + releases + ")"
		}
		names = append(names, name)
	}
	return names
}
