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
		a := list[i]
		a.Options = projectOptions(a.Options, v)
		a.Attributes = projectAttributes(a.Attributes, v)
		for _, w := range a.Was {
			if reaches(w.Until, v) {
				w.apply(&a)
			}
		}
		a.Was = nil
		out = append(out, a)
	}
	return out
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
