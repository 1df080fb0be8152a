package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// Where the device's own description and the catalog differ. What only one of them says
// is no difference, since the catalog does not know everything, but an attribute or an
// option that only one of them has is one. Words of the device are escaped and bounded.

const (
	deviceLacks = "the device does not have it"
	deviceOnly  = "only the device has it"
	// uncertain: the catalog does not claim that this release has it.
	uncertain = " (the catalog was uncertain)"
)

// unlike compares all attributes, in nested rows too, by path.
func unlike(attributes []schema.Attribute, children map[string]any) map[string][]string {
	found := map[string][]string{}
	differ("", attributes, children, found)
	return found
}

func differ(above string, attributes []schema.Attribute, children map[string]any, found map[string][]string) {
	if len(children) == 0 {
		return // it described none
	}
	known := map[string]bool{}
	for i := range attributes {
		a := &attributes[i]
		known[a.Name] = true
		node, _ := children[a.Name].(map[string]any)
		if list := difference(a, node); len(list) > 0 {
			found[above+a.Name] = list
		}
		below, _ := node["children"].(map[string]any)
		differ(above+a.Name+"/", a.Attributes, below, found)
	}
	for name := range children {
		if !known[name] && !strings.HasPrefix(name, "<") { // the placeholder of a command listing
			found[above+redact.Line(name, 80)] = []string{deviceOnly}
		}
	}
}

// difference compares one attribute with the device's node of it, nil where it has none.
func difference(a *schema.Attribute, node map[string]any) []string {
	switch {
	case node == nil && a.Uncertain:
		return []string{deviceLacks + uncertain}
	case node == nil:
		return []string{deviceLacks}
	}
	var list []string
	kind, _ := node["type"].(string)
	if kind == "" {
		kind, _ = node["category"].(string)
	}
	if kind != "" && kind != "unitary" && kind != a.Type {
		list = append(list, fmt.Sprintf("type: catalog %s, device %s", a.Type, redact.Line(kind, 80)))
	}
	if size, ok := node["size"].(int64); ok && size > 0 && a.Size > 0 && size != int64(a.Size) {
		list = append(list, fmt.Sprintf("size: catalog %d, device %d", a.Size, size))
	}
	least, hasLeast := node["min-value"].(int64)
	most, hasMost := node["max-value"].(int64)
	if hasLeast && hasMost && a.Min != nil && a.Max != nil && (least != *a.Min || most != *a.Max) {
		list = append(list, fmt.Sprintf("range: catalog %d to %d, device %d to %d", *a.Min, *a.Max, least, most))
	}
	return append(list, optionDifferences(a, node)...)
}

func optionDifferences(a *schema.Attribute, node map[string]any) []string {
	options, _ := node["options"].([]any)
	if len(options) == 0 || len(a.Options) == 0 {
		return nil
	}
	var there, lacks, doubted, only []string
	for _, o := range options {
		option, _ := o.(map[string]any)
		if name, ok := option["name"].(string); ok {
			there = append(there, name)
		}
	}
	for _, o := range a.Options {
		switch here := slices.Contains(there, o.Value); {
		case here:
		case o.Uncertain:
			doubted = append(doubted, o.Value)
		default:
			lacks = append(lacks, o.Value)
		}
	}
	for _, name := range there {
		if !slices.ContainsFunc(a.Options, func(o schema.Option) bool { return o.Value == name }) {
			only = append(only, name)
		}
	}
	var list []string
	for _, group := range []struct {
		text  string
		names []string
	}{{"options that only the device has", only}, {"options that the device does not have", lacks}, {"options that the device does not have" + uncertain, doubted}} {
		if len(group.names) > 0 {
			list = append(list, group.text+": "+redact.Line(strings.Join(group.names, ", "), 500))
		}
	}
	return list
}

// firstOf keeps the first differences, by path, that fit into a number of bytes, and
// tells how many it left out.
func firstOf(all map[string][]string, room int) (kept map[string][]string, left int) {
	kept = map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(all)) {
		need := len(path) + 8
		for _, text := range all[path] {
			need += 2*len(text) + 4 // escapes
		}
		if room -= need; room < 0 {
			left++
			continue
		}
		kept[path] = all[path]
	}
	return kept, left
}
