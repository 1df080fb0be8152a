package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// widestName bounds the column of attribute names.
const widestName = 36

// Object writes the attributes of an object under each other, those in first
// before the rest, and rows of lists below their attribute. Empty ones are left
// out, and counted.
func (p *Page) Object(object map[string]any, first ...string) {
	var names []string
	empty, width := 0, 0
	for _, name := range order(object, first) {
		if Word(object[name]) == "" {
			empty++
			continue
		}
		names = append(names, name)
		width = max(width, redact.Width(redact.Escape(name)))
	}
	for _, name := range names {
		p.attribute(name, object[name], min(width, widestName))
	}
	if empty > 0 {
		p.line(fmt.Sprintf("(%d empty attributes; -o json shows them)", empty))
	}
}

// attribute writes one attribute, its name in a column of some width.
func (p *Page) attribute(name string, value any, width int) {
	label := redact.Escape(name)
	label += strings.Repeat(" ", max(width-redact.Width(label), 0)) + gap
	rows, isList := value.([]any)
	if _, nested := value.(map[string]any); nested {
		p.wrap(label, redact.Escape(inline(value)))
		return
	}
	if text := Word(value); !isList || !strings.HasPrefix(text, "[") {
		p.wrap(label, p.tint(redact.Escape(text)))
		return
	}
	p.line(strings.TrimRight(label, " "))
	for _, row := range rows {
		p.wrap("  - ", redact.Escape(inline(row)))
	}
}

// inline is an object as "name: value, name: value".
func inline(v any) string {
	object, ok := v.(map[string]any)
	if !ok {
		return Word(v)
	}
	words := make([]string, 0, len(object))
	for _, name := range order(object, nil) {
		if text := Word(object[name]); text != "" && name != "q_origin_key" {
			words = append(words, name+": "+text)
		}
	}
	return strings.Join(words, ", ")
}

func order(object map[string]any, first []string) []string {
	names := make([]string, 0, len(object))
	for _, name := range first {
		if _, ok := object[name]; ok {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains(first, name) {
			names = append(names, name)
		}
	}
	return names
}
