package filestate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
)

// Bounds of the look at the log's end that precedes every append. Looking at all
// of it is the business of verification and repair.
const (
	// tailWindow is how many bytes are read, more where a record is longer.
	tailWindow = 16 << 10
	// tailChecked is how many of the last records are checked against their own
	// hash; of the others in the window only the links are.
	tailChecked = 8
	// maxLine bounds a record, in bytes.
	maxLine = 8 << 20
)

// tail is what the end of a log says.
type tail struct {
	// next is where the next record goes; head is nil where there is none yet.
	next audit.Link
	head *audit.Head
	// good is the length of the whole records; what follows up to size is torn.
	good, size int64
	// remembered is the record with the anchor's number, where it was seen.
	remembered *place
}

func (t tail) torn() bool { return t.good < t.size }

// place is what ties a record to its neighbours.
type place struct {
	V     int          `json:"v"`
	Seq   uint64       `json:"seq"`
	Prev  canon.Digest `json:"prev"`
	Hash  canon.Digest `json:"hash"`
	Event audit.Event  `json:"event"`
}

// damage is a bad record that is not the last one, a good one in the wrong
// place, or one of another version of the format.
type damage struct {
	offset  int64
	foreign bool
	cause   error
}

func (d *damage) Error() string { return fmt.Sprintf("damaged at byte %d", d.offset) }
func (d *damage) Unwrap() error { return d.cause }

// walk reads the records of a log file in their order.
type walk struct {
	tail
	// known: next is where the next line must stand, not merely where it may.
	known bool
	// checked is how many of the last lines are checked against their hash.
	checked int
	anchor  *audit.Head
}

// file walks the end of a log file, or all of it where window is its size. On
// *damage the tail describes what is before it.
func (w *walk) file(f io.ReaderAt, window int64) error {
	for ; ; window *= 2 {
		start := max(0, w.size-window)
		data := make([]byte, w.size-start)
		if n, err := f.ReadAt(data, start); n < len(data) {
			return fmt.Errorf("the file shrank while it was read: %w", err)
		}
		if start == 0 {
			return w.lines(data)
		}
		// Two whole records at least, so that a torn one has a good one before it.
		_, whole, _ := bytes.Cut(data, []byte("\n"))
		if bytes.Count(whole, []byte("\n")) >= 2 {
			w.known, w.good = false, w.size-int64(len(whole))
			return w.lines(whole)
		}
		if window > 4*maxLine {
			return &damage{offset: start, cause: errors.New("a record is too long")}
		}
	}
}

func (w *walk) lines(data []byte) error {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	for i, line := range lines {
		p, err := readPlace(line, i >= len(lines)-w.checked)
		if d := (*damage)(nil); errors.As(err, &d) {
			d.offset = w.good
			return d
		}
		if errors.Is(err, audit.ErrTorn) && i == len(lines)-1 {
			return nil // it stays behind good
		}
		if err == nil && w.known && (p.Seq != w.next.Seq || p.Prev != w.next.Prev) {
			err = errors.New("a record does not follow the one before it")
		}
		if err != nil {
			return &damage{offset: w.good, cause: err}
		}
		w.take(p, int64(len(line)))
	}
	return nil
}

func (w *walk) take(p place, length int64) {
	w.head = &audit.Head{Seq: p.Seq, Hash: p.Hash}
	w.next = audit.After(*w.head)
	w.known = true
	w.good += length
	if w.anchor != nil && w.anchor.Seq == p.Seq {
		w.remembered = &p
	}
}

// readPlace reads a line with its newline. What a write that a crash cut off
// leaves is no whole line or no JSON: that is ErrTorn. JSON with a wrong hash was
// changed by somebody. A line of another version is *damage and never torn: a
// newer program's records are not ours to cut.
func readPlace(line []byte, check bool) (place, error) {
	body, whole := bytes.CutSuffix(line, []byte("\n"))
	if !whole {
		return place{}, audit.ErrTorn
	}
	var p place
	err := json.Unmarshal(body, &p)
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		return place{}, audit.ErrTorn
	}
	if err != nil {
		return place{}, err
	}
	if p.V > audit.Format {
		return place{}, &damage{foreign: true, cause: fmt.Errorf("format %d is not known", p.V)}
	}
	if check {
		_, err := audit.ParseLine(body)
		return p, err
	}
	if p.V != audit.Format || p.Hash.IsZero() {
		return place{}, errors.New("not a record")
	}
	return p, nil
}
