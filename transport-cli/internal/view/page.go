package view

import (
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// Say writes a line of the program's own words; none gives an empty line.
func (p *Page) Say(words own) { p.line(string(words)) }

// Title writes a line that stands out where colour is on.
func (p *Page) Title(words own) { p.line(p.paint(bold, string(words))) }

// Text writes a text of others behind the program's own words, wrapped to the
// page's width.
func (p *Page) Text(lead own, text string) { p.wrap(string(lead), redact.Escape(text)) }

// Field writes a named value, the values of a page under each other. Values that
// are known to be good or bad are coloured.
func (p *Page) Field(name own, value string) {
	const column = 12
	label := string(name)
	pad := strings.Repeat(" ", max(column-len(label), 1))
	p.line(label, pad, p.tint(redact.Escape(value)))
}

// wrap breaks a text at blanks; continued lines stand under its beginning.
func (p *Page) wrap(lead, text string) { p.wrapBehind(lead, redact.Width(lead), text) }

// wrapBehind is wrap for a lead whose width is known, since it may be coloured.
func (p *Page) wrapBehind(lead string, columns int, text string) {
	indent := strings.Repeat(" ", columns)
	room := p.style.Width - len(indent)
	coloured := strings.HasPrefix(text, "\x1b") // one of the known words
	if p.style.Width == 0 || room < 10 || coloured {
		p.line(lead, text)
		return
	}
	for {
		head, rest := cut(text, room)
		p.line(lead, head)
		if rest == "" {
			return
		}
		lead, text = indent, rest
	}
}

// cut takes at most room columns off a text, up to a blank where there is one.
func cut(text string, room int) (head, rest string) {
	columns, blank := 0, 0
	for i, r := range text {
		if columns += redact.Width(string(r)); columns > room && i > 0 {
			if blank > 0 {
				return strings.TrimRight(text[:blank], " "), text[blank:]
			}
			return text[:i], text[i:]
		}
		if r == ' ' {
			blank = i + 1
		}
	}
	return text, ""
}

// Block writes text that somebody will copy: line by line, unchanged but for
// characters that could act on a terminal.
func (p *Page) Block(text string) {
	for line := range strings.Lines(text) {
		p.line(inert(strings.TrimSuffix(line, "\n"), writeUTF16))
	}
}

// Quote writes a line that was made for a terminal, as it is but for characters
// that could act on one, behind the program's own words.
func (p *Page) Quote(lead own, line string) { p.line(string(lead), inert(line, writeUTF16)) }

// Headline writes a numbered title.
func (p *Page) Headline(n int, text string) {
	p.line(p.paint(bold, strconv.Itoa(n)+". "+redact.Escape(text)))
}
