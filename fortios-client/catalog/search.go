package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// maxQueryWords bounds the work of one search; further words are ignored.
const maxQueryWords = 16

// Found says what of a resource a search matched.
type Found string

// What a search can match.
const (
	ByPath      Found = "path"
	ByAttribute Found = "attribute" // or a parameter or action of a monitor endpoint
	ByOption    Found = "option"
	BySynonym   Found = "synonym" // a word of the trade for it
)

// Hit is one result of a search.
type Hit struct {
	Entry
	By    Found  // the best match of any word of the query
	Name  string // the attribute or option that matched; empty for a path
	Score int    // higher is better; comparable within one search only
}

// The scores of one word. A better class beats a worse one, whatever else
// matches; the whole path beats all words.
const (
	scoreOption    = 1
	scoreOptionIs  = 2
	scoreAttribute = 4
	scoreAttrIs    = 8
	scoreWholeName = 16 // of several words, such as srcaddr-negate
	scoreContained = 32
	scorePrefix    = 64
	scorePart      = 128
	scoreSegment   = 256
	scoreLast      = 384 // the last segment names the thing itself
	scoreIdiom     = 768 // for each word of a phrase of the trade
	scorePath      = 1 << 16
)

// Search finds the entries of a kind ("" for all) that have all words of the
// query in their path or among the names of their attributes and options, best
// first, then the more central, then by path. Where no entry has all words, those
// with the most are found. Case, plural and what separates words (blank, hyphen,
// slash, dot) make no difference, and neither do words such as "the"; words of the
// trade find what FortiOS calls otherwise ("port forwarding" is firewall/vip). The first search decodes the list of names, no resource.
func (c *Catalog) Search(query string, kind Kind) []Hit {
	all := queryWords(query)
	if len(all) == 0 {
		return nil
	}
	words := telling(all)
	tally := c.newTally(kind)
	for _, word := range words {
		tally.byPath(word)
		tally.byName(&c.names().options, word, ByOption, scoreOption, scoreOptionIs)
		tally.byName(&c.names().attributes, word, ByAttribute, scoreAttribute, scoreAttrIs)
		tally.closeWord()
	}
	if len(words) > 1 {
		tally.wholeName(lowerASCII(strings.TrimSpace(query)), len(words))
	}
	tally.joined(words)
	tally.byIdiom(all, len(words))
	tally.wholePath(strings.Join(all, " "))
	return tally.hits()
}

// queryWords are the distinct words of a query in their singular.
func queryWords(query string) []string {
	var out []string
	for _, word := range strings.Fields(plain(query)) {
		word = singular(word)
		if !slices.Contains(out, word) && len(out) < maxQueryWords {
			out = append(out, word)
		}
	}
	return out
}

// plain is text in lower case with blanks for everything that separates words.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("-/._+,:", r):
			return ' '
		case 'A' <= r && r <= 'Z':
			return r + ('a' - 'A')
		default:
			return r
		}
	}, text)
}

// singular takes off the plural of the words that names of resources have:
// policies, addresses, routes. Words such as dns, status and radius keep their s.
func singular(word string) string {
	if stem, ok := strings.CutSuffix(word, "ies"); ok && len(stem) > 2 {
		return stem + "y"
	}
	if stem, ok := strings.CutSuffix(word, "sses"); ok {
		return stem + "ss"
	}
	stem, ok := strings.CutSuffix(word, "s")
	if !ok || len(stem) < 3 || strings.HasSuffix(stem, "s") || strings.HasSuffix(stem, "u") || strings.HasSuffix(stem, "i") {
		return word
	}
	return stem
}

// tally collects the scores of one search by place in the index.
type tally struct {
	names *names
	kind  Kind
	entry func(i int) Entry
	word  []mark // of the current word
	total []mark // of all words so far
	found []int  // how many words
}

// mark is the best match so far, and where it was.
type mark struct {
	score int
	by    Found
	name  string
}

func (m *mark) raise(to mark) {
	if to.score > m.score {
		*m = to
	}
}

func (c *Catalog) newTally(kind Kind) *tally {
	n := c.file.Len()
	return &tally{names: c.names(), kind: kind, entry: c.entry, word: make([]mark, n), total: make([]mark, n), found: make([]int, n)}
}

func (t *tally) byPath(word string) {
	for i, path := range t.names.paths {
		if at := strings.Index(path, word); at >= 0 {
			t.word[i].raise(mark{score: pathScore(path, word), by: ByPath})
		}
	}
}

