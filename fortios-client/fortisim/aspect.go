package fortisim

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
)

// aspect is how a client wants to see objects.
type aspect struct {
	wanted     map[string]bool // attributes; nil is all of them
	datasource bool            // say where referred-to objects are (D)
	hash       bool            // a checksum with each object (D)
	skip       bool            // leave out what does not apply (D)
	noDefaults bool            // leave out what has its default (D)
	clear      bool            // secrets of some tables in clear (U, C)
	tablesOnly bool            // the administrator may not see the rest (R)
	meta       bool            // q_ref and the like (D)
	users      map[string]int  // with meta: how many places name a key
	vdom       string
}

func set(q *query, name string) bool {
	switch q.values.Get(name) {
	case "1", "true":
		return true
	}
	return false
}

// aspectOf reads the parameters that say what a listing shows.
func (d *Device) aspectOf(q *query, s *shape) aspect {
	a := aspect{
		wanted:     q.formats(s),
		datasource: set(q, "datasource"),
		hash:       set(q, "with_contents_hash"),
		skip:       set(q, "skip"),
		noDefaults: set(q, "exclude-default-values") || d.behaviour().DefaultsAbsent,
		clear:      set(q, "plain-text-password") && s.revealing() && !d.behaviour().PlainTextIgnored,
		meta:       set(q, "with_meta") && s.key != "",
		vdom:       q.vdom,
		tablesOnly: q.hidden && s.key == "",
	}
	if a.meta && s.name == "" {
		a.users = d.userCounts(s, q.vdom)
	}
	return a
}

// below is how rows inside of an object are shown.
func (a aspect) below() aspect {
	return aspect{datasource: a.datasource, noDefaults: a.noDefaults, clear: a.clear, vdom: a.vdom}
}

// revealing tables show their secrets to plain-text-password=1 (U, C).
func (s *shape) revealing() bool {
	return strings.HasPrefix(s.path, "vpn.ipsec/") || slices.Contains([]string{"user/radius", "user/tacacs+"}, s.path)
}

// formats are the attributes that the client wants; nil is all of them. An
// unknown name gives all (D).
func (q *query) formats(s *shape) map[string]bool {
	text := q.values.Get("format")
	if text == "" || q.method != http.MethodGet {
		return nil
	}
	wanted := map[string]bool{}
	for name := range strings.SplitSeq(text, "|") {
		if s.byName[name] == nil && name != s.key && name != "q_origin_key" {
			return nil
		}
		wanted[name] = true
	}
	return wanted
}

// metaOf are the members that with_meta adds (D; the names and their order, C).
// q_type is the simulator's own number: the real one varies by release.
func (d *Device) metaOf(s *shape, e *entry, a aspect) object {
	path, name := s.words()
	static := d.fixed(s, e)
	o := object{
		{"q_ref", a.users[keyText(e.values[s.key])]},
		{"q_static", static},
		{"q_no_rename", static || s.keyType == "integer"},
		{"q_global_entry", s.shared() && len(d.options.VDOMs) > 1},
		{"q_type", d.typeNumber(s.path)},
		{"q_path", path},
		{"q_name", name},
		{"q_mkey_type", s.keyType},
	}
	if atLeast(d.options.Version, 6, 2, 0) {
		o = append(o, member{"q_no_edit", false})
	}
	return o
}

// typeNumber is the place of a resource among those of the catalog.
func (d *Device) typeNumber(path string) int {
	if d.numbers == nil {
		d.numbers = map[string]int{}
		for e := range d.facts.Entries("") {
			d.numbers[e.Path] = len(d.numbers) + 1
		}
	}
	return d.numbers[path]
}

// userCounts are how many places name each key of s.
func (d *Device) userCounts(s *shape, vdom string) map[string]int {
	ref := refTo(s)
	out := map[string]int{}
	for _, k := range d.tableKeys() {
		user, err := d.shapeOf(k.path)
		if err != nil || !s.shared() && k.vdom != vdom || !user.mentions(ref) {
			continue
		}
		for e := range d.tables[k].all() {
			d.eachReference(user, e, func(r, key string) {
				if r == ref {
					out[key]++
				}
			})
		}
	}
	return out
}

// refTo is how the facts name the key of a table.
func refTo(s *shape) string { return strings.ReplaceAll(s.path, "/", ".") + "." + s.key }

// sourceOf is the table that a reference of f is in, "" where it is nowhere.
func (d *Device) sourceOf(f *field, value any, vdom string) string {
	key := keyText(value)
	for _, ref := range f.Refs {
		if t, known := d.targetOf(ref); known && key != "" && d.exists(t, vdom, key) {
			return ref[:strings.LastIndexByte(ref, '.')]
		}
	}
	return ""
}

// contentsHash is a checksum of what an answer shows; the member's name is not
// known (?).
func contentsHash(o object) string {
	sum := sha256.Sum256(appendJSON(nil, o))
	return hex.EncodeToString(sum[:16])
}
