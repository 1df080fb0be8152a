package operation

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAKeyIsWrittenAndReadAsJSON(t *testing.T) {
	tests := []struct {
		name string
		key  Key
		json string
	}{
		{"text", TextKey("lan"), `"lan"`},
		{"text of digits stays text", TextKey("7"), `"7"`},
		{"text with signs", TextKey("a/b \"ä\" <&>"), `"a/b \"ä\" <&>"`},
		{"integer", IntegerKey(7), `7`},
		{"integer zero is a key", IntegerKey(0), `0`},
		{"empty text is a key, though not a good one", TextKey(""), `""`},
		{"no key", Key{}, `null`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data, err := test.key.MarshalJSON()
			if err != nil || string(data) != test.json {
				t.Errorf("written as %s, %v; want %s", data, err, test.json)
			}
			var back Key
			if err := json.Unmarshal([]byte(test.json), &back); err != nil || back != test.key {
				t.Errorf("read as %#v, %v", back, err)
			}
		})
	}
}

func TestNothingElseIsAKey(t *testing.T) {
	for _, data := range []string{`true`, `1.5`, `1e2`, `9007199254740993`, `[]`, `{}`, `["a"]`, `"\ud800"`} {
		k := TextKey("before")
		if err := json.Unmarshal([]byte(data), &k); err == nil || k != TextKey("before") {
			t.Errorf("%s is read as %#v, %v", data, k, err)
		}
	}
	for _, v := range []any{nil, true, 1.5, []any{}, map[string]any{}} {
		if k, err := KeyOf(v); err == nil {
			t.Errorf("%v became %#v", v, k)
		}
	}
}

func TestKeysThatWouldReachSomethingElseAreRefused(t *testing.T) {
	bad := []Key{
		{}, TextKey(""), TextKey(" "), TextKey("\t"), TextKey("."), TextKey(".."), TextKey(" .. "), TextKey("/"), TextKey("//"), TextKey("/ /"),
		TextKey("../address"), TextKey("a/.."), TextKey("a/../b"), TextKey("./a"), TextKey("a/."), TextKey("a/ .. /b"),
		TextKey("a\nb"), TextKey("a\x00"), TextKey("a\x7f"), TextKey("a\u0085"), TextKey("\xff"), TextKey(strings.Repeat("a", 256)),
		IntegerKey(-1),
	}
	for _, k := range bad {
		if k.Check() == nil {
			t.Errorf("%#v is permitted", k)
		}
	}
	good := []Key{
		TextKey("lan"), TextKey("..."), TextKey(".a"), TextKey("a.."), TextKey("a/b"), TextKey("10.0.0.0/8"), TextKey("/a"), TextKey("%2e%2e"),
		TextKey("a b"), TextKey("#?&=%"), TextKey("ä"), TextKey("日本"), TextKey(strings.Repeat("a", 255)), IntegerKey(0), IntegerKey(4294967295),
	}
	for _, k := range good {
		if err := k.Check(); err != nil {
			t.Errorf("%#v: %v", k, err)
		}
		if got, err := KeyOf(k.Value()); err != nil || got != k {
			t.Errorf("%#v becomes %#v, %v", k, got, err)
		}
	}
}

func TestAKeyTakesTheKindOfItsTable(t *testing.T) {
	tests := []struct {
		name    string
		key     Key
		integer bool
		want    Key
	}{
		{"digits for a table of integers", TextKey("7"), true, IntegerKey(7)},
		{"integer for a table of texts", IntegerKey(7), false, TextKey("7")},
		{"integer stays", IntegerKey(7), true, IntegerKey(7)},
		{"text stays", TextKey("lan"), false, TextKey("lan")},
		{"digits for a table of texts stay", TextKey("7"), false, TextKey("7")},
		{"another spelling is another key", TextKey("007"), true, TextKey("007")},
		{"a sign is no digit", TextKey("+7"), true, TextKey("+7")},
		{"a name for a table of integers stays", TextKey("lan"), true, TextKey("lan")},
		{"no key stays none", Key{}, true, Key{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.key.As(test.integer); got != test.want {
				t.Errorf("As = %#v, want %#v", got, test.want)
			}
		})
	}
}

func TestTextAndIntegerAreDifferentKeys(t *testing.T) {
	if TextKey("7") == IntegerKey(7) {
		t.Error("the text 7 equals the integer 7")
	}
	if TextKey("7").IsInteger() || !IntegerKey(7).IsInteger() || IntegerKey(0).IsZero() || !(Key{}).IsZero() {
		t.Error("the kind of a key is wrong")
	}
	if diff := cmp.Diff([]string{"7", "7", ""}, []string{TextKey("7").String(), IntegerKey(7).String(), Key{}.String()}); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if (Key{}).Value() != nil {
		t.Error("no key has a value")
	}
}

func TestAPositionIsBeforeOrAfter(t *testing.T) {
	if got := (Position{Before: true}).Where(); got != "before" {
		t.Errorf("before: %q", got)
	}
	if got := (Position{}).Where(); got != "after" {
		t.Errorf("after: %q", got)
	}
}

func TestOperationsSayWhereTheyComeFrom(t *testing.T) {
	origin := Origin{Resource: "firewall/address", Pointer: "/operations/3"}
	for _, op := range []Operation{Create{Origin: origin}, Update{Origin: origin}, Delete{Origin: origin}, Action{Origin: origin}} {
		if op.Path() != origin.Resource || op.Source() != origin.Pointer {
			t.Errorf("%T: %s at %s", op, op.Path(), op.Source())
		}
		op.sealed()
	}
}
