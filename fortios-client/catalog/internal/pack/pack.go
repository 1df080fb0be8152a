// Package pack is the layout of the embedded catalog file: an index that can
// be read in place, and records that are inflated one at a time.
//
// The file is a header, an index of fixed-width entries sorted by path, the
// entries' texts, and deflated sections. All numbers are little-endian.
//
//	header    magic "FOSC", format (u32), number of entries (u32),
//	          then for each section: offset, length, inflated length (u32 each)
//	index     per entry: offset of its texts, offset and length of its record
//	          (u32 each), lengths of path, key, since, until (u8 each), kind (u8),
//	          three zero bytes
//	texts     path, key, since and until of each entry, end to end
//	dict      deflated; the preset dictionary of all blocks
//	releases  deflated JSON
//	words     deflated; see [EncodeWords]
//	table     per block: offset of its first record, offset in blocks (u32 each);
//	          a last line gives both ends
//	blocks    deflated against the preset dictionary
//
// Records are JSON. They lie end to end, as their offsets count, and are cut
// into blocks of whole records: small neighbours share one of at most 8 KB, a
// larger record has its own. On their own, small records would need half as
// much again.
//
// The package knows nothing of what records mean. Reading never panics: every
// offset is checked, and nothing inflates beyond [MaxRecord].
package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// MaxRecord is the largest inflated size of a block or section, in bytes.
const MaxRecord = 4 << 20

// ErrCorrupt is wrapped by every error about bytes that are not a catalog file.
var ErrCorrupt = errors.New("catalog file is corrupt: regenerate it with go generate")

// Entry is one line of the index.
type Entry struct {
	Path, Key, Since, Until string
	Kind                    byte
}

// Contents is what Build puts into a file.
type Contents struct {
	Entries  []Entry  // sorted by path, no path twice, no text longer than 255 bytes
	Records  [][]byte // one per entry
	Releases []byte
	Words    []byte
	Dict     []byte // at most 32 KiB: the window of deflate
}

const (
	magic      = "FOSC"
	format     = 1
	maxDict    = 32 << 10
	blockSize  = 8 << 10 // a record joins a block if it does not get larger than this
	entrySize  = 20
	tableSize  = 8
	headerSize = 12 + int(sections)*12
)

// section numbers the parts of the file, in their order.
type section int

const (
	sectionIndex section = iota
	sectionTexts
	sectionDict
	sectionReleases
	sectionWords
	sectionTable
	sectionBlocks
	sections
)

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w (%s)", ErrCorrupt, fmt.Sprintf(format, args...))
}

// u32 reads a number in place; binary's own readers would need a byte slice.
// What is too large for the file is cut to a number that is, too, and that
// fits an int of 32 bits.
func u32(s string, at int) int {
	_ = s[at+3]
	n := uint32(s[at]) | uint32(s[at+1])<<8 | uint32(s[at+2])<<16 | uint32(s[at+3])<<24
	return int(min(n, 1<<31-1)) //nolint:gosec // fits
}

func appendU32(b []byte, numbers ...int) ([]byte, error) {
	for _, n := range numbers {
		if n < 0 || n > 1<<31-1 {
			return nil, fmt.Errorf("catalog file: %d does not fit", n)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n)) //nolint:gosec // checked above
	}
	return b, nil
}
