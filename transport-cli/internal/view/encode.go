package view

import (
	"strings"
	"unicode/utf8"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/redact"
)

// Encode writes an envelope as JSON or YAML, with one LF at its end. Characters
// that could act on a terminal are written as escapes: the value is the same.
func Encode(e envelope.Envelope, f Format) ([]byte, error) {
	data, err := e.Encode()
	if err != nil {
		return nil, err
	}
	switch f {
	case JSON:
		return append([]byte(inert(string(data), writeUTF16)), '\n'), nil
	case YAML:
		return yamlOf(data)
	case Table:
	}
	return nil, fault.New(fault.Internal, "an envelope has no table")
}

// Row writes one row of a stream: a line of JSON, or an item of a YAML list.
func Row(row map[string]any, f Format) ([]byte, error) {
	if f == YAML {
		data, err := envelope.JSON([]any{row})
		if err != nil {
			return nil, err
		}
		return yamlOf(data)
	}
	data, err := envelope.JSON(row)
	if err != nil {
		return nil, err
	}
	return append([]byte(inert(string(data), writeUTF16)), '\n'), nil
}

// inert replaces characters that could act on a terminal, or hide on it, by
// escapes.
func inert(text string, escape func(b *strings.Builder, r rune)) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if !strings.ContainsFunc(text, acts) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if acts(r) {
			escape(&b, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// acts reports whether a character is more than a drawn sign. LF and the ASCII
// blank stand in the encodings themselves.
func acts(r rune) bool {
	if r == '\n' || r >= 0x20 && r < 0x7f {
		return false
	}
	return redact.Escape("a"+string(r)+"a") != "a"+string(r)+"a"
}

const hexDigits = "0123456789abcdef"

func writeUnit(b *strings.Builder, letter byte, n uint32, digits int) {
	b.WriteByte('\\')
	b.WriteByte(letter)
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[n>>shift&15])
	}
}

func writeUTF16(b *strings.Builder, r rune) {
	if r <= 0xffff {
		writeUnit(b, 'u', uint32(r), 4) //nolint:gosec // a rune is not negative here
		return
	}
	r -= 0x10000
	writeUnit(b, 'u', uint32(0xd800+r>>10), 4)
	writeUnit(b, 'u', uint32(0xdc00+r&0x3ff), 4)
}

func writeUTF32(b *strings.Builder, r rune) {
	if r < utf8.RuneSelf*2 {
		writeUnit(b, 'x', uint32(r), 2) //nolint:gosec // as above
		return
	}
	if r <= 0xffff {
		writeUnit(b, 'u', uint32(r), 4)
		return
	}
	writeUnit(b, 'U', uint32(r), 8)
}
