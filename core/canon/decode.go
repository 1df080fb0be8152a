package canon

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Number is a number that a canonical value cannot hold: a fraction, an
// exponent or an integer beyond 2^53-1. It keeps the digits as they came.
type Number string

// Decode reads strict JSON as a canonical value. It refuses duplicate keys,
// invalid UTF-8, lone surrogates, NUL, depth over 64, trailing bytes and every
// number that is not an integer within ±(2^53-1).
func Decode(data []byte) (any, error) {
	return decode(data, func(text string) (any, error) { return integer(text) })
}

// DecodeLoose reads JSON from a device: as Decode, but numbers outside the
// canonical form become a [Number] with their digits kept.
func DecodeLoose(data []byte) (any, error) {
	return decode(data, func(text string) (any, error) {
		if v, err := integer(text); err == nil {
			return v, nil
		}
		return Number(text), nil
	})
}

// CheckText refuses what [DecodeLoose] refuses of a text, apart from its depth and from
// keys that stand twice, without making a value of it.
func CheckText(data []byte) error {
	switch {
	case !utf8.Valid(data):
		return errors.New("canon: not valid UTF-8")
	case !json.Valid(data):
		return invalid(data)
	}
	return checkEscapes(data)
}

// invalid says why a text is not JSON.
func invalid(data []byte) error {
	err := json.Unmarshal(data, new(json.RawMessage))
	if err != nil && strings.Contains(err.Error(), "after top-level value") {
		return errors.New("canon: bytes follow the value")
	}
	return fmt.Errorf("canon: not valid JSON: %w", err)
}

// TwiceError says that a key stands twice in an object.
func TwiceError(key string) error { return fmt.Errorf("canon: key %q stands twice", key) }

func decode(data []byte, number func(text string) (any, error)) (any, error) {
	c, err := NewCursor(data)
	if err != nil {
		return nil, err
	}
	d := &decoder{Cursor: c, number: number}
	return d.value(0)
}

// decoder makes a value of JSON text.
type decoder struct {
	*Cursor
	number func(text string) (any, error)
}

func (d *decoder) value(depth int) (any, error) {
	switch d.Peek() {
	case '{':
		return d.object(depth)
	case '[':
		return d.list(depth)
	case '"':
		return Unquote(d.Text()), nil
	}
	switch word := string(d.Word()); word {
	case "null":
		return nil, nil //nolint:nilnil // null is a value
	case "true", "false":
		return word == "true", nil
	default:
		return d.number(word)
	}
}

func (d *decoder) list(depth int) (any, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	list := []any{}
	for d.Enter(); d.Peek() != ']'; d.Next() {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	d.Leave()
	return list, nil
}

func (d *decoder) object(depth int) (any, error) {
	if err := checkDepth(depth); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for d.Enter(); d.Peek() != '}'; d.Next() {
		key := Unquote(d.Name())
		if _, twice := object[key]; twice {
			return nil, TwiceError(key)
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		object[key] = v
	}
	d.Leave()
	return object, nil
}

func integer(s string) (int64, error) {
	if strings.ContainsAny(s, ".eE") || s == "-0" {
		return 0, fmt.Errorf("canon: number %s is not a plain integer", s)
	}
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || v > MaxInteger || v < -MaxInteger {
		return 0, fmt.Errorf("canon: number %s is beyond 2^53-1", s)
	}
	return v, nil
}

// checkEscapes refuses \u escapes that encoding/json would quietly replace (lone
// surrogates) and NUL. It looks inside strings only.
func checkEscapes(data []byte) error {
	inText := false
	for i := 0; i < len(data); i++ {
		switch {
		case data[i] == 0:
			return errors.New("canon: holds a NUL")
		case data[i] == '"':
			inText = !inText
		case inText && data[i] == '\\':
			n, err := checkEscape(data[i:])
			if err != nil {
				return err
			}
			i += n
		}
	}
	return nil
}

// checkEscape looks at one escape and says how many more bytes it spans.
func checkEscape(b []byte) (int, error) {
	if len(b) < 2 || b[1] != 'u' {
		return 1, nil
	}
	unit, ok := hexUnit(b)
	switch {
	case !ok:
		return 1, nil // the decoder reports it
	case unit == 0:
		return 0, errors.New("canon: text holds a NUL")
	case unit >= 0xDC00 && unit <= 0xDFFF:
		return 0, errors.New("canon: text holds a lone surrogate")
	case unit >= 0xD800 && unit <= 0xDBFF:
		low, ok := hexUnit(b[6:])
		if !ok || low < 0xDC00 || low > 0xDFFF {
			return 0, errors.New("canon: text holds a lone surrogate")
		}
		return 11, nil
	}
	return 5, nil
}

func hexUnit(b []byte) (uint64, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	return unit, err == nil
}

// MarshalJSON writes the digits as they came.
func (n Number) MarshalJSON() ([]byte, error) { return []byte(n), nil }
