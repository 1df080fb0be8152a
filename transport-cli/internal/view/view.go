// Package view writes results: tables for people, JSON and YAML for programs.
//
// A [Page] is the only way to write for people. The program's own words reach it
// as constants; every other text passes through package redact on its way, so
// that nothing a device chose can move a cursor or draw a line of its own.
package view

import (
	"strings"

	"github.com/forti-mcp/forti/core/fault"
)

// Format is the form of a result on standard output.
type Format string

// The formats. The zero Format counts as Table.
const (
	Table Format = "table"
	JSON  Format = "json"
	YAML  Format = "yaml"
)

// ParseFormat reads the name of a format.
func ParseFormat(text string) (Format, error) {
	switch f := Format(text); f {
	case Table, JSON, YAML:
		return f, nil
	}
	problem := "must be one of table, json, yaml"
	return "", fault.New(fault.Usage, "--output: %s", problem).
		With("problems", []fault.Problem{{Pointer: "--output", Problem: problem}})
}

// Style says how a page looks. The zero Style is plain and of any width.
type Style struct {
	Colour bool
	// Width is the number of columns, 0 for no limit.
	Width int
}

// own is text of this program. Constants of other packages become own by
// themselves; nothing else does.
type own string

// Page collects lines for people.
type Page struct {
	style Style
	text  strings.Builder
}

// NewPage makes an empty page.
func NewPage(s Style) *Page { return &Page{style: s} }

// String is the page, each line ended by LF.
func (p *Page) String() string { return p.text.String() }

func (p *Page) line(parts ...string) {
	for _, part := range parts {
		p.text.WriteString(part)
	}
	p.text.WriteByte('\n')
}
