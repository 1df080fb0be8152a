package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/risk"
	"github.com/forti-mcp/forti/core/schema"
)

// description is one resource as callers see it.
type description struct {
	Path       string      `json:"path"`
	Kind       schema.Kind `json:"kind"`
	Key        string      `json:"key,omitempty"`
	KeyType    string      `json:"key_type,omitempty"`
	Ordered    bool        `json:"ordered,omitempty"`
	Scope      string      `json:"scope,omitempty"`
	Releases   string      `json:"releases,omitempty"`
	Operations []string    `json:"operations"`
	Risk       string      `json:"risk,omitempty"`
	// Attributes are short lines, or full detail where fields asked for it.
	Attributes map[string]any `json:"attributes,omitempty"`
	Calls      []callLine     `json:"calls,omitempty"`
	// Differs says by path where the device and the catalog differ.
	Differs map[string][]string `json:"differs,omitempty"`
}

type detail struct {
	Type       string         `json:"type"`
	Multi      bool           `json:"multiple,omitempty"`
	Size       int            `json:"size,omitempty"`
	Min        *int64         `json:"min,omitempty"`
	Max        *int64         `json:"max,omitempty"`
	Default    any            `json:"default,omitempty"`
	Options    []optionLine   `json:"options,omitempty"`
	Refers     []string       `json:"refers_to,omitempty"`
	Required   bool           `json:"required,omitempty"`
	Secret     bool           `json:"secret,omitempty"`
	ReadOnly   bool           `json:"read_only,omitempty"`
	Releases   string         `json:"releases,omitempty"`
	Uncertain  bool           `json:"uncertain,omitempty"`
	Key        string         `json:"key,omitempty"`
	Attributes map[string]any `json:"attributes,omitempty"`
	Device     any            `json:"device,omitempty"`
}

type optionLine struct {
	Value     string `json:"value"`
	Releases  string `json:"releases,omitempty"`
	Uncertain bool   `json:"uncertain,omitempty"`
}

type callLine struct {
	Path    string   `json:"path"`
	Method  string   `json:"method"`
	Class   string   `json:"class,omitempty"`
	Refused string   `json:"refused,omitempty"`
	Params  []string `json:"params,omitempty"`
}

// describe shows a resource. live is the device's own description, or nil; its
// texts are untrusted and passed on as data.
func describe(r *schema.Resource, fields []string, live map[string]any, meta *envelope.Meta, budget int) (Found, error) {
	d := description{
		Path: r.Path, Kind: r.Kind, Key: r.Key, KeyType: r.KeyType, Ordered: r.Ordered, Scope: r.Scope, Releases: r.Releases,
		Operations: operationsOf(r), Risk: baseRisk(r), Calls: callLines(r),
	}
	if len(r.Attributes) > 0 {
		d.Attributes = map[string]any{}
	}
	if len(fields) == 0 {
		for i := range r.Attributes {
			d.Attributes[r.Attributes[i].Name] = short(&r.Attributes[i])
		}
	} else if err := d.detail(r, fields); err != nil {
		return Found{}, err
	}
	if live != nil {
		d.merge(r, live, fields, meta)
		if err := d.differ(r, live, fields, meta, budget); err != nil {
			return Found{}, err
		}
	}
	size, err := envelope.Size(d)
	if err != nil {
		return Found{}, err
	}
	if size+envelope.Overhead > budget {
		return Found{}, fault.New(fault.ResultTooLarge, "the description of %s needs %d bytes, the budget is %d; name the attributes in fields", r.Path, size+envelope.Overhead, budget)
	}
	return Found{Data: d, Meta: meta}, nil
}

func operationsOf(r *schema.Resource) []string {
	switch {
	case r.Kind == schema.Monitor:
		ops := []string{}
		for _, c := range r.Calls {
			name := map[string]string{"GET": "read", "POST": "action"}[c.Method]
			if name != "" && !slices.Contains(ops, name) {
				ops = append(ops, name)
			}
		}
		return ops
	case r.ReadOnly:
		return []string{"read"}
	case r.Kind == schema.Singleton:
		return []string{"read", "update"}
	}
	ops := []string{"read", "create", "update", "delete"}
	if r.Ordered {
		ops = append(ops, "position")
	}
	return ops
}

func baseRisk(r *schema.Resource) string {
	if r.Kind == schema.Monitor {
		return ""
	}
	tier, _ := risk.Base(r.Path)
	return string(tier)
}

// short is an attribute in one line, such as "option enable|disable, default disable".
func short(a *schema.Attribute) string {
	words := []string{a.Type}
	switch {
	case a.IsTable() || a.Type == "complex":
		words[0] = fmt.Sprintf("%s of %s", a.Type, childNames(a))
	case len(a.Options) > 0 && len(a.Options) <= 6:
		words[0] += " " + optionNames(a)
	case len(a.Options) > 6:
		words[0] += fmt.Sprintf(" (%d values)", len(a.Options))
	case a.Min != nil && a.Max != nil:
		words[0] += fmt.Sprintf(" %d..%d", *a.Min, *a.Max)
	case a.Size > 0:
		words[0] += fmt.Sprintf("(%d)", a.Size)
	}
	for _, flag := range []struct {
		set  bool
		word string
	}{{a.Multi, "list"}, {a.Secret, "secret"}, {a.ReadOnly, "read-only"}, {a.Required, "required"}} {
		if flag.set {
			words = append(words, flag.word)
		}
	}
	if a.Default != nil && a.Default != "" {
		words = append(words, fmt.Sprintf("default %v", a.Default))
	}
	if refs := refPaths(a); len(refs) > 0 {
		words = append(words, "names "+strings.Join(refs[:min(3, len(refs))], "|"))
	}
	if a.Releases != "" {
		words = append(words, a.Releases)
	}
	if a.Uncertain {
		words = append(words, "uncertain here")
	}
	return strings.Join(words, ", ")
}

