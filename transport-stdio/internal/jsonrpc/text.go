package jsonrpc

import (
	"bytes"
	"iter"
	"unicode/utf16"
	"unicode/utf8"
)

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// trimSpace takes off what JSON counts as space, which is less than Unicode does.
func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\r\n") }

// IsObject reports whether a valid value is an object.
func IsObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }

// IsString reports whether text is one valid JSON string and nothing else.
func IsString(text []byte) bool {
	s := scan{text: text}
	return s.peek() == '"' && s.string() && s.pos == len(text) && utf8.Valid(text)
}

// String is the text of a valid value; false where it is not a string.
func String(value []byte) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return string(unquote(value)), true
}

// Members gives the names, decoded, and the values of a valid object in their
// order; of any other value it gives nothing.
func Members(object []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		if !IsObject(object) {
			return
		}
		s := scan{text: object, pos: 1}
		for {
			for isSpace(s.peek()) || s.peek() == ',' {
				s.pos++
			}
			start := s.pos
			if s.peek() != '"' || !s.string() {
				return
			}
			name := unquote(object[start:s.pos])
			for isSpace(s.peek()) || s.peek() == ':' {
				s.pos++
			}
			start = s.pos
			s.skip()
			if !yield(name, trimSpace(object[start:s.pos])) {
				return
			}
		}
	}
}

// Member is one value of a valid object; nil where it has none of that name.
func Member(object []byte, name string) []byte {
	for n, value := range Members(object) {
		if string(n) == name {
			return value
		}
	}
	return nil
}

// skip passes over one valid value of an object.
func (s *scan) skip() {
	for depth := 0; s.pos < len(s.text); s.pos++ {
		switch s.text[s.pos] {
		case '"':
			if !s.string() {
				return
			}
			s.pos--
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
		case ',':
			if depth == 0 {
				return
			}
		}
	}
}

// escapeLength is the length of the valid escape at the start of text, else 0.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 0
	}
	switch text[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := unit(text); ok {
			return 6
		}
	}
	return 0
}

// unit is the value of the \u escape at the start of text.
func unit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range text[2:6] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// unquote is the text of a valid string with its quotes. A lone surrogate
// becomes the replacement character.
func unquote(quoted []byte) []byte {
	text := quoted[1 : len(quoted)-1]
	at := bytes.IndexByte(text, '\\')
	if at < 0 {
		return text
	}
	plain := append(make([]byte, 0, len(text)), text[:at]...)
	for i := at; i < len(text); {
		if text[i] != '\\' {
			plain = append(plain, text[i])
			i++
			continue
		}
		r, n := unescape(text[i:])
		plain = utf8.AppendRune(plain, r)
		i += n
	}
	return plain
}

// unescape reads one valid escape and says how many bytes it took.
func unescape(text []byte) (rune, int) {
	switch text[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unescapeUnit(text)
	}
	return rune(text[1]), 2
}

func unescapeUnit(text []byte) (rune, int) {
	high, _ := unit(text)
	if !utf16.IsSurrogate(high) {
		return high, 6
	}
	if low, ok := unit(text[6:]); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}
