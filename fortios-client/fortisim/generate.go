package fortisim

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Generate is a seed that fills a table of the first VDOM with n objects, made
// when they are asked for: object i, counted from 0, has the values that make
// gives, its key among them. So a table of a million objects costs no memory and
// no time to start with, and a page of it costs what its rows cost. A filter, a
// sort, a reference check and Snapshot look at every row; a move makes all rows
// real and keeps them.
//
// make must give the same values each time it is called for an i. The first, the
// middle and the last object are checked at once, like a client's; of the
// others, attributes that the device would refuse are left out. References are
// not checked.
//
// The objects come before those that the table gets in other ways; a key that
// is already there is the object of that other way.
func Generate(path string, n int, make func(i int) map[string]any) Seed {
	return func(d *Device) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		p, no := d.placeOf(path, d.options.VDOMs[0])
		if no != nil {
			return located(no, path)
		}
		g := &generated{n: n, key: p.shape.key, raw: make, over: map[int]*entry{}}
		g.make = func(i int) *entry {
			e, _ := d.generate(p, i, make(i))
			return e
		}
		for _, i := range []int{0, n / 2, n - 1} {
			if i < 0 || i >= n {
				continue
			}
			if _, no := d.generate(p, i, make(i)); no != nil {
				return located(no, path)
			}
		}
		p.table.made = g
		return nil
	}
}

// generate is row i, and the last refusal of one of its values.
func (d *Device) generate(p place, i int, values map[string]any) (*entry, *Refusal) {
	e := newEntry()
	var refusal *Refusal
	for name, raw := range values {
		f := p.shape.byName[name]
		if f == nil {
			refusal = unknownAttribute(name)
			continue
		}
		v, no := d.coerce(f, wireValue(raw), nil, p.writing())
		if no != nil {
			refusal = no
			continue
		}
		e.set(f, v)
		if name == p.shape.key {
			e.values[name] = v
		}
	}
	if e.values[p.shape.key] == nil {
		refusal = mustBeSet(p.shape.key)
	}
	if f := p.shape.byName["uuid"]; f != nil && f.Type == "uuid" && e.values["uuid"] == nil {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", d.options.Serial, p.shape.path, i))
		e.values["uuid"] = uuidText([16]byte(sum[:16]))
	}
	return e, refusal
}

// generated are rows that are made when they are looked at. A nil one has none.
type generated struct {
	n    int
	key  string
	raw  func(i int) map[string]any
	make func(i int) *entry
	over map[int]*entry // rows that were changed
	gone []int          // rows that were deleted, ascending
	most int64          // the largest integer key, 0 until asked
}

func (g *generated) copied() *generated {
	if g == nil {
		return nil
	}
	out := *g
	out.over, out.gone = maps.Clone(g.over), slices.Clone(g.gone)
	return &out
}

func (g *generated) size() int {
	if g == nil {
		return 0
	}
	return g.n - len(g.gone)
}

// row is the row of a number, whatever was deleted.
func (g *generated) row(i int) *entry {
	if e := g.over[i]; e != nil {
		return e
	}
	return g.make(i)
}

// name is the key of a row as it stands in a path.
func (g *generated) name(i int) string {
	text, _ := scalarText(wireValue(g.raw(i)[g.key]))
	return text
}

// at skips what was deleted: place plus the deleted rows before it.
func (g *generated) at(place int) *entry {
	before := sort.Search(len(g.gone), func(k int) bool { return g.gone[k]-k > place })
	return g.row(place + before)
}

// number is the number of the row of a key, -1 if there is none. Keys that end
// in the number of their row, or the one after it, are found at once; others by
// looking at every row.
func (g *generated) number(key string) int {
	if g == nil {
		return -1
	}
	fits := func(i int) bool {
		return i >= 0 && i < g.n && g.name(i) == key
	}
	digits := key[len(strings.TrimRight(key, "0123456789")):]
	found := -1
	if n, err := strconv.Atoi(digits); err == nil {
		for _, i := range []int{n, n - 1} {
			if found < 0 && fits(i) {
				found = i
			}
		}
	}
	for i := 0; i < g.n && found < 0; i++ {
		if fits(i) {
			found = i
		}
	}
	if _, deleted := slices.BinarySearch(g.gone, found); deleted {
		return -1
	}
	return found
}

func (g *generated) find(key string) *entry {
	i := g.number(key)
	if i < 0 {
		return nil
	}
	return g.row(i)
}

func (g *generated) position(key string) int {
	i := g.number(key)
	before, _ := slices.BinarySearch(g.gone, i)
	return i - before
}

func (g *generated) replace(key string, e *entry) {
	if i := g.number(key); i >= 0 {
		g.over[i] = e
	}
}

func (g *generated) remove(key string) {
	if i := g.number(key); i >= 0 {
		at, _ := slices.BinarySearch(g.gone, i)
		g.gone = slices.Insert(g.gone, at, i)
	}
}

// largest is the largest integer key of all rows, deleted ones included.
func (g *generated) largest() int64 {
	if g == nil {
		return 0
	}
	if g.most == 0 {
		g.most = g.scan()
	}
	return g.most
}

func (g *generated) scan() int64 {
	var most int64
	for i := range g.n {
		id, err := strconv.ParseInt(g.name(i), 10, 64)
		if err == nil {
			most = max(most, id)
		}
	}
	return most
}
