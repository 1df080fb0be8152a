package pack

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// Word is a name of the search with the entries that have it.
type Word struct {
	Text    string
	Entries []int // ascending places in the index
}

// EncodeWords writes lists of words: per list the number of words, the length
// of the texts, the texts with a line feed after each, and per word the number
// of entries and their distances. Numbers are uvarints.
func EncodeWords(lists ...[]Word) ([]byte, error) {
	var out []byte
	for _, list := range lists {
		var texts, places []byte
		for _, w := range list {
			if strings.Contains(w.Text, "\n") {
				return nil, fmt.Errorf("catalog file: line feed in the word %q", w.Text)
			}
			texts = append(append(texts, w.Text...), '\n')
			places = binary.AppendUvarint(places, uint64(len(w.Entries)))
			last := 0
			for _, e := range w.Entries {
				if e < last {
					return nil, fmt.Errorf("catalog file: entries of the word %q are out of order", w.Text)
				}
				places = binary.AppendUvarint(places, uint64(e-last)) //nolint:gosec // not negative, see above
				last = e
			}
		}
		out = binary.AppendUvarint(out, uint64(len(list)))
		out = binary.AppendUvarint(out, uint64(len(texts)))
		out = append(append(out, texts...), places...)
	}
	return out, nil
}

// WordList is a decoded list: Texts holds the words, a line feed after each;
// word i starts at Starts[i] and its entries are Places[Ends[i-1]:Ends[i]].
type WordList struct {
	Texts  string
	Starts []int32
	Ends   []int32
	Places []uint16
}

// DecodeWords reads n lists. entries is the number of entries of the file:
// a word of an entry beyond it is an error.
func DecodeWords(data []byte, n, entries int) ([]WordList, error) {
	r := &reader{data: data}
	lists := make([]WordList, n)
	for i := range lists {
		lists[i] = r.list(min(entries, 1<<16))
	}
	if r.failed || len(r.data) != 0 {
		return nil, corrupt("words of the search")
	}
	return lists, nil
}

type reader struct {
	data   []byte
	failed bool
}

// number reads a uvarint that is at most limit.
func (r *reader) number(limit int) int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > uint64(max(limit, 0)) { //nolint:gosec // never negative
		r.failed, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int(n) //nolint:gosec // at most limit
}

func (r *reader) list(entries int) WordList {
	words := r.number(len(r.data))
	size := r.number(len(r.data))
	if r.failed || size > len(r.data) {
		r.failed = true
		return WordList{}
	}
	l := WordList{Texts: string(r.data[:size]), Starts: make([]int32, 0, words), Ends: make([]int32, 0, words)}
	r.data = r.data[size:]
	at := 0
	for line := range strings.Lines(l.Texts) {
		l.Starts = append(l.Starts, int32(at)) //nolint:gosec // within MaxRecord
		at += len(line)
	}
	if len(l.Starts) != words {
		r.failed = true
		return WordList{}
	}
	for range words {
		r.places(&l, entries)
	}
	return l
}

func (r *reader) places(l *WordList, entries int) {
	last := 0
	for range r.number(len(r.data)) {
		last += r.number(entries - 1 - last)
		if r.failed {
			return
		}
		l.Places = append(l.Places, uint16(last)) //nolint:gosec // below entries, at most 1<<16
	}
	l.Ends = append(l.Ends, int32(len(l.Places))) //nolint:gosec // at most one a byte of the section
}
