package jsonrpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// chunk is how much the reader holds while it waits for the end of a line.
const chunk = 64 << 10

// Line is one line of input without its ending, or what is known of one that
// was too long to keep.
type Line struct {
	Text []byte
	// TooLong: the line was discarded. ID is its id as it came, nil where none
	// could be read.
	TooLong bool
	ID      []byte
}

// Reader splits a stream into lines.
type Reader struct {
	in *bufio.Reader
	// limit is the most bytes of a line; size is how much is held while its end has
	// not come.
	limit, size int
}

// NewReader reads lines of at most [MaxLine] bytes from r.
func NewReader(r io.Reader) *Reader { return newReader(r, MaxLine, chunk) }

func newReader(r io.Reader, limit, size int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, size), limit: limit, size: size}
}

// Next gives the next line that is not blank. The caller owns it. A last line
// without an ending counts; after it the error is io.EOF. Any other error is
// the stream's own, and what came of its line is lost.
func (r *Reader) Next() (Line, error) {
	for {
		line, err := r.line()
		if err != nil || line.TooLong || len(trimSpace(line.Text)) > 0 {
			return line, err
		}
	}
}

func (r *Reader) line() (Line, error) {
	part, err := r.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return r.ended(part, err, func() []byte { return bytes.Clone(part) })
	}
	kept := append(make([]byte, 0, 4*r.size), part...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if len(kept) > r.limit+len("\r") { // so no ending can make it fit
			return r.discard(kept)
		}
		part, err = r.in.ReadSlice('\n')
		kept = r.grow(kept, part)
	}
	return r.ended(kept, err, func() []byte { return kept })
}

// grow appends part. A line that outgrows its first room gets all it may ever
// need at once: growing by steps would leave twice as much behind.
func (r *Reader) grow(kept, part []byte) []byte {
	if len(kept)+len(part) > cap(kept) {
		kept = append(make([]byte, 0, r.limit+2*r.size), kept...)
	}
	return append(kept, part...)
}

// ended makes the line of raw, which ends as ReadSlice said with err.
func (r *Reader) ended(raw []byte, err error, own func() []byte) (Line, error) {
	if err != nil && (!errors.Is(err, io.EOF) || len(raw) == 0) {
		return Line{}, err
	}
	n := len(trimEnding(raw))
	if n > r.limit {
		var s idScan
		s.feed(raw)
		return Line{TooLong: true, ID: s.id()}, nil
	}
	return Line{Text: own()[:n]}, nil
}

func trimEnding(raw []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
}

// discard reads to the end of a line that is too long, looking for its id.
func (r *Reader) discard(head []byte) (Line, error) {
	var s idScan
	s.feed(head)
	for {
		part, err := r.in.ReadSlice('\n')
		s.feed(part)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil, errors.Is(err, io.EOF):
			return Line{TooLong: true, ID: s.id()}, nil
		default:
			return Line{}, err
		}
	}
}
