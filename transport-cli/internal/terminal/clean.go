package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/forti-mcp/forti/core/redact"
)

// clean is the last wall before a terminal: texts are escaped where they are
// made, and what got past that is escaped here, line by line.
func clean(text string) string {
	if inert(text) {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body, ended := strings.CutSuffix(line, "\n")
		if inert(body) {
			continue
		}
		lines[i] = redact.Escape(body)
		if ended {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "")
}

// inert reports whether a text only draws. Bytes that are no UTF-8 could be
// controls of eight bits.
func inert(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, moves)
}

// moves reports whether a character does something to a terminal besides being
// drawn.
func moves(r rune) bool {
	switch {
	case r == '\n':
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	}
	return false
}
