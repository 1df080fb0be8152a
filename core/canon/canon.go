// Package canon is the one encoding of everything that is hashed, signed or
// stored: RFC 8785 (JCS) narrowed so that its hard parts cannot occur.
//
// A canonical value is nil, bool, string, int64, []any or map[string]any.
// Integers lie within ±(2^53-1); there are no fractions and no exponents. Text
// is valid UTF-8 without NUL and is never normalised. Objects have no duplicate
// keys and are written with their keys sorted by UTF-16 code units.
package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxInteger is the largest integer of a canonical value, 2^53-1.
const MaxInteger = 1<<53 - 1

// MaxDepth is how deep arrays and objects may nest.
const MaxDepth = 64

// ErrNotCanonical is wrapped by errors about bytes that are well-formed JSON
// but not the one encoding of their value.
var ErrNotCanonical = errors.New("not in canonical form")

// ErrTooDeep is what nests deeper than MaxDepth.
var ErrTooDeep = fmt.Errorf("canon: nested deeper than %d levels", MaxDepth)

// Encode writes a canonical value. It refuses values outside the narrow form;
// besides the six kinds it takes int and json.Number where they are integers.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := encode(&b, v, 0); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any, depth int) error {
	switch x := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(x))
	case string:
		return encodeText(b, x)
	case int:
		return encodeInteger(b, int64(x))
	case int64:
		return encodeInteger(b, x)
	case json.Number:
		n, err := integer(string(x))
		if err != nil {
			return err
		}
		return encodeInteger(b, n)
	case []any:
		return encodeList(b, x, depth)
	case map[string]any:
		return encodeObject(b, x, depth)
	default:
		return fmt.Errorf("canon: a %T has no canonical form", v)
	}
	return nil
}

// checkDepth refuses one more list or object within depth others.
func checkDepth(depth int) error {
	if depth >= MaxDepth {
		return ErrTooDeep
	}
	return nil
}

func encodeInteger(b *bytes.Buffer, n int64) error {
	if n > MaxInteger || n < -MaxInteger {
		return fmt.Errorf("canon: integer %d is beyond 2^53-1", n)
	}
	b.WriteString(strconv.FormatInt(n, 10))
	return nil
}

func encodeList(b *bytes.Buffer, list []any, depth int) error {
	if err := checkDepth(depth); err != nil {
		return err
	}
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encode(b, v, depth+1); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func encodeObject(b *bytes.Buffer, object map[string]any, depth int) error {
	if err := checkDepth(depth); err != nil {
		return err
	}
	b.WriteByte('{')
	for i, key := range Keys(object) {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encodeText(b, key); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encode(b, object[key], depth+1); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// Keys lists the keys of an object in canonical order (UTF-16 code units).
func Keys(object map[string]any) []string {
	keys, ascii := make([]string, 0, len(object)), true
	for key := range object {
		keys, ascii = append(keys, key), ascii && isASCII(key)
	}
	if ascii {
		slices.Sort(keys)
	} else {
		slices.SortFunc(keys, compareKeys)
	}
	return keys
}

func compareKeys(a, b string) int {
	if isASCII(a) && isASCII(b) {
		return strings.Compare(a, b)
	}
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

const hexDigits = "0123456789abcdef"

func encodeText(b *bytes.Buffer, s string) error {
	if !utf8.ValidString(s) {
		return errors.New("canon: text is not valid UTF-8")
	}
	b.WriteByte('"')
	plain := 0 // where the text begins that is written as it is
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		if c == 0 {
			return errors.New("canon: text holds a NUL")
		}
		b.WriteString(s[plain:i])
		plain = i + 1
		escape(b, c)
	}
	b.WriteString(s[plain:])
	b.WriteByte('"')
	return nil
}

// escape writes a byte that does not stand for itself in a text.
func escape(b *bytes.Buffer, c byte) {
	switch c {
	case '"', '\\':
		b.WriteByte('\\')
		b.WriteByte(c)
	case '\b':
		b.WriteString(`\b`)
	case '\f':
		b.WriteString(`\f`)
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	case '\t':
		b.WriteString(`\t`)
	default:
		b.WriteString(`\u00`)
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
}
