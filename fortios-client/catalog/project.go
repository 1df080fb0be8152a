package catalog

import "encoding/json"

// eye looks at facts as one release has them.
type eye struct {
	at Version
	// possible: what the release does not certainly lack is seen too, as uncertain.
	possible bool
	releases Releases
}

func (e eye) sees(w Window) (seen, uncertain bool) {
	if w.Covers(e.at) {
		return true, false
	}
	maybe := e.possible && !e.releases.CertainlyAbsent(w, e.at)
	return maybe, maybe
}

// project is r as release v has it. It shares with r what is the same.
func project(r *Resource, v Version) *Resource { return eye{at: v}.project(r) }

func (e eye) project(r *Resource) *Resource {
	out := *r
	out.Attributes = e.attributes(r.Attributes)
	return &out
}

func (e eye) attributes(list []Attribute) []Attribute {
	if len(list) == 0 {
		return nil
	}
	out := make([]Attribute, 0, len(list))
	for i := range list {
		seen, uncertain := e.sees(list[i].Window)
		if !seen {
			continue
		}
		a := e.attribute(list[i])
		a.Uncertain = uncertain
		out = append(out, a)
	}
	return out
}

// attribute is a as the release has it, given that it has it.
func (e eye) attribute(a Attribute) Attribute {
	newest := a.Type
	a.Options = e.options(a.Options)
	a.Attributes = e.attributes(a.Attributes)
	for _, w := range a.Was {
		if reaches(w.Until, e.at) {
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

func (e eye) options(list []Option) []Option {
	kept, doubtful := 0, false
	for _, o := range list {
		seen, uncertain := e.sees(o.Window)
		if seen {
			kept++
		}
		doubtful = doubtful || uncertain
	}
	if kept == len(list) && !doubtful {
		return list
	}
	out := make([]Option, 0, kept)
	for _, o := range list {
		seen, uncertain := e.sees(o.Window)
		if seen {
			o.Uncertain = uncertain
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
