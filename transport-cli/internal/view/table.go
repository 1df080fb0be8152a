package view

import (
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// gap stands between the columns of a table.
const gap = "  "

// narrowest is the width below which a last column is not worth keeping beside
// the others.
const narrowest = 12

// Table writes rows under a heading. On a page that is too narrow the last column
// is cut, and where that is not enough each row becomes a block of lines.
func (p *Page) Table(heading []string, rows [][]string) {
	cells := make([][]string, 0, len(rows)+1)
	for _, row := range append([][]string{heading}, rows...) {
		line := make([]string, len(heading))
		for i := range line {
			if i < len(row) {
				line[i] = redact.Shorten(row[i])
			}
		}
		cells = append(cells, line)
	}
	for i, word := range cells[0] {
		cells[0][i] = strings.ToUpper(word)
	}
	widths := widthsOf(cells)
	if !p.fit(widths) {
		p.blocks(cells)
		return
	}
	for i, line := range cells {
		p.row(line, widths, i == 0)
	}
}

func widthsOf(cells [][]string) []int {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, cell := range line {
			widths[i] = max(widths[i], redact.Width(cell))
		}
	}
	return widths
}

// fit narrows the last column to the page's width and reports whether that is
// enough.
func (p *Page) fit(widths []int) bool {
	if p.style.Width == 0 || len(widths) == 0 {
		return true
	}
	used := len(gap) * (len(widths) - 1)
	for _, w := range widths {
		used += w
	}
	last := len(widths) - 1
	if over := used - p.style.Width; over > 0 {
		if widths[last]-over < narrowest {
			return false
		}
		widths[last] -= over
	}
	return true
}

func (p *Page) row(line []string, widths []int, heading bool) {
	var b strings.Builder
	for i, cell := range line {
		if i == len(line)-1 {
			cell = redact.Line(cell, widths[i])
		}
		painted := p.tint(cell)
		if heading {
			painted = p.paint(bold, cell)
		}
		b.WriteString(painted)
		if i < len(line)-1 {
			b.WriteString(strings.Repeat(" ", widths[i]-redact.Width(cell)) + gap)
		}
	}
	p.line(strings.TrimRight(b.String(), " "))
}

// blocks writes each row as lines of heading and cell.
func (p *Page) blocks(cells [][]string) {
	width := 0
	for _, word := range cells[0] {
		width = max(width, redact.Width(word))
	}
	for i, line := range cells[1:] {
		if i > 0 {
			p.line()
		}
		for j, cell := range line {
			if cell == "" {
				continue
			}
			word := cells[0][j]
			lead := p.paint(bold, word) + strings.Repeat(" ", width-redact.Width(word)) + gap
			p.wrapBehind(lead, width+len(gap), p.tint(cell))
		}
	}
}
