package jsonrpc

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// scan walks one JSON text (RFC 8259) once, without recursion, and notes what is
// wrong with it beyond the grammar.
type scan struct {
	text []byte
	pos  int
	// open holds the brackets that are not closed yet; fresh: the innermost is empty.
	open  []byte
	fresh bool
	// names are those of the open objects; starts says where each level's begin.
	names   []span
	starts  [MaxDepth]int
	decoded []byte
	tooDeep bool
	twice   bool
}

// span is a name: a part of the text, or of decoded where it has escapes.
type span struct {
	from, to int32
	escaped  bool
}

// document reports whether the text is one valid JSON value.
func (s *scan) document() bool {
	if !utf8.Valid(s.text) || !s.value() {
		return false
	}
	for len(s.open) > 0 {
		if !s.entry() {
			return false
		}
	}
	s.space()
	return s.pos == len(s.text)
}

// entry reads the next entry of the innermost container, or its end.
func (s *scan) entry() bool {
	s.space()
	bracket, first := s.open[len(s.open)-1], s.fresh
	s.fresh = false
	switch c := s.peek(); {
	case c == bracket+2: // in ASCII each closing bracket stands two after its opening one
		s.close()
		return true
	case first:
	case c == ',':
		s.pos++
	default:
		return false
	}
	if bracket == '{' && !s.name() {
		return false
	}
	return s.value()
}

// value reads a scalar, or opens a container.
func (s *scan) value() bool {
	s.space()
	switch c := s.peek(); {
	case c == '{' || c == '[':
		s.begin(c)
		return true
	case c == '"':
		return s.string()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	}
	return s.number()
}

func (s *scan) begin(bracket byte) {
	s.pos++
	s.fresh = true
	s.open = append(s.open, bracket)
	if len(s.open) > MaxDepth {
		s.tooDeep = true
		return
	}
	s.starts[len(s.open)-1] = len(s.names)
}

func (s *scan) close() {
	s.pos++
	level := len(s.open) - 1
	s.open = s.open[:level]
	if level < MaxDepth {
		s.twice = s.twice || s.repeats(s.names[s.starts[level]:])
		s.names = s.names[:s.starts[level]]
	}
}

// name reads a member's name and the colon.
func (s *scan) name() bool {
	s.space()
	start := s.pos
	if s.peek() != '"' || !s.string() {
		return false
	}
	if len(s.open) <= MaxDepth {
		s.names = append(s.names, s.spanOf(start, s.pos))
	}
	s.space()
	if s.peek() != ':' {
		return false
	}
	s.pos++
	return true
}

func (s *scan) spanOf(start, end int) span {
	quoted := s.text[start:end]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return span{from: int32(start + 1), to: int32(end - 1)} //nolint:gosec // a line has at most MaxLine bytes
	}
	from := len(s.decoded)
	s.decoded = append(s.decoded, unquote(quoted)...)
	return span{from: int32(from), to: int32(len(s.decoded)), escaped: true} //nolint:gosec // decoded is no longer than the text
}

// repeats reports whether a name stands twice. It puts the names in order.
func (s *scan) repeats(names []span) bool {
	if len(names) < 2 {
		return false
	}
	slices.SortFunc(names, func(a, b span) int { return bytes.Compare(s.bytes(a), s.bytes(b)) })
	for i := range names[1:] {
		if bytes.Equal(s.bytes(names[i]), s.bytes(names[i+1])) {
			return true
		}
	}
	return false
}

func (s *scan) bytes(n span) []byte {
	if n.escaped {
		return s.decoded[n.from:n.to]
	}
	return s.text[n.from:n.to]
}

func (s *scan) space() {
	for s.pos < len(s.text) && isSpace(s.text[s.pos]) {
		s.pos++
	}
}

// peek is the next byte; 0, which no grammar rule takes, at the end.
func (s *scan) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scan) literal(word string) bool {
	if !bytes.HasPrefix(s.text[s.pos:], []byte(word)) {
		return false
	}
	s.pos += len(word)
	return true
}

// string reads a string whose opening quote is next.
func (s *scan) string() bool {
	for i := s.pos + 1; i < len(s.text); i++ {
		switch c := s.text[i]; {
		case c == '"':
			s.pos = i + 1
			return true
		case c < ' ':
			return false
		case c == '\\':
			n := escapeLength(s.text[i:])
			if n == 0 {
				return false
			}
			i += n - 1
		}
	}
	return false
}

func (s *scan) number() bool {
	if s.peek() == '-' {
		s.pos++
	}
	if s.peek() == '0' {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.pos++
		if c := s.peek(); c == '+' || c == '-' {
			s.pos++
		}
		return s.digits()
	}
	return true
}

func (s *scan) digits() bool {
	start := s.pos
	for isDigit(s.peek()) {
		s.pos++
	}
	return s.pos > start
}
