package engine

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// fitObject cuts the longest lists of one object until the whole answer fits; narrower
// says how to ask for less.
func fitObject(object any, masked []string, meta *envelope.Meta, budget int, narrower string) (Found, error) {
	named := newMaskedPlaces(budget)
	for _, pointer := range masked {
		named.add(general(object, pointer))
	}
	named.tell(meta)
	return cutObject(object, meta, budget, narrower)
}

// cutObject is fitObject where meta names what was masked.
func cutObject(object any, meta *envelope.Meta, budget int, narrower string) (Found, error) {
	room, err := roomIn(meta, budget)
	if err != nil {
		return Found{}, err
	}
	notes := meta.Notes
	for {
		cut, cuts, fits, err := envelope.Shrink(object, room)
		if err != nil {
			return Found{}, err
		}
		if !fits {
			return Found{}, fault.New(fault.ResultTooLarge, "%s does not fit the byte budget of %d even when its lists are cut; %s", meta.Resource, budget, narrower)
		}
		if meta.Cut = cuts; len(cuts) > 0 {
			meta.Truncated = "byte_budget"
			meta.Notes = append(notes[:len(notes):len(notes)], "lists were shortened; to see them whole "+narrower)
		}
		size, err := envelope.Size(envelope.Success(cut, meta))
		if err != nil || size <= budget {
			return Found{Data: cut, Meta: meta}, err
		}
		room -= size - budget // what was cut is told, and that takes room
	}
}

// roomIn is what a budget leaves for data beside the rest of an answer.
func roomIn(meta *envelope.Meta, budget int) (int, error) {
	rest, err := envelope.Size(envelope.Success(nil, meta))
	return budget - rest - len(`,"data":`), err
}

// readRows streams one page: rows are masked one by one and kept while they fit.
func (s *session) readRows(ctx context.Context, r *schema.Resource, q port.ListQuery) (Found, error) {
	whole := s.whole(r)
	page := page{resource: r, masks: redact.For(whole.Attributes), fields: q.Fields, room: s.budget() - envelope.Overhead, count: q.Count, rows: []any{}, there: map[string]bool{}, masked: newMaskedPlaces(s.budget())}
	ask := q
	ask.Count = q.Count + 1 // one row more tells whether something follows
	info, err := s.texts(ctx, veilOf(whole, q.Filter), ask, page.take)
	if err == nil {
		err = page.err
	}
	if err != nil {
		return Found{}, err
	}
	meta := s.meta(r.Path)
	meta.Start, meta.Returned, meta.Truncated, meta.Cut = &q.Start, new(len(page.rows)), page.truncated, page.cuts
	page.masked.tell(meta)
	for _, note := range []string{notThere(page.leftOut()), noneOf(r, len(page.rows))} {
		if note != "" {
			meta.Notes = append(meta.Notes, note)
		}
	}
	if total := info.Matched; total >= 0 {
		meta.Total = &total
	}
	if page.truncated != "" {
		meta.NextStart = new(q.Start + len(page.rows))
	}
	return Found{Data: page.rows, Meta: meta}, nil
}

// page collects rows until their number or their bytes are reached.
type page struct {
	resource *schema.Resource
	masks    *redact.Objects
	fields   []string
	room     int
	count    int
	rows     []any
	// there are the fields that some row has.
	there     map[string]bool
	masked    *maskedPlaces
	truncated string
	cuts      []envelope.Cut
	err       error
}

// take masks a row, as the device wrote it, and keeps it where it fits.
func (p *page) take(row []byte) bool {
	if len(p.rows) == p.count {
		p.truncated = "count"
		return false
	}
	clean, err := p.masks.JSON(row, p.fields)
	if err != nil {
		p.err = notAnObject(err, p.resource)
		return false
	}
	pointers := clean.Pointers
	for i := range pointers {
		pointers[i] = "/*" + pointers[i]
	}
	fits := len(clean.Text)+1+p.masked.cost(pointers) <= p.room
	if !fits && len(p.rows) > 0 {
		p.truncated = "byte_budget"
		return false
	}
	for _, name := range p.fields {
		p.there[name] = p.there[name] || clean.Names[name]
	}
	if !fits {
		return p.keepPart(clean.Text, pointers)
	}
	p.keep(json.RawMessage(clean.Text), len(clean.Text), pointers)
	return true
}

