package syntax

import (
	"fmt"
	"strings"
)

// maxDepth bounds the nesting of config blocks; FortiOS nests five deep.
const maxDepth = 16

// Error says where a file cannot be read.
type Error struct {
	Line    int // counted from 1
	Problem string
}

// Error names line and problem.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// Body is what stands between config or edit and its end.
type Body struct {
	Sets    []Set
	Blocks  []Block
	Entries []Entry
}

// Set is one "set" or "unset".
type Set struct {
	Line   int
	Name   string
	Values []string // none for unset
	Unset  bool
}

// Block is one "config" with the words that follow it, such as "firewall
// address".
type Block struct {
	Line int
	Name string
	Body Body
}

// Entry is one "edit" of a table.
type Entry struct {
	Line int
	Key  string
	Body Body
}

// Parse reads a whole file. The error is an *Error.
func Parse(raw []byte) (Body, error) {
	if len(raw) > MaxBytes {
		return Body{}, &Error{Line: 1, Problem: fmt.Sprintf("the file is larger than %d bytes", MaxBytes)}
	}
	p := &parser{scanner: scanner{text: string(raw)}}
	var top Body
	how, err := p.body(&top, 0, false)
	if err == nil && how.words != nil {
		err = &Error{Line: how.number, Problem: fmt.Sprintf("%q closes nothing", how.words[0])}
	}
	return top, err
}

type parser struct{ scanner scanner }

// body reads commands up to an end, a next or the end of the file; the line
// that ended it is given back.
func (p *parser) body(b *Body, depth int, inTable bool) (line, error) {
	for {
		l, more, err := p.scanner.next()
		if err != nil || !more {
			return line{number: p.scanner.number}, err
		}
		switch word := l.words[0]; {
		case word == "end" || word == "next":
			return l, nil
		case word == "config" && len(l.words) > 1:
			err = p.block(b, l, depth)
		case word == "edit" && len(l.words) == 2 && inTable:
			var closed bool
			if closed, err = p.entry(b, l, depth); closed {
				return line{number: l.number, words: []string{"end"}}, err
			}
		case word == "set" && len(l.words) > 1:
			b.Sets = append(b.Sets, Set{Line: l.number, Name: l.words[1], Values: l.words[2:]})
		case word == "unset" && len(l.words) == 2:
			b.Sets = append(b.Sets, Set{Line: l.number, Name: l.words[1], Unset: true})
		default:
			return line{}, &Error{Line: l.number, Problem: fmt.Sprintf("%q is not expected here", strings.Join(l.words[:min(3, len(l.words))], " "))}
		}
		if err != nil {
			return line{}, err
		}
	}
}

func (p *parser) block(b *Body, l line, depth int) error {
	if depth >= maxDepth {
		return &Error{Line: l.number, Problem: fmt.Sprintf("config nests deeper than %d", maxDepth)}
	}
	block := Block{Line: l.number, Name: strings.Join(l.words[1:], " ")}
	how, err := p.body(&block.Body, depth+1, true)
	if err == nil && (how.words == nil || how.words[0] != "end") {
		err = &Error{Line: l.number, Problem: "config has no end"}
	}
	b.Blocks = append(b.Blocks, block)
	return err
}

// entry reads an edit up to its next. An end closes the table with it, as it
// does for virtual domains: closed says so.
func (p *parser) entry(b *Body, l line, depth int) (closed bool, err error) {
	e := Entry{Line: l.number, Key: l.words[1]}
	how, err := p.body(&e.Body, depth, false)
	b.Entries = append(b.Entries, e)
	if err == nil && how.words == nil {
		err = &Error{Line: l.number, Problem: "edit has no next"}
	}
	return err == nil && how.words[0] == "end", err
}
