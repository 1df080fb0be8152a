package risk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
)

// rule is one line of the rule table.
type rule struct {
	id string
	// watch are the resources that operation looks at; empty: all.
	watch []string
	// otherwise: it only fires where no rule of its family before it has.
	otherwise bool
	// operation judges one change, plan all of them together; either may be nil.
	operation func(w *world, c *Change) []finding
	plan      func(w *world) []finding
}

// lockoutRule is the rule that stops autonomous mode.
const lockoutRule = "R-LOCKOUT-02"

func fired(tier plan.Tier, format string, args ...any) []finding {
	return []finding{{tier, fmt.Sprintf(format, args...)}}
}

// quote prints a name or value in a reason.
func quote(s string) string { return `"` + redact.Line(s, 80) + `"` }

// list prints at most five names.
func list(all []string) string {
	var out []string
	for i, s := range all {
		if i == 5 {
			out = append(out, fmt.Sprintf("%d more", len(all)-i))
			break
		}
		out = append(out, quote(s))
	}
	return strings.Join(out, ", ")
}

// what names the object of a change.
func what(c *Change) string {
	path := redact.Line(c.Resource, 80)
	if c.Key.IsZero() {
		return path
	}
	return path + " " + quote(c.Key.String())
}

// verb is what a change does, for the middle of a sentence.
func verb(c *Change) string {
	switch c.Op {
	case plan.OpCreate:
		return "is created"
	case plan.OpDelete:
		return "is deleted"
	case plan.OpMove:
		return "is moved"
	case plan.OpAction:
		return "is called"
	case plan.OpUpdate:
	}
	return "is changed"
}

// remarks are attributes that mean nothing to the device.
var remarks = []string{
	"comment", "comments", "description", "color", "label", "global-label", "tagging", "alias", "uuid", "visibility", "obj-tag",
}

// onlyRemarks reports whether an update writes nothing but remarks.
func (c *Change) onlyRemarks() bool {
	if c.Op != plan.OpUpdate || len(c.Touched) == 0 {
		return false
	}
	return !slices.ContainsFunc(c.Touched, func(a string) bool { return !slices.Contains(remarks, a) })
}

// touches lists the attributes that a change writes out of some patterns; a
// create or delete writes all of its object's.
func (c *Change) touches(patterns ...string) []string {
	written := c.Touched
	if c.Op != plan.OpUpdate {
		for _, o := range []map[string]any{c.Before, c.After} {
			for a := range o {
				written = append(written[:len(written):len(written)], a)
			}
		}
	}
	var out []string
	for _, a := range written {
		if watches(patterns, a) && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	slices.Sort(out)
	return out
}

// written says what an update makes of some attributes: " (status from up to down)".
func (c *Change) written(attributes []string) string {
	var out []string
	for i, a := range attributes {
		if i == 6 {
			out = append(out, fmt.Sprintf("%d more", len(attributes)-i))
			break
		}
		out = append(out, c.rewritten(a))
	}
	if len(out) == 0 {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// rewritten says what an update makes of one attribute. The value of a secret is not
// said, nor what somebody wrote for people to read.
func (c *Change) rewritten(a string) string {
	name, gone := redact.Line(a, 80), lost(c.Before[a], c.After[a])
	before, after := value(c.Before[a]), value(c.After[a])
	switch {
	case c.isSecret(a), slices.Contains(remarks, a):
	case a == "allowaccess" && len(gone) > 0:
		return name + " loses " + list(gone)
	case before != "" && after != "" && before != after:
		return name + " from " + before + " to " + after
	case after != "" && before == "":
		return name + " to " + after
	}
	return name
}

func (c *Change) isSecret(a string) bool {
	if c.Schema == nil {
		return false
	}
	s, known := c.Schema.Attribute(a)
	return known && s.HoldsSecret()
}

// counted prints a number of things.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// updates says what an update writes; "" for anything else.
func (c *Change) updates() string {
	if c.Op != plan.OpUpdate {
		return ""
	}
	return c.written(c.Touched)
}

// value prints the value of an attribute that is one text or number; "" where it is
// neither.
func value(v any) string {
	switch {
	case v == "":
		return "nothing"
	case text(v) != "":
		return quote(text(v))
	}
	return ""
}

// states are the object before and after, without absent ones.
func (c *Change) states() []map[string]any {
	var out []map[string]any
	for _, o := range []map[string]any{c.Before, c.After} {
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

// baseFinding is the tier that a change has by its resource alone, raised where
// an attribute is unknown or the key itself is renamed.
func baseFinding(c *Change) finding {
	tier, known := Base(c.Resource)
	f := finding{tier, fmt.Sprintf("%s %s; every change of this kind counts as %s", what(c), verb(c), tier)}
	switch {
	case !known:
		f.text = fmt.Sprintf("%s is not known to this version, so it counts as %s", what(c), tier)
	case c.Op == plan.OpAction && c.Call != nil:
		f.tier = tier.Max(classTier(c.Call.Class))
	}
	if strange := c.unknownAttributes(); len(strange) > 0 && f.tier.Rank() < plan.Medium.Rank() {
		f = finding{plan.Medium, fmt.Sprintf("%s: attribute %s is not known to this version", what(c), list(strange))}
	}
	if c.renames() && f.tier.Rank() < plan.High.Rank() {
		f = finding{plan.High, fmt.Sprintf("%s is renamed", what(c))}
	}
	return f
}

func (c *Change) unknownAttributes() []string {
	if c.Schema == nil || c.Op == plan.OpAction {
		return nil
	}
	var out []string
	for _, a := range c.Touched {
		if _, ok := c.Schema.Attribute(a); !ok {
			out = append(out, a)
		}
	}
	return out
}

func (c *Change) renames() bool {
	return c.Op == plan.OpUpdate && c.Schema != nil && c.Schema.Key != "" && slices.Contains(c.Touched, c.Schema.Key) &&
		c.After != nil && text(c.After[c.Schema.Key]) != c.Key.String()
}
