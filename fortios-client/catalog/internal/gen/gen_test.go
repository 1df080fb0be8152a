package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// root is the catalog's folder, as go test runs in the package's.
const root = "../.."

func projectFacts(t *testing.T) facts {
	t.Helper()
	f, err := readFacts(filepath.Join(root, "facts"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	files, err := generated(projectFacts(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the facts give: run go generate (with the Go release of the go.mod, as compressors differ)", name)
		}
	}
	if size := len(files["catalog.bin"]); size > 400_000 {
		t.Errorf("catalog.bin has %d bytes", size)
	}
}

func TestEmbeddedCatalogIsExactlyTheFacts(t *testing.T) {
	f := projectFacts(t)
	c := catalog.Open()
	if got := c.Len(""); got != len(f.resources)+len(f.endpoints) {
		t.Errorf("%d entries, the facts have %d and %d", got, len(f.resources), len(f.endpoints))
	}
	for _, want := range f.resources {
		got, err := c.Resource(want.Path)
		if err != nil {
			t.Error(err)
			continue
		}
		same(t, want.Path, got, want)
	}
	for _, want := range f.endpoints {
		got, err := c.Endpoint(want.Path)
		if err != nil {
			t.Error(err)
			continue
		}
		same(t, want.Path, got, want)
	}
	same(t, "releases", c.Releases(), f.releases)
	if newest := c.Newest().String(); newest != f.releases.All[len(f.releases.All)-1] {
		t.Errorf("newest release: %s", newest)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	a, err := compact(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := compact(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("%s: decoded as\n%s\nthe facts are\n%s", what, a, b)
	}
}

// A hand-edited file must have the layout that an import would give it, or the
// next import hides its changes in a diff of blanks.
func TestFactsHaveTheirLayout(t *testing.T) {
	want, err := projectFacts(t).files()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, "facts", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, text) {
			t.Errorf("facts/%s is laid out otherwise", name)
		}
	}
	if extra := len(factFiles(t, filepath.Join(root, "facts"))) - len(want); extra != 0 {
		t.Errorf("%d files in facts/ that nothing explains", extra)
	}
}

func factFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, pattern := range []string{"*.json", "*/*.json"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out[strings.TrimPrefix(filepath.ToSlash(file), filepath.ToSlash(dir)+"/")] = string(data)
		}
	}
	return out
}

// table is a small fact table; each test may spoil a part of it.
var table = map[string]string{
	"cmdb.jsonl": `{"path":"a.b/c","kind":"table","mkey":"name","mkey_type":"string","attrs":[{"name":"list","type":"table","since":"7.0.0","mkey":"id","attrs":[{"name":"id","type":"integer","min":0,"max":9}]},{"name":"name","type":"string","size":35,"was":[{"until":"7.2","size":15}]}]}
{"path":"a.b/d","kind":"singleton","since":"7.0.8","windows":[["7.0.8","7.0"],["7.2.1",""]]}
{"path":"x/y","kind":"singleton","attrs":[{"name":"mode","type":"option","default":"<&>","options":["<&>",{"v":"b","until":"7.0"}]}]}
`,
	"monitor.jsonl": `{"path":"monitor/x/y","calls":[{"method":"GET","seen":["7.6.6"],"params":[{"name":"p","type":"string","in":"query"},{"name":"q","type":"string","in":"query"}]},{"method":"POST","action":"go","class":"operate"}]}
`,
	"releases.json": `{
 "sampled": [],
 "dumped": [],
 "newest": {
  "client": "7.6.5"
 },
 "all": [
  "7.6.5",
  "7.6.6"
 ],
 "newest_of_branch": {
  "7.6": "7.6.6"
 }
}
`,
}

