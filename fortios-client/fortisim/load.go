package fortisim

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim/internal/syntax"
)

// ConfigFile is a seed that loads a FortiOS configuration file, of at most 64
// MiB, as a device shows it: nested config, VDOM sections, texts over several
// lines. A file that begins with "#config-version=" is a whole configuration and
// takes the place of the factory one; any other adds to it.
//
// As on a device, a line that the release does not know or does not take is left
// out and the rest is loaded; skipped is told of each, and with a nil skipped
// the first one is an error. References are not checked: the order of a file
// need not be theirs. Secrets of the form "ENC …" that another device encrypted
// are kept as they are. The error of ConfigFile names the line that cannot be
// read.
func ConfigFile(raw []byte, skipped func(line int, problem string)) (Seed, error) {
	body, err := syntax.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("fortisim: configuration file: %w", err)
	}
	whole := bytes.HasPrefix(raw, []byte("#config-version="))
	return func(d *Device) error {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.load(body, whole, skipped)
	}, nil
}

// loader puts a file into the store.
type loader struct {
	device  *Device
	paths   map[string]string // "firewall service custom" to its path
	skipped func(int, string)
	first   error // of what was left out
}

func (l *loader) skip(line int, format string, args ...any) {
	problem := fmt.Sprintf(format, args...)
	if l.skipped != nil {
		l.skipped(line, problem)
	} else if l.first == nil {
		l.first = fmt.Errorf("configuration file, line %d: %s", line, problem)
	}
}

func (d *Device) load(body syntax.Body, whole bool, skipped func(int, string)) error {
	l := &loader{device: d, paths: d.configPaths(), skipped: skipped}
	if whole {
		d.tables = map[tableKey]*table{}
	}
	first := d.options.VDOMs[0]
	for _, b := range body.Blocks {
		switch b.Name {
		case "vdom":
			l.vdoms(b)
		case "global":
			l.blocks(b.Body.Blocks, first)
		default:
			l.blocks([]syntax.Block{b}, first)
		}
	}
	for _, s := range body.Sets {
		l.skip(s.Line, "set outside of config")
	}
	if whole {
		l.listVDOMs()
	}
	return l.first
}

// configPaths are the paths of the release's resources by their words in a file.
func (d *Device) configPaths() map[string]string {
	out := map[string]string{}
	for e := range d.facts.Entries("") {
		if e.Kind != catalog.Monitor {
			out[configName(e.Path)] = e.Path
		}
	}
	return out
}

func configName(path string) string { return strings.NewReplacer("/", " ", ".", " ").Replace(path) }

// vdoms reads a section of virtual domains; one that the device does not have
// yet is made.
func (l *loader) vdoms(b syntax.Block) {
	for _, e := range b.Body.Entries {
		if !l.device.hasVDOM(e.Key) {
			l.device.options.VDOMs = append(slices.Clone(l.device.options.VDOMs), e.Key)
		}
		l.blocks(e.Body.Blocks, e.Key)
	}
}

// listVDOMs gives every VDOM of a whole configuration its row.
func (l *loader) listVDOMs() {
	p, no := l.device.placeOf("system/vdom", l.device.options.VDOMs[0])
	if no != nil {
		return
	}
	for _, name := range l.device.options.VDOMs {
		if p.table.find(name) == nil {
			e := newEntry()
			e.values[p.shape.key] = name
			p.table.add(name, e)
		}
	}
}

func (l *loader) blocks(list []syntax.Block, vdom string) {
	for _, b := range list {
		p, no := l.device.placeOf(l.paths[b.Name], vdom)
		if no != nil {
			l.skip(b.Line, "config %s: the release does not have it", b.Name)
			continue
		}
		p.device = true
		if p.shape.kind == catalog.Singleton {
			e := l.singleton(p)
			l.fill(p.shape, e, b.Body, p)
			p.table.changes++
			continue
		}
		l.rows(p, b.Body)
	}
}

func (l *loader) singleton(p place) *entry {
	e := newEntry()
	if old := p.table.find(""); old != nil {
		e = old.clone()
		p.table.replace("", e)
	} else {
		p.table.add("", e)
	}
	return e
}

func (l *loader) rows(p place, body syntax.Body) {
	for _, entry := range body.Entries {
		key, no := l.device.rowKey(p.shape, func() int64 { return p.table.nextID(p.shape.key) }, object{{p.shape.key, entry.Key}})
		if no != nil {
			l.skip(entry.Line, "edit %s: error %d", entry.Key, no.Number)
			continue
		}
		old := p.table.find(keyText(key))
		e := newEntry()
		e.values[p.shape.key] = key
		l.device.birth(p, e)
		if old != nil {
			e = old.clone()
		}
		l.fill(p.shape, e, entry.Body, p)
		if old != nil {
			p.table.replace(keyText(key), e)
		} else {
			p.table.add(keyText(key), e)
		}
		p.table.changes++
	}
}

// fill sets the attributes of an entry that is not in the store yet.
func (l *loader) fill(s *shape, e *entry, body syntax.Body, p place) {
	for _, set := range body.Sets {
		f := s.byName[set.Name]
		switch {
		case f == nil:
			l.skip(set.Line, "%s: the release does not have it", set.Name)
		case set.Unset:
			delete(e.values, f.Name)
		default:
			l.set(f, e, set, p)
		}
	}
	for _, b := range body.Blocks {
		l.nested(s.byName[b.Name], e, b, p)
	}
}

func (l *loader) set(f *field, e *entry, set syntax.Set, p place) {
	var raw any = strings.Join(set.Values, " ")
	if f.kindOf == childTable {
		rows := make([]any, 0, len(set.Values))
		for _, value := range set.Values {
			rows = append(rows, object{{f.child.key, value}})
		}
		raw = rows
	}
	w := p.writing()
	w.unchecked = true
	v, no := l.device.coerce(f, raw, e.values[f.Name], w)
	if no != nil {
		l.skip(set.Line, "%s does not take the value (error %d)", f.Name, no.Number)
		return
	}
	e.set(f, v)
}

func (l *loader) nested(f *field, e *entry, b syntax.Block, p place) {
	if f == nil || f.child == nil {
		l.skip(b.Line, "config %s: the release does not have it", b.Name)
		return
	}
	if f.kindOf == nestedObject {
		inside := newEntry()
		l.fill(f.child, inside, b.Body, p)
		e.set(f, inside)
		return
	}
	var rows []*entry
	for _, entry := range b.Body.Entries {
		key, no := l.device.rowKey(f.child, func() int64 { return nextID(rows, f.child.key) }, object{{f.child.key, entry.Key}})
		if no != nil {
			l.skip(entry.Line, "edit %s: error %d", entry.Key, no.Number)
			continue
		}
		row := newEntry()
		row.values[f.child.key] = key
		l.fill(f.child, row, entry.Body, p)
		rows = append(rows, row)
	}
	e.set(f, rows)
}

// restoreText takes a backup, as an upload does; the device has it at once. The
// problem says why it was not taken.
func (d *Device) restoreText(raw []byte, scope, vdom string) error {
	body, err := syntax.Parse(raw)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(raw, []byte("#config-version=")) {
		return errors.New("the file does not begin with #config-version=")
	}
	if scope == "vdom" {
		for k := range d.tables {
			if k.vdom == vdom {
				delete(d.tables, k)
			}
		}
		l := &loader{device: d, paths: d.configPaths(), skipped: func(int, string) {}}
		l.blocks(body.Blocks, vdom)
		return nil
	}
	return d.load(body, true, func(int, string) {})
}
