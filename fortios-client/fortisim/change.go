package fortisim

import (
	"time"
)

// place is where a change happens: a table or singleton in a VDOM.
type place struct {
	vdom   string
	shape  *shape
	table  *table
	device bool // the device itself writes, not a client
	global bool // scope=global
}

func (d *Device) placeOf(path, vdom string) (place, *Refusal) {
	s, err := d.shapeOf(path)
	if err != nil {
		return place{}, missing()
	}
	return place{vdom: vdom, shape: s, table: d.tableOf(s, vdom)}, nil
}

func (p place) writing() *writing { return &writing{vdom: p.vdom, device: p.device} }

// create adds a row and gives its key.
func (d *Device) create(p place, body object) (any, *Refusal) {
	s := p.shape
	key, no := d.rowKey(s, func() int64 { return p.table.nextID(s.key) }, body)
	if no != nil {
		return nil, no
	}
	if p.table.find(keyText(key)) != nil {
		if d.behaviour().DuplicateAccepted {
			return key, nil
		}
		return nil, duplicate()
	}
	if no := d.full(p); no != nil {
		return nil, no
	}
	if no := d.admitVDOM(p, body); no != nil {
		return nil, no
	}
	e := newEntry()
	e.values[s.key] = key
	d.birth(p, e)
	w := p.writing()
	w.lenient = d.behaviour().CreateSavedDespite500
	if no := d.apply(s, e, body, w); no != nil {
		return nil, no
	}
	d.dropInapplicable(s, e)
	if no := d.whole(s, p.table, e); no != nil && w.broken == nil {
		return nil, no
	}
	p.table.add(keyText(key), e)
	p.table.changes++
	d.afterCreate(p, e)
	return key, w.broken
}

// birth gives a new row what the device itself sets.
func (d *Device) birth(p place, e *entry) {
	if f := p.shape.byName["uuid"]; f != nil && f.Type == "uuid" {
		e.values["uuid"] = d.uuid()
	}
	if f := p.shape.byName["vdom"]; f != nil && p.shape.scope == "both" && f.child == nil {
		e.values["vdom"] = p.vdom
	}
}

// update changes the named attributes of a row or singleton.
func (d *Device) update(p place, key string, body object) *Refusal {
	s := p.shape
	old := p.table.find(key)
	if old == nil && s.key == "" {
		old = newEntry()
		p.table.add("", old)
	}
	if old == nil {
		return missing()
	}
	if no := d.admitVDOM(p, body); no != nil {
		return no
	}
	raw, given := body.get(s.key)
	text, _ := scalarText(raw)
	other := given && s.key != "" && text != key
	if other && !d.behaviour().RenameAccepted {
		return canNotEdit(s.key) // whether a PUT may rename: ?
	}
	e := old.clone()
	if no := d.apply(s, e, body, p.writing()); no != nil {
		if d.behaviour().EarlierAttributesKept {
			_ = d.commit(p, key, old, e) // what was refused is answered either way
		}
		return no
	}
	if other {
		return d.rename(p, key, raw, e)
	}
	return d.commit(p, key, old, e)
}

// commit puts a changed row in the place of the old one if it is sound.
func (d *Device) commit(p place, key string, old, e *entry) *Refusal {
	d.dropInapplicable(p.shape, e)
	if no := d.whole(p.shape, p.table, e); no != nil {
		return no
	}
	if !d.behaviour().NoopChangesRevision && e.equal(old) {
		return nil
	}
	p.table.replace(key, e)
	p.table.changes++
	return nil
}

// remove deletes a row that nothing uses.
func (d *Device) remove(p place, key string) *Refusal {
	e := p.table.find(key)
	if e == nil {
		return missing()
	}
	if no := d.removable(p, e); no != nil {
		return no
	}
	p.table.remove(key)
	p.table.changes++
	d.afterDelete(p, e)
	return nil
}

func (d *Device) removable(p place, e *entry) *Refusal {
	key := keyText(e.values[p.shape.key])
	if d.fixed(p.shape, e) {
		return canNotEdit(key)
	}
	if n := len(d.users(p.shape, p.vdom, key)) + len(d.inUseElsewhere(p, key)); n > 0 {
		return inUse(n)
	}
	if d.settlingStill(p.shape.path, key) {
		return inUse(1)
	}
	return nil
}

// purge deletes every row that nothing uses: this is what a DELETE without a
// key does (D, U). Rows that become unused on the way stay (I).
func (d *Device) purge(p place) {
	for d.purgeOnce(p) > 0 && d.behaviour().PurgeRepeats {
		continue // what was deleted may have been the last user of others
	}
}

func (d *Device) purgeOnce(p place) int {
	var gone []*entry
	for e := range each(d.visible(p.shape, p.vdom)) {
		if d.removable(p, e) == nil {
			gone = append(gone, e)
		}
	}
	for _, e := range gone {
		p.table.remove(keyText(e.values[p.shape.key]))
		p.table.changes++
		d.afterDelete(p, e)
	}
	return len(gone)
}

// shift moves a row before or after another.
func (d *Device) shift(p place, key string, before bool, other string) *Refusal {
	if p.table.find(key) == nil {
		return missing()
	}
	if p.table.find(other) == nil {
		return refused(-3, "entry not found in table\n") // (?)
	}
	at := p.table.position(key)
	p.table.move(key, before, other)
	if at != p.table.position(key) {
		p.table.changes++
	}
	return nil
}

// settling is an object one of whose users was just deleted.
type settling struct{ until time.Time }

func (d *Device) settlingStill(path, key string) bool {
	s, ok := d.settles[path+" "+key]
	return ok && d.options.Now().Before(s.until)
}
