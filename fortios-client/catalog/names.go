package catalog

import (
	"slices"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/fortios-client/catalog/internal/pack"
)

// names is what a search looks through. It is made by the first one.
type names struct {
	paths      []string // plain, but with the slashes, by place in the index
	squeezed   []string // plain without the blanks, by place in the index
	keys       []string // as the words of a query, by place in the index
	places     map[string]int
	attributes nameList
	options    nameList
}

// wordLists is how many lists the catalog file has: attributes and options.
const wordLists = 2

// nameList finds names by a part of them.
type nameList struct {
	pack.WordList
	lower string // Texts in lower case; the offsets are the same
}

type lazyNames struct {
	once  sync.Once
	names names
}

// names never fails: what is damaged finds nothing, and Check tells why.
func (c *Catalog) names() *names {
	c.lazy.once.Do(func() {
		c.lazy.names = c.pathNames()
		data, err := c.file.Words()
		if err != nil {
			return
		}
		lists, err := pack.DecodeWords(data, wordLists, c.file.Len())
		if err != nil {
			return
		}
		c.lazy.names.attributes = nameList{lists[0], lowerASCII(lists[0].Texts)}
		c.lazy.names.options = nameList{lists[1], lowerASCII(lists[1].Texts)}
	})
	return &c.lazy.names
}

func (c *Catalog) pathNames() names {
	n := names{places: map[string]int{}}
	for e := range c.Entries("") {
		segments := strings.Split(e.Path, "/")
		for i := range segments {
			segments[i] = plain(segments[i])
		}
		path := strings.Join(segments, "/")
		n.places[e.Path] = len(n.paths)
		n.paths = append(n.paths, path)
		n.squeezed = append(n.squeezed, strings.ReplaceAll(path, " ", ""))
		n.keys = append(n.keys, strings.Join(queryWords(e.Path), " "))
	}
	return n
}

// lowerASCII keeps the length, which strings.ToLower does not promise.
func lowerASCII(text string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, text)
}

// each calls yield with the names that contain word and their places in the index.
func (l *nameList) each(word string, yield func(name string, exact bool, places []uint16)) {
	for at := 0; at < len(l.lower); {
		hit := strings.Index(l.lower[at:], word)
		if hit < 0 {
			return
		}
		n, exact := slices.BinarySearch(l.Starts, int32(at+hit)) //nolint:gosec // within a section
		if !exact {
			n--
		}
		start, end := int(l.Starts[n]), len(l.lower)
		if n+1 < len(l.Starts) {
			end = int(l.Starts[n+1])
		}
		name := l.Texts[start : end-1]
		yield(name, l.lower[start:end-1] == word, l.places(n))
		at = end
	}
}

func (l *nameList) places(n int) []uint16 {
	from := int32(0)
	if n > 0 {
		from = l.Ends[n-1]
	}
	return l.Places[from:l.Ends[n]]
}
