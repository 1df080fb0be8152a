package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/canon"
)

func TestJSONLeavesWhatTheDeviceWrote(t *testing.T) {
	const row = ` { "name" : "b\/\u00e9" , "z":1.50,"a" : [ 1e3 , -0, {"x":null} ],"psksecret":"s3cret", "psk": ["a",7,true,""] }`
	const want = `{"name":"b\/\u00e9","z":1.50,"a":[1e3,-0,{"x":null}],"psksecret":"<redacted>","psk":["<redacted>","<redacted>",true,""]}`
	names := map[string]bool{"name": true, "z": true, "a": true, "psksecret": true, "psk": true}
	for _, test := range []struct {
		fields []string
		want   *Masked
	}{
		{nil, &Masked{[]byte(want), []string{"/psk/*", "/psksecret"}, names}},
		{[]string{"z", "name", "other"}, &Masked{[]byte(`{"name":"b\/\u00e9","z":1.50}`), []string{}, names}},
	} {
		got, err := For(tunnel).JSON([]byte(row), test.fields)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
}

// sameAsObject compares with what is known to be right, for texts that both take.
func sameAsObject(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, text []byte,
) {
	t.Helper()
	v, wrong := canon.DecodeLoose(text)
	whole, isObject := v.(object)
	got, err := For(tunnel).JSON(text, nil)
	if (err == nil) != (wrong == nil && isObject) {
		t.Fatalf("%q: %v, and decoding it: %v", text, err, wrong)
	}
	if err != nil {
		return
	}
	masked, places := Object(tunnel, whole)
	again, err := canon.DecodeLoose(got.Text)
	if err != nil {
		t.Fatalf("%q became %q: %v", text, got.Text, err)
	}
	if diff := cmp.Diff(any(masked), again); diff != "" {
		t.Fatalf("%q:\n%s", text, diff)
	}
	for i := range places {
		places[i] = anyItem(whole, places[i])
	}
	slices.Sort(places)
	if diff := cmp.Diff(slices.Compact(places), got.Pointers, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%q:\n%s", text, diff)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil || len(places) == 0 && compact.String() != string(got.Text) {
		t.Fatalf("%q without secrets became %q", text, got.Text)
	}
}

// anyItem puts "*" for the places in lists.
func anyItem(v any, pointer string) string {
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		switch x := v.(type) {
		case []any:
			n, _ := strconv.Atoi(token)
			tokens[i], v = "*", x[n]
		case object:
			v = x[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
		}
	}
	return "/" + strings.Join(tokens, "/")
}

func TestJSONMasksWhatObjectMasks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawObject(t, tunnel)
		whole, _ := d.value.(object)
		for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"token", "q_origin_key", "a/b", "~", "é\u202e", "<x>", "user_password"}), 0, 3).Draw(t, "more") {
			whole[name] = drawAny(t, 3)
		}
		text, err := json.MarshalIndent(whole, "", rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "indent"))
		if err != nil {
			t.Fatal(err)
		}
		sameAsObject(t, text)
	})
}

func drawAny(t *rapid.T, depth int) any {
	kinds := 6
	if depth == 0 {
		kinds = 4
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return rapid.SampledFrom([]any{nil, true, false, "", int64(0), int64(-12), canon.Number("1.5e9"), canon.Number("18446744073709551615")}).Draw(t, "plain")
	case 1:
		return rapid.SampledFrom([]string{"ENC abcdefgh12345678==", "see ENC Standards", hash, pem, "x\n" + pem, "\"ENC abc\"", "\\", "\"", "a\u2028b"}).Draw(t, "form")
	case 2:
		return rapid.StringN(0, 12, -1).Filter(func(s string) bool { return !strings.ContainsRune(s, 0) }).Draw(t, "text")
	case 3:
		return rapid.Int64Range(-canon.MaxInteger, canon.MaxInteger).Draw(t, "number")
	case 4:
		list := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			list = append(list, drawAny(t, depth-1))
		}
		return list
	}
	o := object{}
	for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"name", "token", "psksecret", "x"}), 0, 3).Draw(t, "names") {
		o[name] = drawAny(t, depth-1)
	}
	return o
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","psksecret":"s","peer":[{"id":1,"auth-password":"x","backup":{"key":"k","host":"h"}}],"headers":[{"header":"h","q_origin_key":"h"}]}`,
		`{"a":1,"\u0061":2}`, `{"a":"\u0045NC abcdefgh"}`, `{"token":{"a":[1,"x",null,true]}}`, ` {} `, `[]`, `{"a":"\ud800"}`, `{"a":{"b":1,"b":2}}`,
		`{"psksecret":{"a":1,"a":2}}`, `{"a":-0.0e+1}`, `{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, `{"psksecret":"ENC \"x"}`,
		"{\"a\":\"\x00\"}", `{"":"","":""}`, fmt.Sprintf(`{"comments":%q}`, pem),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) { sameAsObject(t, text) })
}