func (p *page) keep(row any, size int, pointers []string) {
	p.room -= size + 1 + p.masked.cost(pointers)
	p.rows = append(p.rows, row)
	p.masked.addAll(pointers)
}

// keepPart keeps the first row with its longest lists cut; a page with rows left is
// never empty.
func (p *page) keepPart(text []byte, pointers []string) bool {
	row, err := canon.DecodeLoose(text)
	if err != nil {
		p.err = err
		return false
	}
	whole := p.room - p.masked.cost(pointers) - 1
	room := whole
	for {
		cut, cuts, fits, err := envelope.Shrink(row, room)
		if err != nil || !fits {
			if p.err = err; err == nil {
				p.err = fault.New(fault.ResultTooLarge, "one row of %s does not fit the byte budget even when its lists are cut; name the attributes that are needed in fields", p.resource.Path)
			}
			return false
		}
		for i := range cuts {
			cuts[i].Pointer = "/0" + cuts[i].Pointer
		}
		size, err := envelope.Size(cut)
		told, errTold := envelope.Size(cuts)
		if err != nil || errTold != nil {
			p.err = fault.New(fault.Internal, "an answer could not be encoded")
			return false
		}
		if size+told <= whole {
			p.cuts = cuts
			p.keep(cut, size+told, pointers)
			return true
		}
		room -= size + told - whole
	}
}

// maskedPlaces are the places that were masked, each once, as far as they fit into a
// part of the budget: their names can come from the device.
type maskedPlaces struct {
	seen  map[string]bool
	list  []string
	room  int
	extra int
}

// maskedShare is the part of a budget that the names of masked places may take.
const maskedShare = 8

func newMaskedPlaces(budget int) *maskedPlaces {
	return &maskedPlaces{seen: map[string]bool{}, room: budget / maskedShare}
}

// add notes a place.
func (m *maskedPlaces) add(pointer string) {
	switch size := m.size(pointer); {
	case size == 0:
		return
	case size > m.room:
		m.extra++
	default:
		m.room -= size
		m.list = append(m.list, pointer)
	}
	m.seen[pointer] = true
}

func (m *maskedPlaces) addAll(pointers []string) {
	for _, pointer := range pointers {
		m.add(pointer)
	}
}

// size is the bytes that a place takes in the answer, 0 where it is noted already.
func (m *maskedPlaces) size(pointer string) int {
	if m.seen[pointer] {
		return 0
	}
	n, err := envelope.Size(pointer)
	if err != nil {
		return m.room + 1
	}
	return n + 1
}

// cost is at least the bytes that noting the places takes.
func (m *maskedPlaces) cost(pointers []string) int {
	total := 0
	for _, pointer := range pointers {
		total += m.size(pointer)
	}
	return min(total, m.room)
}

func (m *maskedPlaces) tell(meta *envelope.Meta) {
	meta.Redacted = m.list
	if m.extra > 0 {
		meta.Notes = append(meta.Notes, strconv.Itoa(m.extra)+" more places were redacted that are not named in redacted")
	}
}

// general is a pointer in which "*" stands for the place in a list.
func general(v any, pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		if i == 0 {
			continue
		}
		switch x := v.(type) {
		case []any:
			n, err := strconv.Atoi(token)
			if err != nil || n < 0 || n >= len(x) {
				return pointer
			}
			tokens[i], v = "*", x[n]
		case map[string]any:
			v = x[fault.Unescape(token)]
		}
	}
	return strings.Join(tokens, "/")
}