func childNames(a *schema.Attribute) string {
	names := make([]string, 0, len(a.Attributes))
	for _, child := range a.Attributes {
		names = append(names, child.Name)
	}
	if len(names) > 5 {
		names = append(names[:5], fmt.Sprintf("… %d in all", len(a.Attributes)))
	}
	return "{" + strings.Join(names, " ") + "}"
}

func optionNames(a *schema.Attribute) string {
	names := make([]string, 0, len(a.Options))
	for _, o := range a.Options {
		names = append(names, o.Value)
	}
	return strings.Join(names, "|")
}

func refPaths(a *schema.Attribute) []string {
	paths := make([]string, 0, len(a.Refs))
	for _, r := range a.Refs {
		paths = append(paths, r.Path)
	}
	return paths
}

// detail fills full descriptions of the named attributes.
func (d *description) detail(r *schema.Resource, fields []string) error {
	var problems fault.Problems
	for i, name := range fields {
		a, ok := r.Find(name)
		if !ok {
			problems.Add(fault.Pointer("fields", i), unknownField(r, name))
			continue
		}
		d.Attributes[name] = full(a)
	}
	return problems.Err()
}

func full(a *schema.Attribute) *detail {
	x := &detail{
		Type: a.Type, Multi: a.Multi, Size: a.Size, Min: a.Min, Max: a.Max, Default: a.Default, Refers: refPaths(a),
		Required: a.Required, Secret: a.Secret, ReadOnly: a.ReadOnly, Releases: a.Releases, Uncertain: a.Uncertain, Key: a.Key,
	}
	for _, o := range a.Options {
		x.Options = append(x.Options, optionLine(o))
	}
	if len(a.Attributes) > 0 {
		x.Attributes = map[string]any{}
		for i := range a.Attributes {
			x.Attributes[a.Attributes[i].Name] = short(&a.Attributes[i])
		}
	}
	return x
}

// merge adds the device's own description of the named attributes, and notes where
// device and catalog know different attributes.
func (d *description) merge(r *schema.Resource, live map[string]any, fields []string, meta *envelope.Meta) {
	meta.Notes = append(meta.Notes, "texts under \"device\" are the device's own and untrusted")
	children, _ := live["children"].(map[string]any)
	for _, name := range fields {
		x, ok := d.Attributes[name].(*detail)
		if !ok {
			continue
		}
		node := children
		var found any
		for part := range strings.SplitSeq(name, "/") {
			found = node[part]
			inner, _ := found.(map[string]any)
			node, _ = inner["children"].(map[string]any)
		}
		x.Device = found
	}
	if len(fields) > 0 {
		return
	}
	var only []string
	for name := range children {
		if _, known := r.Attribute(name); !known {
			only = append(only, name)
		}
	}
	slices.Sort(only)
	if len(only) > 0 {
		meta.Notes = append(meta.Notes, "the device has attributes that the catalog lacks: "+shorten(strings.Join(only, ", ")))
	}
}

// differ marks where the device differs from the catalog: in what fields names and below
// it, or everywhere. Where not all fits, a note says so.
func (d *description) differ(r *schema.Resource, live map[string]any, fields []string, meta *envelope.Meta, budget int) error {
	children, _ := live["children"].(map[string]any)
	if len(children) == 0 && len(r.Attributes) > 0 {
		meta.Notes = append(meta.Notes, "the device described no attributes; it was not compared with the catalog")
		return nil
	}
	all := unlike(r.Attributes, children)
	if len(fields) > 0 {
		maps.DeleteFunc(all, func(path string, _ []string) bool {
			return !slices.ContainsFunc(fields, func(name string) bool { return path == name || strings.HasPrefix(path, name+"/") })
		})
	}
	size, err := envelope.Size(d)
	if err != nil {
		return err
	}
	kept, left := firstOf(all, budget-size-envelope.Overhead-200)
	d.Differs = kept
	if left > 0 {
		meta.Notes = append(meta.Notes, fmt.Sprintf("%d more differences do not fit; name attributes in fields", left))
	}
	return nil
}

func callLines(r *schema.Resource) []callLine {
	var lines []callLine
	for _, c := range r.Calls {
		line := callLine{Path: r.Path, Method: c.Method, Class: c.Class}
		if c.Action != "" && !strings.HasSuffix(r.Path, "/"+c.Action) {
			line.Path += "/" + c.Action
		}
		if family, refused := risk.Refused(line.Path); refused && c.Method == "POST" {
			line.Refused = family
		}
		if c.Reveals || c.Class == "file" {
			line.Refused = "hands out secrets or files"
		}
		for _, p := range c.Params {
			word := p.Name + " " + p.Type
			if p.Required {
				word += " required"
			}
			line.Params = append(line.Params, word)
		}
		lines = append(lines, line)
	}
	return lines
}
