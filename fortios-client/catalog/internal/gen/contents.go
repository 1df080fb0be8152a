package main

import (
	"cmp"
	"slices"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/catalog/internal/pack"
)

// line is one record with its line of the index and its words for the search.
type line struct {
	entry       pack.Entry
	record      []byte
	names, opts []string
}

// contents are the facts in the form of the embedded file.
func (f facts) contents() (pack.Contents, error) {
	lines, err := f.lines()
	if err != nil {
		return pack.Contents{}, err
	}
	var c pack.Contents
	names, opts := make(map[string][]int), make(map[string][]int)
	for i, l := range lines {
		c.Entries = append(c.Entries, l.entry)
		c.Records = append(c.Records, l.record)
		collect(names, l.names, i)
		collect(opts, l.opts, i)
	}
	if c.Releases, err = compact(f.releases); err != nil {
		return pack.Contents{}, err
	}
	if c.Words, err = pack.EncodeWords(words(names), words(opts)); err != nil {
		return pack.Contents{}, err
	}
	c.Dict, err = f.dictionary()
	return c, err
}

func (f facts) lines() ([]line, error) {
	var lines []line
	for _, r := range f.resources {
		record, err := compact(r)
		if err != nil {
			return nil, err
		}
		l := line{entry: pack.Entry{Path: r.Path, Kind: r.Kind[0], Key: r.Key, Since: r.Since, Until: r.Until}, record: record}
		l.addAttributes(r.Attributes)
		lines = append(lines, l)
	}
	for _, e := range f.endpoints {
		record, err := compact(e)
		if err != nil {
			return nil, err
		}
		l := line{entry: pack.Entry{Path: e.Path, Kind: catalog.Monitor[0]}, record: record}
		l.entry.Since, l.entry.Until = hull(e.Calls)
		l.addCalls(e.Calls)
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.entry.Path, b.entry.Path) })
	return lines, nil
}

func (l *line) addAttributes(list []catalog.Attribute) {
	for _, a := range list {
		l.names = append(l.names, a.Name)
		for _, o := range a.Options {
			l.opts = append(l.opts, o.Value)
		}
		l.addAttributes(a.Attributes)
	}
}

func (l *line) addCalls(list []catalog.Call) {
	for _, c := range list {
		if c.Action != "" {
			l.names = append(l.names, c.Action)
		}
		for _, p := range c.Params {
			l.names = append(l.names, p.Name)
			l.opts = append(l.opts, p.Options...)
		}
	}
}

// hull is the window of an endpoint: from its first call to its last. It is
// open at an end where a call is, or where calls differ.
func hull(calls []catalog.Call) (since, until string) {
	since, until = calls[0].Since, calls[0].Until
	for _, c := range calls[1:] {
		if c.Since != since {
			since = ""
		}
		if c.Until != until {
			until = ""
		}
	}
	return since, until
}

func collect(into map[string][]int, list []string, entry int) {
	slices.Sort(list)
	for _, word := range slices.Compact(list) {
		into[word] = append(into[word], entry)
	}
}

func words(of map[string][]int) []pack.Word {
	list := make([]pack.Word, 0, len(of))
	for text, entries := range of {
		list = append(list, pack.Word{Text: text, Entries: entries})
	}
	slices.SortFunc(list, func(a, b pack.Word) int { return cmp.Compare(a.Text, b.Text) })
	return list
}
