package create

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/core/fault"
)

func TestYAMLBecomesTheJSONThatItMeans(t *testing.T) {
	for _, tt := range []struct{ name, yaml, json string }{
		{"a list of operations", "- op: create\n  key: 12\n", `[{"op":"create","key":12}]`},
		{"flow style and comments", "{a: [1, two, null, ~, true], b: {}} # x", `{"a":[1,"two",null,null,true],"b":{}}`},
		{"text that only looks like something else", "[yes, no, on, off, y, 1.2.3.4, 10.0.0.0/8, 2026-10-15, 12:30, '1', \"true\", 0o7x]",
			`["yes","no","on","off","y","1.2.3.4","10.0.0.0/8","2026-10-15","12:30","1","true","0o7x"]`},
		{"numbers keep their digits", "[0, -5, 9007199254740993, 1.50, 1e3]", `[0,-5,9007199254740993,1.50,1e3]`},
		{"a tag that says text", "!!str 12", `"12"`},
		{"lines", "a: |\n  x\n  y\nb: >\n  x\n  y\n", `{"a":"x\ny\n","b":"x y\n"}`},
		{"what JSON escapes", `a: "<&>\"\\\t\u2028"`, `{"a":"<&>\"\\\t\u2028"}`},
		{"nothing", "", ""},
		{"nothing but comments", "# x\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromYAML([]byte(tt.yaml))
			if err != nil || string(got) != tt.json {
				t.Errorf("got %s, %v; want %s", got, err, tt.json)
			}
		})
	}
}

func TestYAMLThatMeansMoreThanOneThingIsRefused(t *testing.T) {
	for _, tt := range []struct{ name, yaml, pointer, says string }{
		{"a key twice", "a: 1\na: 2", "", `line 2: the key "a" stands twice`},
		{"a key twice below", "x:\n- b: {c: 1, c: 2}", "/x/0/b", `the key "c" stands twice`},
		{"an anchor", "a: &x 1", "/a", "anchors are not taken"},
		{"an anchor on a list", "a: &x [1]", "/a", "anchors are not taken"},
		{"an alias to itself", "a: &x [*x]", "/a", "anchors are not taken"},
		{"a merge", "a: 1\n<<: {b: 2}", "", "a key must be text"},
		{"a key that is a number", "1: a", "", "a key must be text"},
		{"a key that is true", "true: a", "", "a key must be text"},
		{"a key that is a list", "[a]: b", "", "a key must be text"},
		{"hexadecimal", "a: 0x10", "/a", "write 0x10 as a decimal number"},
		{"octal", "a: 0777", "/a", "write 0777 as a decimal number"},
		{"new octal", "a: 0o17", "/a", "as a decimal number"},
		{"underscores", "a: 1_000", "/a", "as a decimal number"},
		{"a plus", "a: +5", "/a", "as a decimal number"},
		{"infinity", "a: .inf", "/a", "as a decimal number"},
		{"no number", "a: .nan", "/a", "as a decimal number"},
		{"bytes", "a: !!binary aGk=", "/a", "the tag !!binary is not taken"},
		{"a tag of somebody's", "a: !thing x", "/a", "the tag !thing is not taken"},
		{"a set", "a: !!set {x}", "/a", "the tag !!set is not taken"},
		{"a pair's tag", "a: !!omap [x: 1]", "/a", "the tag !!omap is not taken"},
		{"a timestamp by tag", "a: !!timestamp 2026-10-15", "/a", "the tag !!timestamp is not taken"},
		{"a second document", "a: 1\n---\nb: 2", "", "a second YAML document follows"},
		{"broken", "a: [1", "", "did not find expected"},
		{"depth", strings.Repeat("[", 70) + strings.Repeat("]", 70), strings.Repeat("/0", 65), "nested deeper than 64 levels"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromYAML([]byte(tt.yaml))
			problems, _ := fault.From(err).Details["problems"].([]fault.Problem)
			if fault.CodeOf(err) != fault.Usage || len(problems) == 0 {
				t.Fatalf("got %s, %v", got, err)
			}
			if p := problems[0]; p.Pointer != tt.pointer || !strings.Contains(p.Problem, tt.says) {
				t.Errorf("got %q: %s", p.Pointer, p.Problem)
			}
		})
	}
}

// Whatever is taken means the same to a YAML decoder as to a JSON decoder.
func FuzzYAMLThatIsTakenMeansItsJSON(f *testing.F) {
	for _, seed := range []string{"a: 1", "- x\n- {y: [1, 2.5, ~]}", "a: \"\\u0000\"", "yes", "? a\n: b", "a: 'it''s'", "- 0777", "2026-10-15", "!!str 5", "a: &b c"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, err := fromYAML([]byte(text))
		if err != nil || out == nil {
			return
		}
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%q gave %s: %v", text, out, err)
		}
		var want yaml.Node
		if err := yaml.Unmarshal([]byte(text), &want); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if plain := meaning(&want); !reflect.DeepEqual(got, plain) {
			t.Errorf("%q: JSON says %#v, YAML %#v", text, got, plain)
		}
	})
}

// meaning decodes a node as encoding/json would: dates stay text, numbers are
// floating.
func meaning(n *yaml.Node) any {
	switch n.Kind {
	case yaml.DocumentNode:
		return meaning(n.Content[0])
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, meaning(item))
		}
		return list
	case yaml.MappingNode:
		object := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			object[n.Content[i].Value] = meaning(n.Content[i+1])
		}
		return object
	case yaml.ScalarNode, yaml.AliasNode:
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var b bool
		_ = n.Decode(&b)
		return b
	case "!!int", "!!float":
		var x float64
		_ = n.Decode(&x)
		return x
	}
	return strings.ToValidUTF8(n.Value, "\ufffd")
}

func TestFiles(t *testing.T) {
	for _, tt := range []struct{ name, path, in, want string }{
		{"a JSON list is wrapped", "-", ` [{"op":"x"}] `, `{"operations":[{"op":"x"}]}`},
		{"a JSON request stays", "-", `{"operations":[]}`, `{"operations":[]}`},
		{"YAML on standard input", "-", "- op: x", `{"operations":[{"op":"x"}]}`},
		{"text that is no request is for the decoder to refuse", "-", "hello", `"hello"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := load(tt.path, strings.NewReader(tt.in))
			if err != nil || string(got) != tt.want {
				t.Errorf("got %s, %v; want %s", got, err, tt.want)
			}
		})
	}
	t.Run("a file that is too large", func(t *testing.T) {
		_, err := load("-", strings.NewReader(strings.Repeat(" ", fileLimit+1)))
		if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), "4 MiB") {
			t.Error(err)
		}
	})
}
