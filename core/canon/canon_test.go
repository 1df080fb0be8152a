package canon_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/canon"
)

func TestEncodeWritesTheOneEncoding(t *testing.T) {
	tests := []struct {
		name  string
		value any
		want  string
	}{
		{"null", nil, `null`},
		{"booleans", []any{true, false}, `[true,false]`},
		{"integers of any kind", []any{0, int64(-1), json.Number("42")}, `[0,-1,42]`},
		{"the greatest and the least integer", []any{int64(canon.MaxInteger), int64(-canon.MaxInteger)}, `[9007199254740991,-9007199254740991]`},
		{"empty containers", []any{[]any{}, map[string]any{}}, `[[],{}]`},
		{"keys sorted", map[string]any{"b": 1, "a": 2, "": 3, "B": 4}, `{"":3,"B":4,"a":2,"b":1}`},
		{"short escapes", "\b\t\n\f\r\"\\", `"\b\t\n\f\r\"\\"`},
		{"other control characters", "\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\""},
		{"nothing else is escaped", "</script>&\u2028\u00e9/", "\"</script>&\u2028\u00e9/\""},
		{"beyond the first plane", "\U0001F600", "\"\U0001F600\""},
		{"text is not normalised", []any{"\u00e9", "e\u0301"}, "[\"\u00e9\",\"e\u0301\"]"},
		{"the replacement character itself", "\ufffd", "\"\ufffd\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canon.Encode(tt.value)
			if err != nil || string(got) != tt.want {
				t.Errorf("Encode = %s, %v; want %s", got, err, tt.want)
			}
		})
	}
}

// The example of RFC 8785, section 3.2.3: code units decide, not code points, so
// that the emoji (a surrogate pair, D83D…) comes before U+FB33.
func TestKeysAreSortedByUTF16CodeUnits(t *testing.T) {
	object := map[string]any{
		"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
		"1": "One", "\U0001F600": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis",
	}
	want := []string{"\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001F600", "\ufb33"}
	got := canon.Keys(object)
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("Keys = %q, want %q", got, want)
	}
}

func TestEncodeRefusesWhatHasNoCanonicalForm(t *testing.T) {
	tests := []struct {
		name  string
		value any
	}{
		{"a float", 1.5},
		{"a whole float", float64(1)},
		{"an integer beyond 2^53-1", int64(canon.MaxInteger + 1)},
		{"an integer below -(2^53-1)", int64(-canon.MaxInteger - 1)},
		{"a json.Number with a fraction", json.Number("1.0")},
		{"a json.Number with an exponent", json.Number("1e2")},
		{"a json.Number that is no number", json.Number("x")},
		{"minus zero", json.Number("-0")},
		{"a device's odd number", canon.Number("1.5")},
		{"invalid UTF-8", "a\xffb"},
		{"a surrogate in UTF-8", "\xed\xa0\x80"},
		{"NUL", "a\x00"},
		{"a key that is invalid UTF-8", map[string]any{"\xff": 1}},
		{"a key with NUL", map[string]any{"\x00": 1}},
		{"a struct", struct{}{}},
		{"a list of texts", []string{"a"}},
		{"deep in a list", []any{map[string]any{"a": []any{1.5}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := canon.Encode(tt.value); err == nil {
				t.Errorf("Encode = %s, want an error", got)
			}
		})
	}
}

func nested(levels int, open, inner, end string) string {
	return strings.Repeat(open, levels) + inner + strings.Repeat(end, levels)
}

func TestContainersNestSixtyFourDeepAndNoDeeper(t *testing.T) {
	tests := []struct {
		name, text string
		ok         bool
	}{
		{"64 empty lists", nested(64, "[", "", "]"), true},
		{"64 lists around a number", nested(64, "[", "1", "]"), true},
		{"65 empty lists", nested(65, "[", "", "]"), false},
		{"65 lists around a number", nested(65, "[", "1", "]"), false},
		{"64 objects", nested(63, `{"a":`, "{}", "}"), true},
		{"65 objects", nested(64, `{"a":`, "{}", "}"), false},
		{"very many", nested(100_000, "[", "", "]"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v, err := canon.Decode([]byte(tt.text))
			if (err == nil) != tt.ok {
				t.Fatalf("Decode: %v", err)
			}
			if err != nil {
				return
			}
			if again, err := canon.Encode(v); err != nil || string(again) != tt.text {
				t.Errorf("Encode = %s, %v", again, err)
			}
		})
	}
}

func TestEncodeRefusesSixtyFiveLevels(t *testing.T) {
	var v any = []any{}
	for range canon.MaxDepth {
		v = []any{v}
	}
	if _, err := canon.Encode(v); err == nil {
		t.Error("65 levels were encoded")
	}
}
