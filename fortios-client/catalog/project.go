package catalog

import "encoding/json"

// project is r as release v has it. It shares with r what is the same.
func project(r *Resource, v Version) *Resource {
	out := *r
	out.Attributes = projectAttributes(r.Attributes, v)
	return &out
}

func projectAttributes(list []Attribute, v Version) []Attribute {
	if len(list) == 0 {
		return nil
	}
	out := make([]Attribute, 0, len(list))
	for i := range list {
		if !list[i].Covers(v) {
			continue
		}
		out = append(out, list[i].at(v))
	}
	return out
}

// at is a as release v has it, given that v has it.
func (a Attribute) at(v Version) Attribute {
	newest := a.Type
	a.Options = projectOptions(a.Options, v)
	a.Attributes = projectAttributes(a.Attributes, v)
	for _, w := range a.Was {
		if reaches(w.Until, v) {
			w.apply(&a)
		}
	}
	a.Was = nil
	if a.Type != newest {
		a.dropForeign()
	}
	return a
}

// dropForeign takes away what an attribute of a's type never has: the size of
// a string that was an option, the key of a table that was a string. Was
// cannot say so, as it holds facts and not their absence.
func (a *Attribute) dropForeign() {
	switch a.Type {
	case "string", "var-string", "password", "password-2":
	default:
		a.Size = 0
	}
	if a.Type != "integer" {
		a.Min, a.Max, a.Model = nil, nil, false
	} else if len(a.Default) > 0 && a.Default[0] == '"' {
		a.Default = nil
	}
	switch a.Type {
	case "option", "key", "string":
	default:
		a.Options = nil
	}
	switch a.Type {
	case "table", "complex", "key":
	default:
		a.Key, a.KeyType, a.Limits, a.Movable, a.Attributes = "", "", Limits{}, false, nil
	}
}

func projectOptions(list []Option, v Version) []Option {
	kept := 0
	for _, o := range list {
		if o.Covers(v) {
			kept++
		}
	}
	if kept == len(list) {
		return list
	}
	out := make([]Option, 0, kept)
	for _, o := range list {
		if o.Covers(v) {
			out = append(out, o)
		}
	}
	return out
}

// apply puts the older facts over a. A fact that w does not hold stays.
func (w Was) apply(a *Attribute) {
	if w.Type != "" {
		a.Type = w.Type
	}
	if w.Size != nil {
		a.Size = *w.Size
	}
	if w.Min != nil {
		a.Min = w.Min
	}
	if w.Max != nil {
		a.Max = w.Max
	}
	if w.Multi != nil {
		a.Multi = *w.Multi
	}
	if len(w.Default) > 0 {
		a.Default = present(w.Default)
	}
}

// present is nil for an empty default: the facts leave empty defaults out.
func present(def json.RawMessage) json.RawMessage {
	if string(def) == `""` {
		return nil
	}
	return def
}