func writeTable(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImportPutsOneAttributeOnALine(t *testing.T) {
	out := t.TempDir()
	for range 2 { // a second import replaces the first
		if err := run([]string{"import", writeTable(t, table)}, out); err != nil {
			t.Fatal(err)
		}
	}
	got := factFiles(t, filepath.Join(out, "facts"))
	want := map[string]string{
		"cmdb/a.b.json": `[
 {"path":"a.b/c","kind":"table","mkey":"name","mkey_type":"string","attrs":[
  {"name":"list","type":"table","since":"7.0.0","mkey":"id","attrs":[
   {"name":"id","type":"integer","min":0,"max":9}
  ]},
  {"name":"name","type":"string","size":35,"was":[{"until":"7.2","size":15}]}
 ]},
 {"path":"a.b/d","kind":"singleton","since":"7.0.8","windows":[["7.0.8","7.0"],["7.2.1",""]]}
]
`,
		"cmdb/x.json": `[
 {"path":"x/y","kind":"singleton","attrs":[
  {"name":"mode","type":"option","default":"<&>","options":["<&>",{"v":"b","until":"7.0"}]}
 ]}
]
`,
		"monitor/x.json": `[
 {"path":"monitor/x/y","calls":[
  {"method":"GET","seen":["7.6.6"],"params":[
   {"name":"p","type":"string","in":"query"},
   {"name":"q","type":"string","in":"query"}
  ]},
  {"method":"POST","action":"go","class":"operate"}
 ]}
]
`,
		"releases.json": table["releases.json"],
	}
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got[name], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("files: %q", slices.Sorted(maps.Keys(got)))
	}
	if err := run(nil, out); err != nil {
		t.Errorf("generating from the imported facts: %v", err)
	}
}

func TestImportRefusesFactsThatWouldBeMisread(t *testing.T) {
	for _, test := range []struct{ name, file, old, new string }{
		{"a key that the types lack", "cmdb.jsonl", `"kind":"table"`, `"kind":"table","colour":"red"`},
		{"an option's key that the types lack", "cmdb.jsonl", `{"v":"b",`, `{"v":"b","w":1,`},
		{"an unknown kind", "cmdb.jsonl", `"kind":"table"`, `"kind":"list"`},
		{"a path twice", "cmdb.jsonl", `"a.b/d"`, `"a.b/c"`},
		{"an attribute twice", "cmdb.jsonl", `"name":"list"`, `"name":"name"`},
		{"an attribute without a type", "cmdb.jsonl", `"name":"id","type":"integer"`, `"name":"id"`},
		{"since a branch", "cmdb.jsonl", `"since":"7.0.0"`, `"since":"7.0"`},
		{"an option until no release", "cmdb.jsonl", `"until":"7.0"}`, `"until":"soon"}`},
		{"a history without an end", "cmdb.jsonl", `"until":"7.2","size":15`, `"size":15`},
		{"a wrong span", "cmdb.jsonl", `["7.2.1",""]`, `["7.2",""]`},
		{"keys in another order", "cmdb.jsonl", `"mkey":"name","mkey_type":"string"`, `"mkey_type":"string","mkey":"name"`},
		{"lines in another order", "cmdb.jsonl", `"path":"a.b/c"`, `"path":"z/z"`},
		{"an empty value that would be left out", "cmdb.jsonl", `"size":35`, `"size":0`},
		{"two values on a line", "cmdb.jsonl", `"windows":[["7.0.8","7.0"],["7.2.1",""]]}`, `"windows":[["7.0.8","7.0"],["7.2.1",""]]}{}`},
		{"an endpoint without calls", "monitor.jsonl", table["monitor.jsonl"], `{"path":"monitor/x/y","calls":[]}`},
		{"a parameter's key that the types lack", "monitor.jsonl", `"name":"p"`, `"name":"p","x":1`},
		{"no releases", "releases.json", "\"7.6.5\",\n  \"7.6.6\"", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := maps.Clone(table)
			files[test.file] = strings.Replace(files[test.file], test.old, test.new, 1)
			if files[test.file] == table[test.file] {
				t.Fatal("the test changes nothing")
			}
			if err := run([]string{"import", writeTable(t, files)}, t.TempDir()); err == nil {
				t.Error("imported")
			}
		})
	}
}

func TestOtherArgumentsAreRefused(t *testing.T) {
	for _, args := range [][]string{{"import"}, {"export", "x"}, {"import", "a", "b"}, {"import", filepath.Join(t.TempDir(), "none")}} {
		if err := run(args, t.TempDir()); err == nil {
			t.Errorf("gen %q: no error", args)
		}
	}
}

// TestFactsAreTheFactTable imports the table again and compares the result.
func TestFactsAreTheFactTable(t *testing.T) {
	dir := os.Getenv("FORTI_TRUTH")
	if dir == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	out := t.TempDir()
	if err := run([]string{"import", filepath.Join(dir, "catalog")}, out); err != nil {
		t.Fatal(err)
	}
	got := factFiles(t, filepath.Join(out, "facts"))
	if want := factFiles(t, filepath.Join(root, "facts")); !maps.Equal(got, want) {
		t.Error("facts/ is not the fact table: run gen import")
	}
}
