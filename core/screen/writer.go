package screen

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
)

// own is text of this program: literals, numbers, times, digests. Constants
// become own by themselves; everything else goes through a function below.
type own string

// safe is text that may hold escaped text of others. It never stands in the
// first column.
type safe string

func number(n int) own { return own(strconv.Itoa(n)) }

func stamp(t time.Time) own { return own(t.UTC().Format("2006-01-02 15:04:05 UTC")) }

func digest(d canon.Digest) own { return own(d.String()) }

func planID(id plan.ID) own { return own(id.String()) }

// tierName is the tier in capitals; an unknown one counts as the highest.
func tierName(t plan.Tier) own { return own(strings.ToUpper(string(plan.Tiers()[t.Rank()]))) }

// plural is "1 row" or "3 rows".
func plural(n int, one own) own {
	if n == 1 {
		return number(n) + " " + one
	}
	return number(n) + " " + one + "s"
}

// ago is a duration in words.
func ago(d time.Duration) own {
	switch {
	case d < 0:
		return "in the future"
	case d < time.Minute:
		return plural(int(d/time.Second), "second") + " ago"
	case d < 2*time.Hour:
		return plural(int(d/time.Minute), "minute") + " ago"
	case d < 48*time.Hour:
		return plural(int(d/time.Hour), "hour") + " ago"
	}
	return plural(int(d/(24*time.Hour)), "day") + " ago"
}

// writer collects lines. say and data are its only ways in.
type writer struct {
	width int
	text  strings.Builder
	// odd collects what was unusual in texts of others, in order of appearance.
	odd []string
}

// say writes the program's own words, from the first column.
func (w *writer) say(parts ...own) {
	w.lines("", "", string(join(parts)))
}

// data writes a line that may hold text of others: behind the gutter, on each
// wrapped line again.
func (w *writer) data(gutter own, text safe) {
	w.lines(string(gutter), "  ", string(text))
}

func (w *writer) gap() { w.text.WriteByte('\n') }

func join(parts []own) own {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(string(p))
	}
	return own(b.String())
}

// lines wraps a text at blanks, or anywhere where a word is too long.
func (w *writer) lines(gutter, indent, text string) {
	first := true
	for first || text != "" {
		room := w.width - redact.Width(gutter)
		if !first {
			room -= len(indent)
		}
		var line string
		line, text = split(text, room)
		w.text.WriteString(gutter)
		if !first {
			w.text.WriteString(indent)
		}
		w.text.WriteString(line)
		w.text.WriteByte('\n')
		first = false
	}
}

// split cuts a text after at most room columns, after a blank where there is one.
func split(text string, room int) (line, rest string) {
	columns, blank := 0, 0
	for i, r := range text {
		columns += redact.Width(string(r))
		if columns > room && i > 0 {
			if blank > 0 {
				return strings.TrimRight(text[:blank], " "), strings.TrimLeft(text[blank:], " ")
			}
			return text[:i], text[i:]
		}
		if r == ' ' {
			blank = i + 1
		}
	}
	return text, ""
}

// gutter is the margin of an operation's lines: its number and a sign.
func gutter(n int, sign own) own {
	digits := number(n)
	return own(strings.Repeat(" ", max(3-len(digits), 0))) + digits + " " + sign + " "
}

// margin is the gutter of lines that belong to no operation.
func margin(sign own) own { return "  " + sign + "   " }

// name escapes a name, path, key or host.
func (w *writer) name(s string) safe {
	w.notice(s)
	return safe(redact.EscapeName(s))
}

// quoted is a name between quotation marks.
func (w *writer) quoted(s string) safe {
	w.notice(s)
	return `"` + safe(strings.ReplaceAll(redact.EscapeName(s), `"`, `\"`)) + `"`
}

// value escapes a value; a long one is shortened in the middle unless full.
func (w *writer) value(s string, full bool) safe {
	w.notice(s)
	if full {
		return safe(redact.Escape(s))
	}
	return safe(redact.Shorten(s))
}

// noticeColumns is how much of an unusual text its notice repeats.
const noticeColumns = 60

// notice remembers what is unusual about a text.
func (w *writer) notice(s string) {
	clauses := redact.Notices(s)
	if len(clauses) == 0 {
		return
	}
	line := strings.Join(clauses, ", ") + ": " + redact.Line(s, noticeColumns)
	if !slices.Contains(w.odd, line) {
		w.odd = append(w.odd, line)
	}
}
