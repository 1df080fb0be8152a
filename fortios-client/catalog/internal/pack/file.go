package pack

import (
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"sync"
)

// File reads a catalog file in place. It is safe for concurrent use.
type File struct {
	entries int
	parts   [sections]string
	raw     [sections]int

	dictOnce sync.Once
	dict     []byte
	dictErr  error
}

// Open checks the header of data and keeps data; it inflates nothing. A
// damaged record is only found when it is read.
func Open(data string) (*File, error) {
	if len(data) < headerSize || data[:len(magic)] != magic {
		return nil, corrupt("no header")
	}
	if got := u32(data, 4); got != format {
		return nil, corrupt("format %d, this program reads %d", got, format)
	}
	f := &File{entries: u32(data, 8)}
	for s := range sections {
		at := 12 + int(s)*12
		from, size, raw := u32(data, at), u32(data, at+4), u32(data, at+8)
		if from > len(data) || size > len(data)-from || raw > MaxRecord {
			return nil, corrupt("section %d lies outside the file", s)
		}
		f.parts[s], f.raw[s] = data[from:from+size], raw
	}
	if f.entries > len(f.parts[sectionIndex])/entrySize {
		return nil, corrupt("%d entries in an index of %d bytes", f.entries, len(f.parts[sectionIndex]))
	}
	return f, nil
}

// Len is the number of entries.
func (f *File) Len() int { return f.entries }

// Entry is the i-th entry, in the order of paths. Its texts point into the
// file. An entry whose texts lie outside the file is empty.
func (f *File) Entry(i int) Entry {
	line := f.line(i)
	texts, rest := f.parts[sectionTexts], u32(line, 0)
	if rest > len(texts) {
		return Entry{}
	}
	texts = texts[rest:]
	var field [4]string
	for n := range field {
		size := int(line[12+n])
		if size > len(texts) {
			return Entry{}
		}
		field[n], texts = texts[:size], texts[size:]
	}
	return Entry{Path: field[0], Key: field[1], Since: field[2], Until: field[3], Kind: line[16]}
}

// Find is the place of path in the index.
func (f *File) Find(path string) (int, bool) {
	i := sort.Search(f.entries, func(i int) bool { return f.Entry(i).Path >= path })
	return i, i < f.entries && f.Entry(i).Path == path
}

// Record inflates the block of the i-th entry and gives its record.
func (f *File) Record(i int) ([]byte, error) {
	dict, err := f.dictionary()
	if err != nil {
		return nil, err
	}
	line := f.line(i)
	from, size := u32(line, 4), u32(line, 8)
	b, ok := f.block(from)
	if !ok || size > b.start+b.size-from {
		return nil, corrupt("record %d lies in no block", i)
	}
	data, err := inflate(b.packed, b.size, dict)
	if err != nil {
		return nil, err
	}
	return data[from-b.start:][:size:size], nil
}

// block is a run of records by its place among them.
type block struct {
	start, size int
	packed      string
}

// block is the block with the record at an offset.
func (f *File) block(at int) (block, bool) {
	table, blocks := f.parts[sectionTable], f.parts[sectionBlocks]
	lines := len(table) / tableSize
	next := sort.Search(lines, func(n int) bool { return u32(table, n*tableSize) > at })
	if next == 0 || next == lines {
		return block{}, false
	}
	line := table[(next-1)*tableSize:]
	b := block{start: u32(line, 0), size: u32(line, tableSize) - u32(line, 0)}
	from, to := u32(line, 4), u32(line, tableSize+4)
	if b.size < 0 || b.size > MaxRecord || b.start > at || from > to || to > len(blocks) {
		return block{}, false
	}
	b.packed = blocks[from:to]
	return b, true
}

// Releases inflates the releases.
func (f *File) Releases() ([]byte, error) { return f.section(sectionReleases) }

// Words inflates the words of the search.
func (f *File) Words() ([]byte, error) { return f.section(sectionWords) }

func (f *File) section(s section) ([]byte, error) { return inflate(f.parts[s], f.raw[s], nil) }

// dictionary is kept after the first use, as every record needs it.
func (f *File) dictionary() ([]byte, error) {
	f.dictOnce.Do(func() { f.dict, f.dictErr = f.section(sectionDict) })
	return f.dict, f.dictErr
}

func (f *File) line(i int) string {
	return f.parts[sectionIndex][i*entrySize : (i+1)*entrySize]
}

// inflate insists on the exact size, so that a damaged file cannot make a
// record that is cut off or endless.
func inflate(packed string, size int, dict []byte) ([]byte, error) {
	r := flate.NewReaderDict(strings.NewReader(packed), dict)
	out := make([]byte, size)
	if _, err := io.ReadFull(r, out); err != nil {
		return nil, fmt.Errorf("%w (inflating: %w)", ErrCorrupt, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) {
		return nil, corrupt("inflating: more than %d bytes", size)
	}
	return out, nil
}
