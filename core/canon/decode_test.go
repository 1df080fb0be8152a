package canon_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
)

func TestDecodeReadsStrictJSON(t *testing.T) {
	tests := []struct {
		name, text string
		want       any
	}{
		{"white space around", " \t\r\n{ \"a\" : [ 1 , null ] }\n ", map[string]any{"a": []any{int64(1), nil}}},
		{"escapes", `"\u0041\/\"\\\b\u00e9"`, "A/\"\\\b\u00e9"},
		{"a surrogate pair", `"\ud83d\ude00"`, "\U0001F600"},
		{"a surrogate pair in upper case", `"\uD83D\uDE00"`, "\U0001F600"},
		{"an escaped replacement character", `"\ufffd"`, "\ufffd"},
		{"a backslash before u", `"\\u0000"`, `\u0000`},
		{"a backslash before a surrogate", `"\\ud800"`, `\ud800`},
		{"integers", `[0,-1,9007199254740991,-9007199254740991]`, []any{int64(0), int64(-1), int64(9007199254740991), int64(-9007199254740991)}},
		{"keys that differ in case are two", `{"a":1,"A":2}`, map[string]any{"a": int64(1), "A": int64(2)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := canon.Decode([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	tests := []struct{ name, text string }{
		{"nothing", ""},
		{"white space only", "  "},
		{"a key twice", `{"a":1,"a":1}`},
		{"a key twice, once escaped", `{"a":1,"\u0061":2}`},
		{"a key twice, deep", `[{"x":{"a":1,"b":2,"a":3}}]`},
		{"an empty key twice", `{"":1,"":2}`},
		{"a lone high surrogate", `"\ud800"`},
		{"a lone high surrogate before text", `"\ud800a"`},
		{"two high surrogates", `"\ud800\ud800"`},
		{"a lone low surrogate", `"\udc00"`},
		{"a pair the wrong way round", `"\ude00\ud83d"`},
		{"a high surrogate at the end of a key", `{"\ud800":1}`},
		{"an escaped NUL", `"\u0000"`},
		{"an escaped NUL in a key", `{"a\u0000":1}`},
		{"a raw NUL", "\"\x00\""},
		{"a NUL after the value", "1\x00"},
		{"invalid UTF-8", "\"\xff\""},
		{"a surrogate written as UTF-8", "\"\xed\xa0\x80\""},
		{"a byte order mark", "\xef\xbb\xbf1"},
		{"a fraction", `1.5`},
		{"a whole fraction", `1.0`},
		{"an exponent", `1e2`},
		{"minus zero", `-0`},
		{"2^53", `9007199254740992`},
		{"-(2^53)", `-9007199254740992`},
		{"a very long integer", `123456789012345678901234567890`},
		{"a leading zero", `01`},
		{"a plus sign", `+1`},
		{"NaN", `NaN`},
		{"a second value", `{} {}`},
		{"a comma after the value", `1,`},
		{"a brace after the value", `{}}`},
		{"text after the value", `1 x`},
		{"a trailing comma in a list", `[1,]`},
		{"a trailing comma in an object", `{"a":1,}`},
		{"a missing comma", `[1 2]`},
		{"a missing colon", `{"a" 1}`},
		{"a key that is no text", `{1:2}`},
		{"a wrong end", `[1}`},
		{"no end", `{"a":1`},
		{"an unfinished escape", `"\u00`},
		{"a wrong escape", `"\x41"`},
		{"a raw newline in text", "\"a\nb\""},
		{"single quotes", `'a'`},
		{"a comment", `/* */1`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := canon.Decode([]byte(tt.text)); err == nil {
				t.Errorf("Decode = %#v, want an error", got)
			}
		})
	}
}

func TestDecodeLooseKeepsTheDigitsOfOddNumbers(t *testing.T) {
	got, err := canon.DecodeLoose([]byte(`[1,1.50,1e400,-0,18446744073709551616,9007199254740993]`))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{
		int64(1), canon.Number("1.50"), canon.Number("1e400"), canon.Number("-0"),
		canon.Number("18446744073709551616"), canon.Number("9007199254740993"),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeLooseIsStrictInEverythingElse(t *testing.T) {
	for _, text := range []string{`{"a":1,"a":2}`, `"\ud800"`, `"\u0000"`, "\"\xff\"", `1 2`, nested(65, "[", "", "]")} {
		if got, err := canon.DecodeLoose([]byte(text)); err == nil {
			t.Errorf("DecodeLoose(%.20q) = %#v, want an error", text, got)
		}
	}
}
