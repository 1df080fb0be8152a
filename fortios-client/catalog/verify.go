package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/forti-mcp/forti/fortios-client/catalog/internal/pack"
)

// Check reads the whole catalog file and says what is wrong with it. No program
// needs it to start: it is for a diagnosis, and it decodes every record.
func (c *Catalog) Check() error {
	if c.damage != nil {
		return c.damage
	}
	sum := sha256.Sum256([]byte(c.data))
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != c.hash {
		return fmt.Errorf("catalog: hash is %s instead of %s: %w", got, c.hash, pack.ErrCorrupt)
	}
	if err := c.checkLists(); err != nil {
		return fmt.Errorf("catalog: %w", err)
	}
	for e := range c.Entries("") {
		if err := c.checkRecord(e); err != nil {
			return err
		}
	}
	return nil
}

func (c *Catalog) checkLists() error {
	words, err := c.file.Words()
	if err != nil {
		return err
	}
	if _, err := pack.DecodeWords(words, wordLists, c.file.Len()); err != nil {
		return err
	}
	releases, err := c.file.Releases()
	if err != nil {
		return err
	}
	return json.Unmarshal(releases, new(Releases))
}

// checkRecord also compares the record with its line of the index.
func (c *Catalog) checkRecord(e Entry) error {
	got := Entry{Kind: Monitor, Since: e.Since, Until: e.Until} // an endpoint has no window
	if e.Kind == Monitor {
		endpoint, err := c.Endpoint(e.Path)
		if err != nil {
			return err
		}
		got.Path = endpoint.Path
	} else {
		r, err := decode[Resource](c, e.Path, Table, Singleton)
		if err != nil {
			return err
		}
		got = Entry{Path: r.Path, Kind: r.Kind, Key: r.Key, Since: r.Since, Until: r.Until}
	}
	if got != e {
		return fmt.Errorf("catalog: record %v under the index line %v: %w", got, e, pack.ErrCorrupt)
	}
	return nil
}
