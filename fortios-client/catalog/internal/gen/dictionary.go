package main

import (
	"cmp"
	"slices"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// dictionarySize is the window of deflate: what lies further back is not used.
const dictionarySize = 32 << 10

// dictionary is what records have in common: whole attributes that recur,
// the most profitable ones last, where deflate reaches them most cheaply.
func (f facts) dictionary() ([]byte, error) {
	count := make(map[string]int)
	for _, r := range f.resources {
		if err := countAttributes(count, r.Attributes); err != nil {
			return nil, err
		}
	}
	texts := make([]string, 0, len(count))
	for text, n := range count {
		if n > 1 {
			texts = append(texts, text)
		}
	}
	gain := func(text string) int { return (count[text] - 1) * len(text) }
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(gain(b), gain(a)), cmp.Compare(a, b))
	})
	var chosen []string
	size := 0
	for _, text := range texts {
		if size += len(text); size > dictionarySize {
			break
		}
		chosen = append(chosen, text)
	}
	slices.Reverse(chosen)
	var out []byte
	for _, text := range chosen {
		out = append(out, text...)
	}
	return out, nil
}

// countAttributes counts texts without their children's, comma included.
func countAttributes(count map[string]int, list []catalog.Attribute) error {
	for _, a := range list {
		if err := countAttributes(count, a.Attributes); err != nil {
			return err
		}
		a.Attributes = nil
		text, err := compact(a)
		if err != nil {
			return err
		}
		count[string(text)+","]++
	}
	return nil
}
