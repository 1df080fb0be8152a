package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A device's own schema, as its answer to action=schema holds it.
type schemaAnswer struct {
	Path, Name, Version string
	Results             schemaNode
}

type schemaNode struct {
	Category string
	Type     string
	Key      string `json:"mkey"`
	KeyType  string `json:"mkey_type"`
	Scope    string `json:"object_range"`
	Group    string `json:"access_group"`
	Size     int
	Min      *int64 `json:"min-value"`
	Max      *int64 `json:"max-value"`
	Multi    bool   `json:"multiple_values"`
	Required bool
	Default  json.RawMessage
	Options  []struct{ Name string }
	Children map[string]schemaNode
}

// TestCatalogAgreesWithADevicesOwnSchema compares the embedded catalog at 7.2.8
// with the answers of a device of that release.
func TestCatalogAgreesWithADevicesOwnSchema(t *testing.T) {
	files := append(truthFiles(t, "catalog", "schema-samples", "*.json"), truthFiles(t, "fortios", "recorded", "cmdb_action_schema_*.json")...)
	truth := &truthTest{T: t}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var answer schemaAnswer
		if err := json.Unmarshal(data, &answer); err != nil {
			t.Fatalf("%s: %v", filepath.Base(file), err)
		}
		truth.resource(answer)
	}
	t.Logf("%d attributes of %d resources compared: %d sizes, %d ranges (%d of them wider), %d defaults, %d options, %d keys",
		truth.attributes, len(files), truth.sizes, truth.ranges, truth.wider, truth.defaults, truth.options, truth.keys)
	if truth.attributes < 1000 {
		t.Errorf("%d attributes compared: the device's answers were not understood", truth.attributes)
	}
}

func truthFiles(t *testing.T, pattern ...string) []string {
	t.Helper()
	dir := os.Getenv("FORTI_TRUTH")
	if dir == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	files, err := filepath.Glob(filepath.Join(append([]string{dir}, pattern...)...))
	if err != nil || len(files) == 0 {
		t.Fatalf("FORTI_TRUTH has no %s (%v)", filepath.Join(pattern...), err)
	}
	return files
}

type truthTest struct {
	*testing.T
	attributes, sizes, ranges, wider, defaults, options, keys int
}

func (t *truthTest) resource(answer schemaAnswer) {
	path := answer.Path + "/" + answer.Name
	v, err := ParseVersion(answer.Version)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open().ResourceAt(path, v)
	if err != nil {
		t.Error(err)
		return
	}
	kind := Table
	if answer.Results.Category != "table" {
		kind = Singleton
	}
	got := [5]string{string(r.Kind), r.Key, r.KeyType, r.Scope, r.Group}
	want := [5]string{string(kind), answer.Results.Key, answer.Results.KeyType, answer.Results.Scope, answer.Results.Group}
	if got != want {
		t.Errorf("%s: kind, key, its type, scope, group = %q, the device has %q", path, got, want)
	}
	t.children(path, r.Attributes, answer.Results.Children)
}

func (t *truthTest) children(where string, list []Attribute, nodes map[string]schemaNode) {
	for name, node := range nodes {
		if strings.HasPrefix(name, "<") {
			continue // the placeholder of a command listing
		}
		at := where + " " + name
		a, ok := named(list, name)
		if !ok {
			t.Errorf("%s: missing", at)
			continue
		}
		t.attributes++
		t.shape(at, a, node)
		t.rangeOf(at, a, node)
		t.defaultOf(at, a, node)
		t.optionsOf(at, a, node)
		t.children(at, a.Attributes, node.Children)
	}
}

func (t *truthTest) shape(at string, a *Attribute, node schemaNode) {
	want := node.Type
	if want == "" {
		want = node.Category // table or complex
	}
	if a.Type != want || a.Multi != node.Multi || a.Required != node.Required {
		t.Errorf("%s: type %q, multi %v, required %v; the device has %q, %v, %v",
			at, a.Type, a.Multi, a.Required, want, node.Multi, node.Required)
	}
	if a.Size != node.Size {
		t.Errorf("%s: size %d, the device has %d", at, a.Size, node.Size)
	}
	if a.Key != node.Key || a.KeyType != node.KeyType {
		t.Errorf("%s: key %q (%s), the device has %q (%s)", at, a.Key, a.KeyType, node.Key, node.KeyType)
	}
	if node.Size > 0 {
		t.sizes++
	}
	if node.Key != "" {
		t.keys++
	}
}

// rangeOf lets a range be wider where it depends on the model.
func (t *truthTest) rangeOf(at string, a *Attribute, node schemaNode) {
	if (a.Min == nil) != (node.Min == nil) || (a.Max == nil) != (node.Max == nil) {
		t.Errorf("%s: only one of catalog and device has a range", at)
		return
	}
	if node.Min == nil || node.Max == nil {
		return
	}
	t.ranges++
	same := *a.Min == *node.Min && *a.Max == *node.Max
	includes := *a.Min <= *node.Min && *a.Max >= *node.Max
	if !same && (!a.Model || !includes) {
		t.Errorf("%s: range %d to %d (model %v), the device has %d to %d", at, *a.Min, *a.Max, a.Model, *node.Min, *node.Max)
	}
	if !same {
		t.wider++
	}
}

// emptyAtDevice are defaults that the facts cannot say were empty once: Was
// holds older values, and no value is none.
var emptyAtDevice = []string{"system/admin password-expire"}

func (t *truthTest) defaultOf(at string, a *Attribute, node schemaNode) {
	device := string(node.Default)
	empty := device == "" || device == `""`
	switch {
	case empty && len(a.Default) > 0 && !slices.Contains(emptyAtDevice, at):
		t.Errorf("%s: default %s, the device has none", at, a.Default)
	case empty:
	case len(a.Default) == 0:
		// the facts leave out secrets, long texts and phrases
		if !a.Secret && len(device) <= 200 && !strings.Contains(device, " ") {
			t.Errorf("%s: no default, the device has %s", at, device)
		}
	case string(a.Default) != device:
		t.Errorf("%s: default %s, the device has %s", at, a.Default, device)
	default:
		t.defaults++
	}
}

func (t *truthTest) optionsOf(at string, a *Attribute, node schemaNode) {
	for _, o := range node.Options {
		t.options++
		if _, ok := a.Option(o.Name); !ok {
			t.Errorf("%s: option %q is missing", at, o.Name)
		}
	}
}