// pathScore is the class of a word that the path has; the path has a slash
// between segments and a blank between the parts of one. A segment of a short
// path says more of it than one of a long path.
func pathScore(path, word string) int {
	best, segments := scoreContained, strings.Count(path, "/")+1
	n := 0
	for segment := range strings.SplitSeq(path, "/") {
		n++
		switch {
		case singular(segment) != word:
			best = max(best, partScore(segment, word))
		case n == segments:
			return scoreLast - segments
		default:
			best = max(best, scoreSegment-segments)
		}
	}
	return best
}

func partScore(segment, word string) int {
	best := 0
	for part := range strings.SplitSeq(segment, " ") {
		switch {
		case singular(part) == word:
			return scorePart
		case strings.HasPrefix(part, word):
			best = scorePrefix
		}
	}
	return best
}

// byName leaves out single letters, which nearly every name has.
func (t *tally) byName(list *nameList, word string, by Found, contained, equal int) {
	if len(word) < 2 {
		return
	}
	list.each(word, func(name string, exact bool, places []uint16) {
		score := contained
		if exact {
			score = equal
		}
		for _, i := range places {
			t.word[i].raise(mark{score: score, by: by, name: name})
		}
	})
}

// closeWord adds the scores of the current word to the totals.
func (t *tally) closeWord() {
	for i, m := range t.word {
		if m.score == 0 {
			continue
		}
		t.found[i]++
		sum := t.total[i].score + m.score
		if t.found[i] == 1 || m.score > t.total[i].score {
			t.total[i] = m
		}
		t.total[i].score = sum
	}
	clear(t.word)
}

// wholeName prefers the name that the whole query is to names with its words.
func (t *tally) wholeName(query string, words int) {
	t.byName(&t.names.options, query, ByOption, 0, scoreOptionIs)
	t.byName(&t.names.attributes, query, ByAttribute, 0, scoreAttrIs)
	for i, m := range t.word {
		if m.score == 0 {
			continue
		}
		t.found[i] = words
		m.score = scoreWholeName + t.total[i].score
		if t.total[i].by == ByPath {
			m.by, m.name = ByPath, ""
		}
		t.total[i] = m
	}
	clear(t.word)
}

// joined finds what is written in one word in the catalog and in several in
// the query, or the other way round: "ip pool" is firewall/ippool.
func (t *tally) joined(words []string) {
	query := strings.Join(words, "")
	for i, path := range t.names.squeezed {
		if !strings.Contains(path, query) || t.found[i] == 1 && len(words) == 1 {
			continue
		}
		score := scorePart
		if lastSegment(path) == query {
			score = scoreLast
		}
		t.found[i] = len(words)
		t.total[i] = mark{score: t.total[i].score + score, by: ByPath}
	}
}

// byIdiom finds what the phrases of the trade in a query mean. A longer phrase says
// more than a shorter one, and an earlier entry of one is likelier than a later one.
func (t *tally) byIdiom(words []string, asked int) {
	for _, idiom := range idioms() {
		if !containsAll(words, idiom.words) {
			continue
		}
		for rank, path := range idiom.paths {
			i, ok := t.names.places[path]
			if !ok {
				continue
			}
			t.found[i] = min(asked, t.found[i]+len(idiom.words))
			score := scoreIdiom*len(idiom.words) - rank
			if t.total[i].score < score {
				t.total[i] = mark{score: t.total[i].score + score, by: BySynonym, name: strings.Join(idiom.words, " ")}
			}
		}
	}
}

func containsAll(list, wanted []string) bool {
	for _, w := range wanted {
		if !slices.Contains(list, w) {
			return false
		}
	}
	return true
}

// wholePath raises the entry whose path the query is; the leading "monitor"
// of an endpoint may be missing.
func (t *tally) wholePath(query string) {
	for i, key := range t.names.keys {
		if key == query || strings.TrimPrefix(key, "monitor ") == query {
			t.total[i].score += scorePath
		}
	}
}

func (t *tally) hits() []Hit {
	var hits []Hit
	most := 1
	for i, m := range t.total {
		if t.found[i] < most {
			continue
		}
		e := t.entry(i)
		if t.kind != "" && e.Kind != t.kind {
			continue
		}
		if t.found[i] > most {
			most, hits = t.found[i], hits[:0]
		}
		hits = append(hits, Hit{Entry: e, By: m.by, Name: m.name, Score: m.score})
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(centrality()[b.Path], centrality()[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	return hits
}
