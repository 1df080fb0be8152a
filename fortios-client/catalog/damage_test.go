package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog/internal/pack"
)

func TestADamagedFileGivesErrorsNotPanics(t *testing.T) {
	for _, test := range []struct{ name, data string }{
		{"empty", ""},
		{"something else", "PK\x03\x04 and so on, which is longer than any header could be, and then some more of it to be sure"},
		{"header only", embedded[:100]},
		{"cut off in the middle", embedded[:len(embedded)/2]},
		{"another format", embedded[:4] + "\x09" + embedded[5:]},
		{"too many entries", embedded[:8] + "\xff\xff\xff\xff" + embedded[12:]},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := open(test.data, hashOf(test.data))
			_, err := c.Resource("firewall/address")
			_, err2 := c.Endpoint("monitor/system/status")
			for _, err := range []error{err, err2, c.Check()} {
				if !errors.Is(err, pack.ErrCorrupt) {
					t.Errorf("error = %v", err)
				}
			}
			if c.Len("") != 0 || len(c.Search("address", "")) != 0 || len(c.Nearest("firewall/address")) != 0 || len(c.Releases().All) != 0 {
				t.Error("a damaged file still answers")
			}
		})
	}
}

func hashOf(data string) string {
	sum := sha256.Sum256([]byte(data))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func TestNoSingleByteCanMakeItPanic(t *testing.T) {
	step := 2999 // a prime, to meet every kind of field
	if testing.Short() {
		step *= 10
	}
	for at := 0; at < len(embedded); at += step {
		data := []byte(embedded)
		data[at] ^= 0xff
		c := open(string(data), embeddedHash)
		if err := c.Check(); !errors.Is(err, pack.ErrCorrupt) {
			t.Errorf("byte %d changed: %v", at, err)
		}
		exercise(c)
	}
}

// build makes a file of one resource, with parts that may be wrong.
func build(tb testing.TB, record, releases string, words []byte) string {
	tb.Helper()
	data, err := pack.Build(pack.Contents{
		Entries: []pack.Entry{{Path: "a/b", Kind: 't', Key: "name"}}, Records: [][]byte{[]byte(record)},
		Releases: []byte(releases), Words: words, Dict: []byte("kind"),
	})
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func TestCheckReadsEveryPart(t *testing.T) {
	words, err := pack.EncodeWords([]pack.Word{{Text: "name", Entries: []int{0}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const record = `{"path":"a/b","kind":"table","mkey":"name"}`
	for _, test := range []struct {
		name string
		data string
		good bool
	}{
		{"all is well", build(t, record, `{}`, words), true},
		{"the record of another path", build(t, `{"path":"a/c","kind":"table","mkey":"name"}`, `{}`, words), false},
		{"a record that the index describes otherwise", build(t, `{"path":"a/b","kind":"table","mkey":"id"}`, `{}`, words), false},
		{"a record that is no JSON", build(t, `{"path":`, `{}`, words), false},
		{"a record of another shape", build(t, `{"path":"a/b","attrs":{}}`, `{}`, words), false},
		{"releases of another shape", build(t, record, `[]`, words), false},
		{"no words", build(t, record, `{}`, nil), false},
		{"words of entries that are not there", build(t, record, `{}`, []byte{1, 2, 'x', '\n', 1, 1, 0, 0}), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := open(test.data, hashOf(test.data)).Check(); (err == nil) != test.good {
				t.Errorf("Check: %v", err)
			}
		})
	}
}

// exercise asks everything that reads the file.
func exercise(c *Catalog) {
	_, _ = c.ResourceAt("firewall/policy", Version{7, 2, 8})
	_, _ = c.Endpoint("monitor/system/status")
	c.Search("policy", "")
	c.Nearest("firewall/polcy")
	c.Releases()
}

// FuzzRecord decodes and projects what a damaged record could hold.
func FuzzRecord(f *testing.F) {
	for _, record := range []string{
		projected, `{}`, `null`, `[]`, `{"path":"a/b","attrs":[{"name":1}]}`, `{"attrs":[{"options":["a",{"v":"b","windows":[["",""]]}]}]}`,
		`{"attrs":[{"was":[{"until":"","size":null,"min":1,"type":"integer","default":null}]}]}`, `{"since":"x","windows":[["7.x","."],["99999999999999999999.1.1","-1.2.3"]]}`,
	} {
		f.Add(record, 7, 2, 8)
	}
	f.Fuzz(func(t *testing.T, record string, major, minor, patch int) {
		var r Resource
		if json.Unmarshal([]byte(record), &r) != nil {
			return
		}
		v := Version{major, minor, patch}
		_ = r.Absence(v)
		_ = r.Window.String()
		once := project(&r, v)
		again, err := json.Marshal(project(once, v))
		if err != nil {
			t.Fatal(err)
		}
		if first, err := json.Marshal(once); err != nil || string(first) != string(again) {
			t.Errorf("projecting twice is another result:\n%s\n%s (%v)", first, again, err)
		}
	})
}

// FuzzOpen reads files of any content.
func FuzzOpen(f *testing.F) {
	words, err := pack.EncodeWords([]pack.Word{{Text: "name", Entries: []int{0}}}, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(build(f, `{"path":"a/b","kind":"table","mkey":"name"}`, `{}`, words)))
	f.Fuzz(func(_ *testing.T, data []byte) {
		c := open(string(data), "")
		for e := range c.Entries("") {
			_, _ = c.ResourceAt(e.Path, Version{7, 2, 8})
		}
		exercise(c)
	})
}
