package view

import (
	"fmt"
	"maps"
	"slices"
)

// telling are attributes that an engineer looks for first, in the order in which
// a table shows them.
var telling = []string{
	"policyid", "seq-num", "id", "name", "path", "kind", "host", "port", "vdom", "mode", "default", "status",
	"srcintf", "dstintf", "srcaddr", "dstaddr", "service", "action", "schedule", "nat",
	"type", "subnet", "start-ip", "end-ip", "fqdn", "member", "ip", "interface", "vlanid", "dst", "gateway", "device",
	"protocol", "tcp-portrange", "udp-portrange", "releases", "comment", "comments", "description",
}

// mostColumns is how many columns a table chooses by itself.
const mostColumns = 8

// Columns chooses the columns of a table of objects: the given ones, or else the
// key and what tells the rows apart. hidden is how many attributes are left out.
func Columns(rows []map[string]any, given []string) (columns []string, hidden int) {
	if len(given) > 0 {
		return given, 0
	}
	known := map[string]bool{}
	for _, row := range rows {
		for name, v := range row {
			known[name] = known[name] || Word(v) != ""
		}
	}
	delete(known, "q_origin_key")
	delete(known, "uuid")
	for _, name := range append(slices.Clone(telling), slices.Sorted(maps.Keys(known))...) {
		if known[name] && len(columns) < mostColumns && !slices.Contains(columns, name) && distinct(rows, name, columns) {
			columns = append(columns, name)
		}
	}
	return columns, len(known) - len(columns)
}

// distinct reports whether an attribute is worth a column: the first one always,
// others where rows differ in it or where it is one of the telling.
func distinct(rows []map[string]any, name string, chosen []string) bool {
	if len(chosen) == 0 || slices.Contains(telling, name) {
		return true
	}
	for _, row := range rows[1:] {
		if Word(row[name]) != Word(rows[0][name]) {
			return true
		}
	}
	return false
}

// Rows writes objects as a table, and how many attributes it leaves out.
func (p *Page) Rows(rows []map[string]any, given []string) {
	if len(rows) == 0 {
		p.Say("nothing found")
		return
	}
	columns, hidden := Columns(rows, given)
	cells := make([][]string, 0, len(rows))
	for _, row := range rows {
		line := make([]string, 0, len(columns))
		for _, name := range columns {
			line = append(line, Word(row[name]))
		}
		cells = append(cells, line)
	}
	p.Table(columns, cells)
	if hidden > 0 {
		p.line(fmt.Sprintf("(%d more attributes: name some with --fields, or use -o json)", hidden))
	}
}
