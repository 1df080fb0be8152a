package canon_test

import (
	"errors"
	"testing"

	"github.com/forti-mcp/forti/core/canon"
)

type letter struct {
	Op    string         `json:"op"`
	Count int            `json:"count,omitempty"`
	Sum   canon.Digest   `json:"sum,omitzero"`
	Body  map[string]any `json:"body,omitempty"`
}

func TestMarshalIsCanonical(t *testing.T) {
	got, err := canon.Marshal(letter{Op: "<&>\u2028", Count: 2, Body: map[string]any{"b": "\u00e9", "a": 1}})
	want := "{\"body\":{\"a\":1,\"b\":\"\u00e9\"},\"count\":2,\"op\":\"<&>\u2028\"}"
	if err != nil || string(got) != want {
		t.Errorf("Marshal = %s, %v; want %s", got, err, want)
	}
}

// encoding/json would replace the bad byte, and two letters would share a digest.
func TestMarshalRefusesTextThatIsNotUTF8(t *testing.T) {
	for name, l := range map[string]letter{
		"in a field":           {Op: "a\xff"},
		"after a backslash":    {Op: "\\\xff"},
		"in a value of a map":  {Body: map[string]any{"a": "\xff"}},
		"in a key of a map":    {Body: map[string]any{"\xff": 1}},
		"a surrogate as UTF-8": {Op: "\xed\xa0\x80"},
		"a NUL":                {Op: "\x00"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := canon.Marshal(l); err == nil {
				t.Errorf("Marshal = %s, want an error", got)
			}
		})
	}
}

func TestMarshalKeepsTheReplacementCharacterAndWhatLooksLikeIt(t *testing.T) {
	for _, op := range []string{"\ufffd", `\ufffd`, `\\ufffd`, "\\\\\ufffd"} {
		data, err := canon.Marshal(letter{Op: op})
		if err != nil {
			t.Fatalf("%q: %v", op, err)
		}
		var back letter
		if err := canon.Unmarshal(data, &back); err != nil || back.Op != op {
			t.Errorf("%q came back as %q, %v", op, back.Op, err)
		}
	}
}

func TestMarshalRefusesNumbersOutsideTheForm(t *testing.T) {
	for _, v := range []any{1.5, 1e100, int64(1) << 53} {
		if got, err := canon.Marshal(letter{Op: "x", Body: map[string]any{"n": v}}); err == nil {
			t.Errorf("Marshal(%v) = %s, want an error", v, got)
		}
	}
}

func TestUnmarshalTakesTheOneEncodingOnly(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"canonical", `{"count":2,"op":"update"}`, true},
		{"white space", `{"count":2, "op":"update"}`, false},
		{"a newline at the end", "{\"op\":\"update\"}\n", false},
		{"keys out of order", `{"op":"update","count":2}`, false},
		{"a key in another case", `{"Op":"update"}`, false},
		{"a second key that differs in case only", `{"OP":"delete","op":"update"}`, false},
		{"a key that the struct does not have", `{"op":"update","x":1}`, false},
		{"a key twice", `{"op":"update","op":"delete"}`, false},
		{"a member that encoding leaves out", `{"count":0,"op":"update"}`, false},
		{"a member that is missing", `{}`, false},
		{"a null for a text", `{"op":null}`, false},
		{"an escape that is not needed", `{"op":"\u0061"}`, false},
		{"an escaped slash", `{"op":"a\/b"}`, false},
		{"a wrong type", `{"op":1}`, false},
		{"a digest in upper case", `{"op":"x","sum":"sha256:AA00000000000000000000000000000000000000000000000000000000000000"}`, false},
		{"a fraction", `{"body":{"n":1.0},"op":"x"}`, false},
		{"a body", `{"body":{"n":[1,{"a":null}]},"op":"x"}`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l letter
			err := canon.Unmarshal([]byte(tt.text), &l)
			if (err == nil) != tt.ok {
				t.Fatalf("Unmarshal: %v, %+v", err, l)
			}
			if again, err := canon.Marshal(l); tt.ok && (err != nil || string(again) != tt.text) {
				t.Errorf("Marshal = %s, %v; want %s", again, err, tt.text)
			}
		})
	}
}

func TestUnmarshalSaysWhenBytesAreNotTheOneEncoding(t *testing.T) {
	for _, text := range []string{`{ "op":"x"}`, `{"Op":"x"}`} {
		var l letter
		if err := canon.Unmarshal([]byte(text), &l); !errors.Is(err, canon.ErrNotCanonical) {
			t.Errorf("%s: %v is not ErrNotCanonical", text, err)
		}
	}
}
