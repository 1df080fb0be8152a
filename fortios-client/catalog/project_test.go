package catalog

import (
	"encoding/json"
	"testing"
)

// parse makes a resource from a record as the facts have it.
func parse(t *testing.T, record string) *Resource {
	t.Helper()
	var r Resource
	if err := json.Unmarshal([]byte(record), &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

const projected = `{"path":"a/b","kind":"table","mkey":"name","attrs":[
 {"name":"always","type":"string","size":79,"was":[{"until":"7.2","size":63},{"until":"6.4","size":35},{"until":"6.2.3","default":"none"}]},
 {"name":"late","type":"integer","min":0,"max":9,"since":"7.4.0"},
 {"name":"early","type":"string","until":"7.0"},
 {"name":"mode","type":"option","default":"fast","options":["slow",{"v":"fast","since":"7.2.0"},{"v":"odd","until":"6.4"}],
  "was":[{"until":"7.0","default":"slow"}]},
 {"name":"list","type":"table","mkey":"id","mkey_type":"integer","since":"7.0.0","attrs":[
  {"name":"id","type":"integer"},
  {"name":"new","type":"string","since":"7.6.0"}],
  "was":[{"until":"7.2","type":"string","size":35}]},
 {"name":"number","type":"string","size":63,"default":"0x00","was":[{"until":"6.4","type":"integer","min":1,"max":5}]},
 {"name":"switch","type":"option","default":"on","options":["on","off"],"was":[{"until":"6.4","multi":true,"default":""}]}
]}`

func TestAReleaseSeesOnlyWhatItHas(t *testing.T) {
	for _, test := range []struct{ name, at, want string }{
		{"newest facts, without history", "7.6.6", `{"path":"a/b","kind":"table","mkey":"name","attrs":[` +
			`{"name":"always","type":"string","size":79},` +
			`{"name":"late","type":"integer","min":0,"max":9,"since":"7.4.0"},` +
			`{"name":"mode","type":"option","default":"fast","options":["slow",{"v":"fast","since":"7.2.0"}]},` +
			`{"name":"list","type":"table","since":"7.0.0","mkey":"id","mkey_type":"integer","attrs":[{"name":"id","type":"integer"},{"name":"new","type":"string","since":"7.6.0"}]},` +
			`{"name":"number","type":"string","size":63,"default":"0x00"},` +
			`{"name":"switch","type":"option","default":"on","options":["on","off"]}]}`},
		{"an older size; a table that was a string has no key", "7.2.9", `{"path":"a/b","kind":"table","mkey":"name","attrs":[` +
			`{"name":"always","type":"string","size":63},` +
			`{"name":"mode","type":"option","default":"fast","options":["slow",{"v":"fast","since":"7.2.0"}]},` +
			`{"name":"list","type":"string","size":35,"since":"7.0.0"},` +
			`{"name":"number","type":"string","size":63,"default":"0x00"},` +
			`{"name":"switch","type":"option","default":"on","options":["on","off"]}]}`},
		{"entries apply newest first, so the oldest wins", "6.2.0", `{"path":"a/b","kind":"table","mkey":"name","attrs":[` +
			`{"name":"always","type":"string","size":35,"default":"none"},` +
			`{"name":"early","type":"string","until":"7.0"},` +
			`{"name":"mode","type":"option","default":"slow","options":["slow",{"v":"odd","until":"6.4"}]},` +
			`{"name":"number","type":"integer","min":1,"max":5},` +
			`{"name":"switch","type":"option","multi":true,"options":["on","off"]}]}`},
		{"an entry with a full release ends with it", "6.2.4", `{"path":"a/b","kind":"table","mkey":"name","attrs":[` +
			`{"name":"always","type":"string","size":35},` +
			`{"name":"early","type":"string","until":"7.0"},` +
			`{"name":"mode","type":"option","default":"slow","options":["slow",{"v":"odd","until":"6.4"}]},` +
			`{"name":"number","type":"integer","min":1,"max":5},` +
			`{"name":"switch","type":"option","multi":true,"options":["on","off"]}]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := parse(t, projected)
			got, err := json.Marshal(project(r, version(t, test.at)))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != test.want {
				t.Errorf("at %s:\n%s\nwant:\n%s", test.at, got, test.want)
			}
		})
	}
}

func TestProjectionLeavesTheOriginalAlone(t *testing.T) {
	r := parse(t, projected)
	before, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	project(r, version(t, "6.2.0"))
	after, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Errorf("projection changed its source:\n%s\nto\n%s", before, after)
	}
}

func TestOptionHasTwoForms(t *testing.T) {
	for _, text := range []string{`"enable"`, `"a\"b"`, `{"v":"x","since":"7.2.0"}`, `{"v":"x","until":"7.0"}`,
		`{"v":"x","since":"7.0.8","windows":[["7.0.8","7.0"],["7.2.1",""]]}`} {
		var o Option
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got, err := json.Marshal(o)
		if err != nil || string(got) != text {
			t.Errorf("%s became %s (%v)", text, got, err)
		}
	}
	for _, text := range []string{`12`, `["a"]`, `{"v":1}`} {
		if err := new(Option).UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is read as an option", text)
		}
	}
	if o := (Option{Value: "left", Window: Window{Since: "7.0.0"}}); json.Unmarshal([]byte(`"x"`), &o) != nil || o.Since != "" {
		t.Errorf("reading into a used option left %+v", o)
	}
}

// Between the releases that were seen nothing is known: a patch that is newer than the
// newest one seen of its branch may have what the next branch has.
func TestWhatAReleaseDoesNotCertainlyLackIsSeenAsUncertain(t *testing.T) {
	c := Open()
	for _, test := range []struct {
		at        string
		uncertain bool
	}{
		{"7.2.8", false}, // dumped: what it lacks it lacks
		{"7.2.99", true},
	} {
		v := version(t, test.at)
		strict, err := c.ResourceAt("system/global", v)
		if err != nil {
			t.Fatal(err)
		}
		possible, err := c.PossibleAt("system/global", v)
		if err != nil {
			t.Fatal(err)
		}
		doubtful := 0
		for _, a := range possible.Attributes {
			_, there := strict.Attribute(a.Name)
			if a.Uncertain == there {
				t.Errorf("%s: %s is there: %v, uncertain: %v", test.at, a.Name, there, a.Uncertain)
			}
			if a.Uncertain {
				doubtful++
			}
		}
		if (doubtful > 0) != test.uncertain {
			t.Errorf("%s: %d uncertain attributes", test.at, doubtful)
		}
		for _, a := range strict.Attributes {
			if a.Uncertain {
				t.Errorf("%s: %s is uncertain in what the release has", test.at, a.Name)
			}
		}
	}
}
