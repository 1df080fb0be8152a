package syntax

import "strings"

// MaxBytes bounds a file: 64 MiB, several times the largest configuration that
// a FortiGate has.
const MaxBytes = 64 << 20

// line is one command with its words, quotes and escapes resolved.
type line struct {
	number int // where it begins, counted from 1
	words  []string
}

// scanner splits a file into lines of words.
type scanner struct {
	text   string
	at     int
	number int
}

// next is the next line that has words; false at the end.
func (s *scanner) next() (line, bool, error) {
	for s.at < len(s.text) {
		s.number++
		l := line{number: s.number}
		if err := s.line(&l); err != nil {
			return line{}, false, err
		}
		if len(l.words) > 0 {
			return l, true, nil
		}
	}
	return line{}, false, nil
}

// line reads words up to the end of the line. A comment begins a line.
func (s *scanner) line(l *line) error {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\n':
			s.at++
			return nil
		case c == ' ' || c == '\t' || c == '\r':
			s.at++
		case c == '#' && len(l.words) == 0:
			s.skipLine()
		default:
			word, err := s.word(l.number)
			if err != nil {
				return err
			}
			l.words = append(l.words, word)
		}
	}
	return nil
}

func (s *scanner) skipLine() {
	end := strings.IndexByte(s.text[s.at:], '\n')
	if end < 0 {
		end = len(s.text) - s.at
	}
	s.at += end
}

// word reads one word, parts of which may be quoted.
func (s *scanner) word(begin int) (string, error) {
	var b strings.Builder
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			return b.String(), nil
		case '"', '\'':
			s.at++
			if err := s.quoted(&b, c, begin); err != nil {
				return "", err
			}
		case '\\':
			s.escaped(&b)
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	return b.String(), nil
}

// quoted reads up to the closing quote, over ends of lines.
func (s *scanner) quoted(b *strings.Builder, quote byte, begin int) error {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == quote:
			s.at++
			return nil
		case c == '\\' && quote == '"':
			s.escaped(b)
		case c == '\r' && strings.HasPrefix(s.text[s.at:], "\r\n"):
			s.at++
		default:
			if c == '\n' {
				s.number++
			}
			b.WriteByte(c)
			s.at++
		}
	}
	return &Error{Line: begin, Problem: "a quoted text does not end"}
}

func (s *scanner) escaped(b *strings.Builder) {
	s.at++
	if s.at < len(s.text) {
		if s.text[s.at] == '\n' {
			s.number++
		}
		b.WriteByte(s.text[s.at])
		s.at++
	}
}
