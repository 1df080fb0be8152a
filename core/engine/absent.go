package engine

import (
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/schema"
)

// notThere says which attributes a device left out, "" where none: it leaves out without
// a word what the token's admin profile may not read, which looks like success.
func notThere(names []string) string {
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return "the device left out " + shorten(strings.Join(names, ", ")) + ": they do not apply here, or the token's admin profile may not read them; what is left out is not known, and neither empty nor the default"
}

// leftOut are the attributes that were asked for by name, or of a singleton all that its
// release is known to have, and that are not there.
func leftOut(r *schema.Resource, fields []string, there map[string]bool) []string {
	wanted := slices.Clone(fields)
	if len(wanted) == 0 && r.Kind == schema.Singleton {
		for i := range r.Attributes {
			if !r.Attributes[i].Uncertain {
				wanted = append(wanted, r.Attributes[i].Name)
			}
		}
	}
	return slices.DeleteFunc(wanted, func(name string) bool { return there[name] })
}

// noneOf warns of the one table that is known to look empty to an API administrator on
// some releases, whatever its profile.
func noneOf(r *schema.Resource, rows int) string {
	if r.Path != "system/admin" || rows > 0 {
		return ""
	}
	return "an empty list is no proof that there are no administrators: some releases show none to an API user"
}

// leftOut are the fields that no row of the page has.
func (p *page) leftOut() []string {
	if len(p.rows) == 0 {
		return nil
	}
	return leftOut(p.resource, p.fields, p.there)
}
