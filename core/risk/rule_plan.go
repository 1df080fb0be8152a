package risk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
)

func redactLine(s string) string { return redact.Line(s, 200) }

// The thresholds of the rules that count.
const (
	someDeletes, manyDeletesOver = 5, 20
	tableShare                   = 20 // percent
	someOperations, manyOver     = 20, 100
)

// deleted is R-DEL-01 for one operation.
func deleted(_ *world, c *Change) []finding {
	if c.Op != plan.OpDelete {
		return nil
	}
	return fired(plan.Medium, "%s is deleted", what(c))
}

// manyDeletes is R-DEL-01 for the plan.
func manyDeletes(w *world) []finding {
	type table struct{ path, vdom string }
	total := 0
	counts, size := map[table]int{}, map[table]*int{}
	for i := range w.changes {
		if c := &w.changes[i]; c.Op == plan.OpDelete {
			at := table{c.Resource, c.VDOM}
			total++
			counts[at]++
			if c.Rows != nil && (size[at] == nil || *c.Rows < *size[at]) {
				size[at] = c.Rows
			}
		}
	}
	var out []finding
	switch {
	case total > manyDeletesOver:
		out = fired(plan.Critical, "%d objects are deleted", total)
	case total > someDeletes:
		out = fired(plan.High, "%d objects are deleted", total)
	}
	for at, n := range counts {
		switch rows := size[at]; {
		case n <= someDeletes:
		case rows == nil:
			out = append(out, finding{plan.Critical, fmt.Sprintf("%d rows of %s are deleted, and how many it has is not known", n, redactLine(at.path))})
		case n*100 > *rows*tableShare:
			out = append(out, finding{plan.Critical, fmt.Sprintf("%d of %d rows of %s are deleted", n, *rows, redactLine(at.path))})
		}
	}
	slices.SortStableFunc(out, func(a, b finding) int { return cmp.Compare(a.text, b.text) })
	return out
}

// size is R-SIZE-01.
func size(w *world) []finding {
	switch n := len(w.changes); {
	case n > manyOver:
		return fired(plan.Critical, "the plan has %d operations: more than are easily checked one by one", n)
	case n > someOperations:
		return fired(plan.High, "the plan has %d operations: more than are easily checked one by one", n)
	}
	return nil
}

// saving is R-SAVE-01.
func saving(w *world) []finding {
	save := w.management().Save
	touched := false
	for _, c := range w.touched["system/global"] {
		touched = true
		if c.After != nil && c.After["cfg-save"] != nil && text(c.After["cfg-save"]) != "automatic" {
			save = text(c.After["cfg-save"])
		}
	}
	switch {
	case save == "automatic":
		return nil
	case save != "":
		return fired(plan.High, "the device does not save changes by itself (cfg-save is %s): they are lost at a restart, or undone after a while, unless saved on the device", quote(save))
	case touched:
		return fired(plan.High, "whether the device saves changes by itself is not known")
	}
	w.note("whether the device saves changes by itself is not known")
	return nil
}

// scopes is R-MIX-01.
func scopes(w *world) []finding {
	var found []string
	for i := range w.changes {
		name := "VDOM " + quote(w.changes[i].VDOM)
		if w.changes[i].VDOM == "" {
			name = "the global scope"
		}
		if !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if len(found) < 2 {
		return nil
	}
	slices.Sort(found)
	return fired(plan.High, "the plan changes %s together", joined(found))
}

// joined prints at most five things.
func joined(all []string) string {
	const most = 5
	if len(all) > most {
		all = append(all[:most:most], fmt.Sprintf("%d more", len(all)-most))
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}
