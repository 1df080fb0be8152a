package redact

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes text that a device, a plan or a client chose safe to print: what
// could move a cursor, hide, reorder or pretend becomes a visible escape. The
// result is one line of valid UTF-8 without a byte below 0x20, DEL, C1 controls,
// bidirectional or invisible characters; escaping it again changes nothing.
//
//	control characters         \x1b \r \n \t, C1 as \u{9b}
//	bidi, invisible, odd space \u{202e}
//	private, unassigned        \u{e000}
//	bytes that are not UTF-8   \xff
//	combining marks            \u{301} when first, or beyond two in a row
//	outer and doubled spaces   ·
func Escape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, p := range pieces(s) {
		b.WriteString(p.text)
	}
	return b.String()
}

// Line is Escape cut to at most limit columns, the last of them an ellipsis
// where something is missing: for quoting a device's text in a message. Secrets that
// their form gives away are masked first. A limit below 1 counts as 1.
func Line(s string, limit int) string {
	limit = max(limit, 1)
	masked, _ := maskText(s)
	all := pieces(masked)
	if columns(all) <= limit {
		return join(all)
	}
	return join(head(all, limit-1)) + "…"
}

// markLimit is how many combining marks may follow one character.
const markLimit = 2

// piece is the printed form of one character.
type piece struct {
	text  string
	width int
	// raw is the character, utf8.RuneError for a byte that is none.
	raw rune
	// kind says why the character is escaped; plain for those printed as they are.
	kind kind
}

type kind uint8

const (
	plain kind = iota
	invalid
	control
	bidi
	invisible
	space
	unprintable
	mark
)

// pieces takes a string apart into what is printed for each character.
func pieces(s string) []piece {
	out := make([]piece, 0, len(s))
	marks, base := 0, false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		k := classify(r, size)
		switch {
		case k != plain:
		case r == ' ' && lonely(s, i):
			k = space
		case marks > markLimit, marks > 0 && !base:
			k = mark
		}
		base = k == plain
		out = append(out, show(r, k, s[i]))
		i += size
	}
	return out
}

// lonely reports whether the blank at i stands at an end or beside another one.
func lonely(s string, i int) bool {
	return i == 0 || i == len(s)-1 || s[i-1] == ' ' || s[i+1] == ' '
}

func classify(r rune, size int) kind {
	switch {
	case r == utf8.RuneError && size <= 1:
		return invalid
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return control
	case unicode.Is(bidiControls, r):
		return bidi
	case unicode.Is(invisibles, r):
		return invisible
	case r != ' ' && unicode.Is(unicode.Z, r):
		return space
	case !unicode.IsPrint(r):
		return unprintable
	}
	return plain
}

func show(r rune, k kind, first byte) piece {
	p := piece{raw: r, kind: k}
	switch {
	case k == plain:
		p.text, p.width = string(r), runeWidth(r)
		return p
	case k == space && r == ' ':
		p.text, p.width = "·", 1
		return p
	case k == invalid:
		p.text = `\x` + hexByte(first)
	case r == '\n':
		p.text = `\n`
	case r == '\r':
		p.text = `\r`
	case r == '\t':
		p.text = `\t`
	case r < utf8.RuneSelf:
		p.text = `\x` + hexByte(byte(r)) // #nosec G115 -- below 0x80
	default:
		p.text = `\u{` + strconv.FormatInt(int64(r), 16) + `}`
	}
	p.width = len(p.text)
	return p
}

func hexByte(b byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[b>>4], digits[b&15]})
}

func join(all []piece) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(p.text)
	}
	return b.String()
}

func columns(all []piece) int {
	n := 0
	for _, p := range all {
		n += p.width
	}
	return n
}

// head is the longest beginning that fits into a number of columns.
func head(all []piece, limit int) []piece {
	n := 0
	for i, p := range all {
		if n += p.width; n > limit {
			return all[:i]
		}
	}
	return all
}

// visibleEnds shows a blank at either end of a fragment.
func visibleEnds(all []piece) []piece {
	out := slices.Clone(all)
	for _, i := range []int{0, len(out) - 1} {
		if i >= 0 && i < len(out) && out[i].text == " " {
			out[i].text = "·"
		}
	}
	return out
}

// tail is the longest end that fits; it never begins with a mark that has lost
// its base.
func tail(all []piece, limit int) []piece {
	n, from := 0, len(all)
	for i := len(all) - 1; i >= 0; i-- {
		if n += all[i].width; n > limit {
			break
		}
		from = i
	}
	for from < len(all) && all[from].width == 0 {
		from++
	}
	return all[from:]
}
