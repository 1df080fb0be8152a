package pack

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sample is a file of n records, small and large ones.
func sample(n int) Contents {
	c := Contents{Releases: []byte(`{"all":[]}`), Words: []byte("words"), Dict: []byte(`{"path":"`)}
	for i := range n {
		path := fmt.Sprintf("a/%04d", i)
		c.Entries = append(c.Entries, Entry{Path: path, Key: "name", Since: "7.0.0", Until: strings.Repeat("7", i%3), Kind: 't'})
		c.Records = append(c.Records, []byte(`{"path":"`+path+`"}`+strings.Repeat("x", i%5*blockSize/3)))
	}
	return c
}

func mustBuild(tb testing.TB, c Contents) string {
	tb.Helper()
	data, err := Build(c)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

func TestWhatIsBuiltIsRead(t *testing.T) {
	for _, n := range []int{0, 1, 2, 57} {
		c := sample(n)
		f, err := Open(mustBuild(t, c))
		if err != nil {
			t.Fatal(err)
		}
		if f.Len() != n {
			t.Fatalf("%d entries, want %d", f.Len(), n)
		}
		for i, want := range c.Entries {
			if got := f.Entry(i); got != want {
				t.Errorf("entry %d = %+v, want %+v", i, got, want)
			}
			if at, ok := f.Find(want.Path); !ok || at != i {
				t.Errorf("Find(%s) = %d, %v", want.Path, at, ok)
			}
			if got, err := f.Record(i); err != nil || !bytes.Equal(got, c.Records[i]) {
				t.Errorf("record %d = %.40q (%v)", i, got, err)
			}
		}
		words, err := f.Words()
		releases, err2 := f.Releases()
		if err != nil || err2 != nil || !bytes.Equal(words, c.Words) || !bytes.Equal(releases, c.Releases) {
			t.Errorf("words %q (%v), releases %q (%v)", words, err, releases, err2)
		}
	}
}

func TestTheSameContentsGiveTheSameBytes(t *testing.T) {
	if first, again := mustBuild(t, sample(20)), mustBuild(t, sample(20)); first != again {
		t.Error("two builds differ")
	}
}

func TestPathsThatAreNotThereAreNotFound(t *testing.T) {
	f, err := Open(mustBuild(t, sample(3)))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "a", "a/0001x", "b"} {
		if at, ok := f.Find(path); ok {
			t.Errorf("Find(%q) = %d", path, at)
		}
	}
}

func TestBuildRefusesWhatItCannotHold(t *testing.T) {
	for name, spoil := range map[string]func(*Contents){
		"a record too few":    func(c *Contents) { c.Records = c.Records[1:] },
		"paths out of order":  func(c *Contents) { c.Entries[0].Path = "b" },
		"a path twice":        func(c *Contents) { c.Entries[1].Path = c.Entries[0].Path },
		"a path too long":     func(c *Contents) { c.Entries[2].Path = strings.Repeat("z", 256) },
		"a record too large":  func(c *Contents) { c.Records[0] = make([]byte, MaxRecord+1) },
		"too much dictionary": func(c *Contents) { c.Dict = make([]byte, maxDict+1) },
	} {
		c := sample(3)
		spoil(&c)
		if _, err := Build(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestOpenRefusesWhatIsNoCatalogFile(t *testing.T) {
	good := mustBuild(t, sample(3))
	for name, data := range map[string]string{
		"empty":                             "",
		"no magic":                          "XXXX" + good[4:],
		"another format":                    good[:4] + "\x02" + good[5:],
		"cut off":                           good[:len(good)-1],
		"header only":                       good[:headerSize],
		"too many entries":                  good[:8] + "\xff\xff\xff\x7f" + good[12:],
		"a section far away":                good[:12] + "\xff\xff\xff\xff" + good[16:],
		"a section too long":                good[:16] + "\xff\xff\xff\xff" + good[20:],
		"a section too large when inflated": good[:20] + "\xff\xff\xff\xff" + good[24:],
	} {
		if _, err := Open(data); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWordsKeepTheirEntries(t *testing.T) {
	lists := [][]Word{
		{{"alpha", []int{0, 3, 700}}, {"Beta", []int{5}}, {"gamma", nil}},
		{},
		{{"x", []int{1, 1135}}},
	}
	data, err := EncodeWords(lists...)
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeWords(data, len(lists), 1136)
	if err != nil {
		t.Fatal(err)
	}
	for n, list := range lists {
		from := 0
		for i, want := range list {
			text := got[n].Texts[got[n].Starts[i]:]
			var entries []int
			for _, place := range got[n].Places[from:got[n].Ends[i]] {
				entries = append(entries, int(place))
			}
			from = int(got[n].Ends[i])
			if !strings.HasPrefix(text, want.Text+"\n") || !slices.Equal(entries, want.Entries) {
				t.Errorf("list %d, word %d: %.10q %v, want %q %v", n, i, text, entries, want.Text, want.Entries)
			}
		}
	}
}

func TestWordsThatCannotBeAreRefused(t *testing.T) {
	if _, err := EncodeWords([]Word{{"a\nb", nil}}); err == nil {
		t.Error("a line feed in a word")
	}
	if _, err := EncodeWords([]Word{{"a", []int{2, 1}}}); err == nil {
		t.Error("entries out of order")
	}
	data, err := EncodeWords([]Word{{"a", []int{3}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"nothing": nil, "cut off": data[:len(data)-1], "too long": append(slices.Clone(data), 0),
		"more words than texts": {2, 2, 'a', '\n', 0, 0}, "a text without end": {1, 200, 'a'}, "an endless number": bytes.Repeat([]byte{0xff}, 20),
	} {
		if _, err := DecodeWords(bad, 1, 10); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := DecodeWords(data, 1, 3); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a word of an entry beyond the last: %v", err)
	}
}

func FuzzFile(f *testing.F) {
	for _, n := range []int{0, 1, 9} {
		f.Add([]byte(mustBuild(f, sample(n))))
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		file, err := Open(string(data))
		if err != nil {
			return
		}
		for i := range min(file.Len(), 50) {
			_, _ = file.Find(file.Entry(i).Path)
			_, _ = file.Record(i)
		}
		if words, err := file.Words(); err == nil {
			_, _ = DecodeWords(words, 2, file.Len())
		}
		_, _ = file.Releases()
	})
}

func FuzzWords(f *testing.F) {
	data, err := EncodeWords([]Word{{"alpha", []int{0, 3}}}, []Word{{"x", []int{1}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		lists, err := DecodeWords(data, 2, 100)
		if err != nil {
			return
		}
		for _, l := range lists {
			if len(l.Starts) != len(l.Ends) {
				t.Errorf("%d words with %d ends", len(l.Starts), len(l.Ends))
			}
			for _, place := range l.Places {
				if place >= 100 {
					t.Errorf("entry %d of 100", place)
				}
			}
		}
	})
}
