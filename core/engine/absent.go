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
// release is known to have, and that none of the rows has.
func leftOut(r *schema.Resource, fields []string, rows ...map[string]any) []string {
	if len(rows) == 0 {
		return nil
	}
	wanted := slices.Clone(fields)
	if len(wanted) == 0 && r.Kind == schema.Singleton {
		for i := range r.Attributes {
			if !r.Attributes[i].Uncertain {
				wanted = append(wanted, r.Attributes[i].Name)
			}
		}
	}
	return slices.DeleteFunc(wanted, func(name string) bool {
		return slices.ContainsFunc(rows, func(row map[string]any) bool { _, has := row[name]; return has })
	})
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
	rows := make([]map[string]any, 0, len(p.rows))
	for _, row := range p.rows {
		if object, ok := row.(map[string]any); ok {
			rows = append(rows, object)
		}
	}
	return leftOut(p.resource, p.fields, rows...)
}
