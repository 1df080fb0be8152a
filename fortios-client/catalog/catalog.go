package catalog

import (
	_ "embed" // the catalog file
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/forti-mcp/forti/fortios-client/catalog/internal/pack"
)

//go:generate go run ./internal/gen

//go:embed catalog.bin
var embedded string

// Catalog answers look-ups. It is safe for concurrent use. What it returns may
// be shared with other callers: read it, do not change it.
type Catalog struct {
	data    string
	hash    string // as it should be
	file    *pack.File
	damage  error // of the file as a whole; every look-up returns it
	decoded atomic.Int64
	cache   cache

	releasesOnce sync.Once
	releases     Releases

	lazy lazyNames
}

// Open is the embedded catalog. It looks at the file's header and decodes
// nothing, so it may be called at start-up and more than once; each Catalog
// has its own small cache of decoded resources.
func Open() *Catalog {
	return open(embedded, embeddedHash)
}

// open never fails: damage is reported by the look-ups.
func open(data, hash string) *Catalog {
	file, err := pack.Open(data)
	if err != nil {
		return &Catalog{data: data, hash: hash, file: &pack.File{}, damage: fmt.Errorf("catalog: %w", err)}
	}
	return &Catalog{data: data, hash: hash, file: file}
}

// Hash is "sha256:" and the hexadecimal SHA-256 of the embedded file. It
// changes whenever a fact does.
func (c *Catalog) Hash() string { return c.hash }

// Newest is the newest release that the facts describe.
func (c *Catalog) Newest() Version { return embeddedNewest() }

// Decoded is how many records were decoded so far. It is a diagnostic: it
// shows that a program does not pay for resources that it does not use.
func (c *Catalog) Decoded() int { return int(c.decoded.Load()) }

// Releases lists the releases behind the facts. Of a damaged catalog file it
// is empty, and Check tells why.
func (c *Catalog) Releases() Releases {
	c.releasesOnce.Do(func() {
		data, err := c.file.Releases()
		if err != nil || json.Unmarshal(data, &c.releases) != nil {
			c.releases = Releases{}
		}
	})
	return c.releases
}

// Len is the number of entries of a kind; of all for "".
func (c *Catalog) Len(kind Kind) int {
	n := 0
	for range c.Entries(kind) {
		n++
	}
	return n
}

// Entries walks the index in the order of paths; kind "" walks all. It decodes
// nothing. A damaged catalog has no entries.
func (c *Catalog) Entries(kind Kind) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for i := range c.file.Len() {
			if e := c.entry(i); (kind == "" || e.Kind == kind) && !yield(e) {
				return
			}
		}
	}
}

// Resource is the configuration resource at path, such as "firewall/address",
// with everything that is known of any release. A path that is not there gives
// an error that wraps ErrUnknown.
func (c *Catalog) Resource(path string) (*Resource, error) {
	return c.ResourceAt(path, Version{})
}

// ResourceAt is Resource as release v has it: attributes and options of other
// releases are left out, and older sizes, ranges, types and defaults take the
// place of the newest ones (Was is empty then). A resource that v lacks gives a
// *WindowError. The zero Version gives everything.
func (c *Catalog) ResourceAt(path string, v Version) (*Resource, error) {
	return c.seen(path, eye{at: v})
}

// PossibleAt is ResourceAt with what v does not certainly lack besides: between the
// releases that were seen nothing is known, so a newer patch of a branch may have what
// the table knows of the next one. Such attributes and options are Uncertain.
func (c *Catalog) PossibleAt(path string, v Version) (*Resource, error) {
	return c.seen(path, eye{at: v, possible: true, releases: c.Releases()})
}

func (c *Catalog) seen(path string, e eye) (*Resource, error) {
	v := e.at
	key := cacheKey{path, v, e.possible}
	if r, ok := c.cache.get(key); ok {
		return r, nil
	}
	var r *Resource
	var err error
	if v.IsZero() {
		r, err = decode[Resource](c, path, Table, Singleton)
	} else {
		r, err = c.projected(path, e)
	}
	if err != nil {
		return nil, err
	}
	c.cache.put(key, r)
	return r, nil
}

func (c *Catalog) projected(path string, e eye) (*Resource, error) {
	r, err := c.Resource(path)
	if err != nil {
		return nil, err
	}
	if seen, _ := e.sees(r.Window); !seen {
		return nil, &WindowError{Path: path, Window: r.Window, Version: e.at, Absence: r.Absence(e.at)}
	}
	return e.project(r), nil
}

// Endpoint is the monitor endpoint at path, such as "monitor/system/status".
// A path that is not there gives an error that wraps ErrUnknown.
func (c *Catalog) Endpoint(path string) (*Endpoint, error) {
	return decode[Endpoint](c, path, Monitor)
}

// entry translates a line of the index.
func (c *Catalog) entry(i int) Entry {
	e := c.file.Entry(i)
	return Entry{Path: e.Path, Kind: kindOf(e.Kind), Key: e.Key, Since: e.Since, Until: e.Until}
}

func kindOf(mark byte) Kind {
	switch mark {
	case 't':
		return Table
	case 's':
		return Singleton
	case 'm':
		return Monitor
	default:
		return ""
	}
}

// decode reads the record at path if it is of one of the kinds.
func decode[T Resource | Endpoint](c *Catalog, path string, kinds ...Kind) (*T, error) {
	if c.damage != nil {
		return nil, c.damage
	}
	i, ok := c.file.Find(path)
	if !ok || !is(c.entry(i).Kind, kinds) {
		return nil, unknown(path)
	}
	data, err := c.file.Record(i)
	if err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", path, err)
	}
	c.decoded.Add(1)
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		return nil, fmt.Errorf("catalog: %s: %w", path, errors.Join(pack.ErrCorrupt, err))
	}
	return &out, nil
}

func is(kind Kind, kinds []Kind) bool {
	for _, k := range kinds {
		if k == kind {
			return true
		}
	}
	return false
}
