package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// whole is a resource as all releases together have it, and secrets are looked for in
// that: a device may have an attribute that the catalog places in other releases.
func (s *session) whole(r *schema.Resource) *schema.Resource {
	whole, err := s.engine.ports.Catalog.Resource(r.Path, schema.Version{})
	if err != nil {
		return r
	}
	return whole
}

// guesses refuses a filter that reaches a secret: it would let a caller guess the secret
// bit by bit. The name of an attribute reaches those of nested rows too.
func guesses(whole *schema.Resource, clause port.Clause) string {
	for _, c := range clause {
		if secret := whole.NamesSecret(c.Attribute); secret != "" {
			return fmt.Sprintf("%q is also the name of a secret (%s), and FortiOS looks into nested rows; filter on another attribute, or read one row by its key", c.Attribute, secret)
		}
	}
	return ""
}

// veil hides rows from a filter that could be used for guessing. Somebody may have pasted
// a secret into a free text, such as a comment. It is masked in the answer, but whether
// the row comes or not would tell whether a guess about it is right, so that a row whose
// filtered attribute holds a secret never comes.
type veil struct {
	masks *redact.Objects
	// names are the last names of the filtered attributes that hold free text; fields are
	// where they are found, in nested rows too, because there FortiOS looks for them.
	names, fields []string
}

// veilOf gives the veil for a filter.
func veilOf(whole *schema.Resource, filter []port.Clause) *veil {
	v := &veil{}
	for _, clause := range filter {
		for _, c := range clause {
			v.cover(whole, c.Attribute[strings.LastIndex(c.Attribute, "/")+1:])
		}
	}
	if v.needed() {
		v.masks = redact.For(whole.Attributes)
	}
	return v
}

func (v *veil) cover(whole *schema.Resource, name string) {
	if slices.Contains(v.names, name) {
		return
	}
	for i := range whole.Attributes {
		if a := &whole.Attributes[i]; holdsText(a, name) && !slices.Contains(v.fields, a.Name) {
			v.fields = append(v.fields, a.Name)
		}
	}
	v.names = append(v.names, name)
}

// holdsText reports whether there is free text under a name in an attribute.
func holdsText(a *schema.Attribute, name string) bool {
	if a.Name == name && freeText(a) {
		return true
	}
	return slices.ContainsFunc(a.Attributes, func(child schema.Attribute) bool {
		return a.Name == name && holdsText(&child, child.Name) || holdsText(&child, name)
	})
}

// freeText reports whether anything may be written into an attribute. Names of other
// objects are not: they stand in those.
func freeText(a *schema.Attribute) bool {
	switch a.Type {
	case "option", "integer", "table", "complex", "uuid", "mac-address", "datetime", "ether-type":
		return false
	}
	address := strings.HasPrefix(a.Type, "ipv4-") || strings.HasPrefix(a.Type, "ipv6-")
	return !address && len(a.Options) == 0 && len(a.Refs) == 0
}

// needed reports whether any filtered attribute holds free text.
func (v *veil) needed() bool { return len(v.fields) > 0 }

// hides reports whether a secret stands where the filter looks.
func (v *veil) hides(row map[string]any) bool {
	if !v.needed() {
		return false
	}
	_, pointers := v.masks.Object(pick(row, v.fields))
	return slices.ContainsFunc(pointers, func(pointer string) bool {
		return slices.ContainsFunc(strings.Split(pointer, "/"), func(token string) bool { return slices.Contains(v.names, token) })
	})
}

// with adds to the fields that are asked for those that the veil has to see.
func (v *veil) with(fields []string) []string {
	if len(fields) == 0 {
		return nil
	}
	all := slices.Clone(fields)
	for _, name := range v.fields {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// texts lists as the device does, each row as JSON text, behind the veil of the filter.
func (s *session) texts(ctx context.Context, v *veil, q port.ListQuery, yield func(row []byte) bool) (port.ListInfo, error) {
	if !v.needed() {
		return s.device.Rows(ctx, q, yield)
	}
	return inText(func(yield func(row map[string]any) bool) (port.ListInfo, error) { return s.veiled(ctx, v, q, yield) }, yield)
}

// veiled lists what the veil does not hide. The places of rows are counted here and not
// by the device: a gap in the places, or a number of matches, would tell of a hidden row
// as well as the row itself.
func (s *session) veiled(ctx context.Context, v *veil, q port.ListQuery, yield func(row map[string]any) bool) (port.ListInfo, error) {
	ask, visible, stopped := q, 0, false
	ask.Start, ask.Fields = 0, v.with(q.Fields)
	if q.Count > 0 {
		ask.Count = q.Start + q.Count
	}
	for {
		came := 0
		info, err := s.device.List(ctx, ask, func(row map[string]any) bool {
			came++
			if v.hides(row) {
				return true
			}
			if visible++; visible > q.Start && !yield(row) {
				stopped = true
				return false
			}
			return q.Count == 0 || visible < q.Start+q.Count
		})
		switch {
		case err != nil:
			return info, err
		case stopped, q.Count > 0 && visible >= q.Start+q.Count:
			info.Matched = -1 // nobody looked at what follows
			return info, nil
		case ask.Count == 0 || came < ask.Count:
			info.Matched = visible
			return info, nil
		}
		ask.Start += came
	}
}
