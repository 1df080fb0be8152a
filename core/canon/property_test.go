package canon_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/canon"
)

// values draws canonical values up to a depth.
func values(depth int) *rapid.Generator[any] {
	text := rapid.StringOf(rapid.Rune().Filter(func(r rune) bool { return r != 0 }))
	leaves := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), text.AsAny(),
		rapid.Int64Range(-canon.MaxInteger, canon.MaxInteger).AsAny(),
	}
	if depth == 0 {
		return rapid.OneOf(leaves...)
	}
	lists := rapid.Custom(func(t *rapid.T) any { return rapid.SliceOfN(values(depth-1), 0, 4).Draw(t, "list") })
	objects := rapid.Custom(func(t *rapid.T) any { return rapid.MapOfN(text, values(depth-1), 0, 4).Draw(t, "object") })
	return rapid.OneOf(append(leaves, lists, objects)...)
}

func TestDecodeUndoesEncode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(4).Draw(t, "value")
		data, err := canon.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		back, err := canon.Decode(data)
		if err != nil || !reflect.DeepEqual(v, back) {
			t.Fatalf("%s came back as %#v, %v", data, back, err)
		}
	})
}

// Whatever an independent writer makes of a value, white space and escapes
// included, it has one digest.
func TestEveryWritingOfAValueHasOneEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "value")
		want, err := canon.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		loose, err := json.MarshalIndent(v, " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		back, err := canon.Decode(loose)
		if err != nil {
			t.Fatalf("%s: %v", loose, err)
		}
		if got, err := canon.Encode(back); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%s, want %s, %v", got, want, err)
		}
	})
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2,"x",null,true]}`, `"\ud83d\ude00"`, `{"a":1,"\u0061":2}`, `-0`, `1e2`, `[[[]]]`, "\"\x7f\u2028\"", `{"\ufb33":1,"😀":2}`, `1 `, `{"A":1,"a":2}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := canon.Decode(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not JSON and was taken", data)
		}
		one, err := canon.Encode(v)
		if err != nil {
			t.Fatalf("%q decodes and does not encode: %v", data, err)
		}
		again, err := canon.Decode(one)
		if err != nil || !reflect.DeepEqual(v, again) {
			t.Fatalf("%q: %#v became %#v, %v", data, v, again, err)
		}
		loose, err := canon.DecodeLoose(data)
		if err != nil || !reflect.DeepEqual(v, loose) {
			t.Fatalf("%q: DecodeLoose disagrees: %#v, %v", data, loose, err)
		}
	})
}

func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{`{"op":"x"}`, `{"count":2,"op":"update"}`, `{"Op":"x"}`, `{"body":{"n":1},"op":""}`, `null`, `{"op":"\ufffd"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var l letter
		if canon.Unmarshal(data, &l) != nil {
			return
		}
		if again, err := canon.Marshal(l); err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q was taken and encodes as %q, %v", data, again, err)
		}
	})
}
