package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/forti-mcp/forti/core/canon"
)

// Key names one row of a table: a text or an integer. The zero Key is no key;
// it cannot be written into a request.
type Key struct {
	text    string
	integer int64
	kind    keyKind
}

type keyKind uint8

const (
	noKey keyKind = iota
	textKey
	integerKey
)

// TextKey is a key of text.
func TextKey(text string) Key { return Key{text: text, kind: textKey} }

// IntegerKey is a key of digits.
func IntegerKey(n int64) Key { return Key{integer: n, kind: integerKey} }

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.kind == noKey }

// IsInteger reports whether the key is an integer.
func (k Key) IsInteger() bool { return k.kind == integerKey }

// String is the key as it stands in a path before escaping.
func (k Key) String() string {
	if k.kind == integerKey {
		return strconv.FormatInt(k.integer, 10)
	}
	return k.text
}

// Value is the key as a canonical value: a string, an int64 or nil.
func (k Key) Value() any {
	switch k.kind {
	case integerKey:
		return k.integer
	case textKey:
		return k.text
	case noKey:
	}
	return nil
}

// KeyOf turns a JSON value into a key. It refuses anything but text and whole
// numbers, and texts that [Key.Check] refuses.
func KeyOf(v any) (Key, error) {
	var k Key
	switch x := v.(type) {
	case string:
		k = TextKey(x)
	case int64:
		k = IntegerKey(x)
	case int:
		k = IntegerKey(int64(x))
	default:
		return Key{}, fmt.Errorf("a key is a string or an integer")
	}
	return k, k.Check()
}

// Check refuses keys that no request may carry: empty, blank, control characters,
// and whatever would address the table or its parent: "." and "..", alone or
// between slashes, and nothing but slashes. An escaped slash protects nothing
// from a device that takes the escapes out before it looks for dots.
func (k Key) Check() error {
	switch {
	case k.kind == noKey:
		return fmt.Errorf("the key is missing")
	case k.kind == integerKey && k.integer < 0:
		return fmt.Errorf("the key must not be negative")
	case k.kind == integerKey:
		return nil
	case strings.TrimSpace(k.text) == "":
		return fmt.Errorf("the key is empty or blank")
	case leavesRow(k.text):
		return fmt.Errorf("the key %q would address something else", k.text)
	case !utf8.ValidString(k.text):
		return fmt.Errorf("the key is not valid UTF-8")
	case strings.ContainsFunc(k.text, unicode.IsControl):
		return fmt.Errorf("the key holds a control character")
	case len(k.text) > 255:
		return fmt.Errorf("the key is longer than 255 bytes")
	}
	return nil
}

// leavesRow: a part between slashes is a dot segment, or there are only slashes.
func leavesRow(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		if part = strings.TrimSpace(part); part == "." || part == ".." {
			return true
		}
	}
	return strings.Trim(text, "/ ") == ""
}

// As gives the key in a table's own kind: digits become an integer key where
// the table is keyed by integers, and the reverse where it is keyed by text.
func (k Key) As(integer bool) Key {
	switch {
	case integer && k.kind == textKey:
		if n, err := strconv.ParseInt(k.text, 10, 64); err == nil && strconv.FormatInt(n, 10) == k.text {
			return IntegerKey(n)
		}
	case !integer && k.kind == integerKey:
		return TextKey(k.String())
	}
	return k
}

// MarshalJSON writes a string, a number or null.
func (k Key) MarshalJSON() ([]byte, error) { return canon.Encode(k.Value()) }

// UnmarshalJSON reads a string, an integer or null. It does not call Check.
func (k *Key) UnmarshalJSON(data []byte) error {
	v, err := canon.Decode(bytes.TrimSpace(data))
	if err != nil {
		return fmt.Errorf("a key is a string or an integer: %w", err)
	}
	switch x := v.(type) {
	case nil:
		*k = Key{}
	case string:
		*k = TextKey(x)
	case int64:
		*k = IntegerKey(x)
	default:
		return fmt.Errorf("a key is a string or an integer")
	}
	return nil
}

var (
	_ json.Marshaler   = Key{}
	_ json.Unmarshaler = (*Key)(nil)
)
