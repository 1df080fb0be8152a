package view

import (
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// Object writes the attributes of an object under each other, those in first
// before the rest, and rows of lists below their attribute.
func (p *Page) Object(object map[string]any, first ...string) {
	names := order(object, first)
	width := 0
	for _, name := range names {
		width = max(width, redact.Width(redact.Escape(name)))
	}
	width = min(width, 28)
	for _, name := range names {
		label := redact.Escape(name)
		label += strings.Repeat(" ", max(width-redact.Width(label), 0)) + gap
		rows, nested := object[name].([]any)
		if text := Word(object[name]); !nested || !strings.HasPrefix(text, "[") {
			p.wrap(label, p.tint(redact.Escape(text)))
			continue
		}
		p.line(strings.TrimRight(label, " "))
		for _, row := range rows {
			p.wrap("  - ", redact.Escape(inline(row)))
		}
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
