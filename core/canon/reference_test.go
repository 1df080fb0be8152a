package canon_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/canon"
)

// reference decodes with the tokens of encoding/json, which is slow and known to be right.
func reference(text []byte) (any, error) {
	if err := canon.CheckText(text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := referenceValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more follows")
	}
	return v, nil
}

func referenceValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, composed := token.(json.Delim)
	if n, isNumber := token.(json.Number); isNumber {
		return referenceNumber(string(n)), nil
	}
	if !composed {
		return token, nil
	}
	if depth >= canon.MaxDepth {
		return nil, canon.ErrTooDeep
	}
	list, object := []any{}, map[string]any{}
	for d.More() {
		key := ""
		if delim == '{' {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			key = name.(string)
			if _, twice := object[key]; twice {
				return nil, errors.New("twice")
			}
		}
		v, err := referenceValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
		object[key] = v
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if delim == '{' {
		return object, nil
	}
	return list, nil
}

func referenceNumber(text string) any {
	var n int64
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || fmt.Sprint(n) != text || n > canon.MaxInteger || n < -canon.MaxInteger {
		return canon.Number(text)
	}
	return n
}

func FuzzDecodeAsTheReference(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-0,1.5,1e3,9007199254740993,null,true,false,"x\u00e9\ud83d\ude00\/"],"b":{}}`, ` [ ] `, `{"a":1,"\u0061":2}`, `"\ud800"`, "\"\x00\"", "\xff", "1 2", "{}x",
		strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat("[", 64) + strings.Repeat("]", 64), `{"":{"":[]}}`, "\ufeff1", "-", "tru", `{"a":1,}`, "0", `"\\"`, `["\"",1]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want, wrong := reference(text)
		got, err := canon.DecodeLoose(text)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%q: %v, and by the reference: %v", text, err, wrong)
		}
		if err == nil && !reflect.DeepEqual(want, got) { // cmp takes for ever on deep values
			t.Fatalf("%q: %#v, and by the reference: %#v", text, got, want)
		}
	})
}
