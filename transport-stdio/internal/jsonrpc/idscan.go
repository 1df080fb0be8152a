package jsonrpc

// maxScannedID bounds the id of a discarded line; a longer one counts as unreadable.
const maxScannedID = chunk

// idScan finds the id at the top level of an object that arrives in pieces. It
// keeps the current name and the id, nothing else, and does not check the rest
// of the text: the line is refused anyway.
type idScan struct {
	depth   int
	part    part
	quoted  bool
	escaped bool
	// name is the outermost member's name as it stands in the text.
	name []byte
	// found counts ids; taking: the current value is the first one's; value is its text.
	found  int
	taking bool
	value  []byte
	// lost: this is no object, or its id is too long to keep.
	lost bool
}

// part is where in the outermost object the scan stands.
type part uint8

const (
	beforeName part = iota
	inName
	afterName
	inValue
	afterObject
)

func (s *idScan) feed(text []byte) {
	for _, c := range text {
		switch {
		case s.lost:
			return
		case s.quoted:
			s.inText(c)
		default:
			s.structure(c)
		}
	}
}

// inText takes a byte of a string, its closing quote included.
func (s *idScan) inText(c byte) {
	s.keep(c)
	switch {
	case s.escaped:
		s.escaped = false
	case c == '\\':
		s.escaped = true
	case c == '"':
		s.quoted = false
		if s.part == inName {
			s.part = afterName
		}
	}
}

// structure takes a byte outside of strings.
func (s *idScan) structure(c byte) {
	if s.depth == 0 {
		s.outside(c)
		return
	}
	if s.depth == 1 && s.outermost(c) {
		return
	}
	s.keep(c)
	switch c {
	case '"':
		s.quoted = true
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
	}
}

// outside takes the opening brace, and space around the object; whatever else
// stands there is not a message.
func (s *idScan) outside(c byte) {
	switch {
	case c == '{' && s.part == beforeName:
		s.depth = 1
	case !isSpace(c):
		s.lost = true
	}
}

// outermost takes the bytes that shape the outermost object, and says whether c
// was one.
func (s *idScan) outermost(c byte) bool {
	switch {
	case c == '"' && s.part == beforeName:
		s.part, s.quoted, s.name = inName, true, append(s.name[:0], c)
	case c == ':' && s.part == afterName:
		s.part = inValue
		s.beginValue()
	case c == ',' && s.part == inValue:
		s.part, s.taking = beforeName, false
	case c == '}':
		s.depth, s.part, s.taking = 0, afterObject, false
	default:
		return s.part != inValue
	}
	return true
}

func (s *idScan) beginValue() {
	if IsString(s.name) && string(unquote(s.name)) == "id" {
		s.found++
		s.taking = s.found == 1
	}
}

// keep stores a byte of a name or of the id.
func (s *idScan) keep(c byte) {
	switch {
	case s.part == inName:
		// A name that is longer than "id" in escapes is cut, and then no string.
		if len(s.name) <= len(`"\u0069\u0064"`) {
			s.name = append(s.name, c)
		}
	case s.taking && len(s.value) < maxScannedID:
		s.value = append(s.value, c)
	case s.taking:
		s.lost = true
	}
}

// id is the id as it came; nil where there is none, more than one, a wrong one or
// one that the line's end cut short.
func (s *idScan) id() []byte {
	if s.lost || s.found != 1 || s.taking {
		return nil
	}
	return readableID(trimSpace(s.value))
}
