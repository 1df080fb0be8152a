package fortisim

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// configWriter renders the store in the syntax of FortiOS configuration files.
type configWriter struct {
	device *Device
	out    *strings.Builder
	depth  int
	// secret is what a set secret is written as.
	secret func(string) string
	// canonical leaves out what changes without meaning: uuids, the ids of
	// child rows, the order of rows where it has none.
	canonical bool
}

func (w *configWriter) line(text string) {
	if text != "" {
		w.out.WriteString(strings.Repeat("    ", w.depth))
	}
	w.out.WriteString(text)
	w.out.WriteByte('\n')
}

// section writes the tables of a VDOM, "" for those of the whole device.
func (w *configWriter) section(vdom string) {
	for _, k := range w.device.tableKeys() {
		if k.vdom != vdom || w.device.tables[k].size() == 0 {
			continue
		}
		s, err := w.device.shapeOf(k.path)
		if err != nil {
			continue // of another release
		}
		w.block(s, "config "+configName(k.path), slices.Collect(w.device.tables[k].all()))
	}
}

// block writes a table, or a singleton's one entry.
func (w *configWriter) block(s *shape, head string, rows []*entry) {
	if s.kind == catalog.Singleton && len(rows[0].values) == 0 {
		return
	}
	w.line(head)
	w.depth++
	if s.kind == catalog.Singleton {
		w.entry(s, rows[0])
	} else {
		w.rows(s, rows)
	}
	w.depth--
	w.line("end")
}

func (w *configWriter) rows(s *shape, rows []*entry) {
	// The ids of child rows are left out, so that their order is all that is left of them.
	counted := s.keyType == "integer" && s.name != ""
	if w.canonical && !s.movable && !counted {
		rows = slices.Clone(rows)
		slices.SortFunc(rows, func(a, b *entry) int {
			return cmp.Compare(keyText(a.values[s.key]), keyText(b.values[s.key]))
		})
	}
	for i, e := range rows {
		key := quoteKey(e.values[s.key])
		if w.canonical && counted {
			key = fmt.Sprintf("#%d", i+1)
		}
		w.line("edit " + key)
		w.depth++
		w.entry(s, e)
		w.depth--
		w.line("next")
	}
}

// entry writes what is set, in the order of the facts.
func (w *configWriter) entry(s *shape, e *entry) {
	for _, f := range s.fields {
		v, set := e.values[f.Name]
		if !set || f.Name == s.key || w.canonical && f.Type == "uuid" {
			continue
		}
		switch v := v.(type) {
		case []*entry:
			w.childRows(f, v)
		case *entry:
			w.block(f.child, "config "+f.Name, []*entry{v})
		case string:
			w.line("set " + f.Name + " " + w.word(f, v))
		default:
			w.line("set " + f.Name + " " + keyText(v))
		}
	}
}

// childRows writes a list of members as one line, other child tables as a block.
func (w *configWriter) childRows(f *field, rows []*entry) {
	if !f.child.onlyKey() {
		w.block(f.child, "config "+f.Name, rows)
		return
	}
	words := make([]string, 0, len(rows))
	for _, row := range rows {
		words = append(words, quoteKey(row.values[f.child.key]))
	}
	if w.canonical {
		slices.Sort(words)
	}
	w.line("set " + f.Name + " " + strings.Join(words, " "))
}

// word writes a text: names and free texts in quotes, options, addresses and
// secrets without, as the device does.
func (w *configWriter) word(f *field, v string) string {
	switch f.kindOf {
	case secretValue:
		return w.secret(v)
	case optionValue, addressValue:
		return v
	case textValue, intValue, childTable, nestedObject:
	}
	if f.Type == "uuid" || f.Type == "user" && !strings.ContainsAny(v, "\"\\ \n") {
		return v
	}
	return quote(v)
}

func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func quoteKey(key any) string {
	if text, ok := key.(string); ok {
		return quote(text)
	}
	return keyText(key)
}
