package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// namedLimit is how many foreign characters EscapeName spells out.
const namedLimit = 8

// EscapeName is Escape for names, keys, paths and hosts: printed characters
// outside ASCII are named behind it, since they can look like others:
// `аdmin [non-ASCII: U+0430]`.
func EscapeName(s string) string {
	var b strings.Builder
	var foreign []string
	for _, p := range pieces(s) {
		b.WriteString(p.text)
		if p.kind == plain && p.raw >= utf8.RuneSelf {
			if point := codePoint(p.raw); !slices.Contains(foreign, point) {
				foreign = append(foreign, point)
			}
		}
	}
	if len(foreign) == 0 {
		return b.String()
	}
	if len(foreign) > namedLimit {
		foreign = append(foreign[:namedLimit], "…")
	}
	return b.String() + " [non-ASCII: " + strings.Join(foreign, " ") + "]"
}

func codePoint(r rune) string { return fmt.Sprintf("U+%04X", r) }

// The limits of Shorten in columns.
const (
	shortenOver = 200
	shortenHead = 120
	shortenTail = 60
)

// Shorten is Escape for long values: beyond 200 columns it gives the first 120,
// the length and hash of the whole, and the last 60, so that what stands at the
// end is never just cut off.
func Shorten(s string) string {
	all := pieces(s)
	if columns(all) <= shortenOver {
		return join(all)
	}
	sum := sha256.Sum256([]byte(s))
	return fmt.Sprintf("%s … %s characters, sha256 %s… … %s", join(visibleEnds(head(all, shortenHead))),
		Thousands(uint64(len(all))), hex.EncodeToString(sum[:4]), join(visibleEnds(tail(all, shortenTail))))
}

// Thousands writes a number with commas: 16,777,216.
func Thousands(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

var notices = []struct {
	kind kind
	text string
}{
	{control, "control characters"},
	{bidi, "characters that reorder text"},
	{invisible, "invisible characters"},
	{space, "unusual, outer or doubled spaces"},
	{unprintable, "private or unassigned characters"},
	{invalid, "bytes that are not UTF-8"},
	{mark, "stacked combining marks"},
}

// Notices says what is unusual about a text, a clause each; nothing for
// ordinary text. The clauses never quote it.
func Notices(s string) []string {
	seen := map[kind]bool{}
	for _, p := range pieces(s) {
		seen[p.kind] = true
	}
	var out []string
	for _, n := range notices {
		if seen[n.kind] {
			out = append(out, n.text)
		}
	}
	if mixed(s) {
		out = append(out, "letters of several scripts in one word")
	}
	return out
}

// scripts are those whose letters are mistaken for each other.
var scripts = []*unicode.RangeTable{
	unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Coptic,
}

// mixed reports whether one word has letters of two of those scripts.
func mixed(s string) bool {
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		found := 0
		for _, script := range scripts {
			if strings.ContainsFunc(word, func(r rune) bool { return unicode.Is(script, r) }) {
				found++
			}
		}
		if found > 1 {
			return true
		}
	}
	return false
}
