package canon

import (
	"bytes"
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
	return decode(data, func(n json.Number) (any, error) { return integer(n) })
}

// DecodeLoose reads JSON from a device: as Decode, but numbers outside the
// canonical form become a [Number] with their digits kept.
func DecodeLoose(data []byte) (any, error) {
	return decode(data, func(n json.Number) (any, error) {
		if v, err := integer(n); err == nil {
			return v, nil
		}
		return Number(n), nil
	})
}

// CheckText refuses what [DecodeLoose] refuses of a text, apart from its depth and from
// keys that stand twice, without making a value of it.
func CheckText(data []byte) error {
	switch {
	case !utf8.Valid(data):
		return errors.New("canon: not valid UTF-8")
	case !json.Valid(data):
		return errors.New("canon: not valid JSON")
	}
	return checkEscapes(data)
}

// TwiceError says that a key stands twice in an object.
func TwiceError(key string) error { return fmt.Errorf("canon: key %q stands twice", key) }

func decode(data []byte, number func(json.Number) (any, error)) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("canon: not valid UTF-8")
	}
	if err := checkEscapes(data); err != nil {
		return nil, err
	}
	d := &decoder{json: json.NewDecoder(bytes.NewReader(data)), number: number}
	d.json.UseNumber()
	v, err := d.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := d.json.Token(); err == nil || d.json.InputOffset() < int64(len(bytes.TrimRight(data, " \t\r\n"))) {
		return nil, errors.New("canon: bytes follow the value")
	}
	return v, nil
}

type decoder struct {
	json   *json.Decoder
	number func(json.Number) (any, error)
}

func (d *decoder) value(depth int) (any, error) {
	token, err := d.json.Token()
	if err != nil {
		return nil, fmt.Errorf("canon: not valid JSON: %w", err)
	}
	switch t := token.(type) {
	case json.Delim:
		if err := checkDepth(depth); err != nil {
			return nil, err
		}
		if t == '[' {
			return d.list(depth)
		}
		return d.object(depth)
	case json.Number:
		return d.number(t)
	default:
		return t, nil
	}
}

func (d *decoder) list(depth int) (any, error) {
	list := []any{}
	for d.json.More() {
		v, err := d.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, d.close()
}

func (d *decoder) object(depth int) (any, error) {
	object := map[string]any{}
	for d.json.More() {
		token, err := d.json.Token()
		if err != nil {
			return nil, fmt.Errorf("canon: not valid JSON: %w", err)
		}
		key, _ := token.(string)
		if _, twice := object[key]; twice {
			return nil, TwiceError(key)
		}
		if object[key], err = d.value(depth + 1); err != nil {
			return nil, err
		}
	}
	return object, d.close()
}

func (d *decoder) close() error {
	if _, err := d.json.Token(); err != nil {
		return fmt.Errorf("canon: not valid JSON: %w", err)
	}
	return nil
}

func integer(n json.Number) (int64, error) {
	s := string(n)
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
