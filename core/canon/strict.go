package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// Marshal encodes a struct or any other value in canonical form, by way of its
// JSON tags.
func Marshal(v any) ([]byte, error) {
	plain, err := Value(v)
	if err != nil {
		return nil, err
	}
	return Encode(plain)
}

// Value turns a struct into a canonical value, by way of its JSON tags.
func Value(v any) (any, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("canon: %w", err)
	}
	if replacedText(b.Bytes()) {
		return nil, errors.New("canon: text is not valid UTF-8")
	}
	return Decode(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

// replacedText reports whether encoding/json met text that is not valid UTF-8.
// It quietly writes the escape \ufffd in its place, so that two different texts
// would share one encoding; a U+FFFD of the text itself is written as it is.
func replacedText(encoded []byte) bool {
	for i := 0; i < len(encoded)-1; i++ {
		if encoded[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(encoded[i:], []byte(`\ufffd`)) {
			return true
		}
		i++ // the escaped character
	}
	return false
}

// Unmarshal reads canonical bytes into a struct. It refuses bytes that are not
// canonical, keys that the struct does not have, keys in another case, and
// anything else that encoding the struct again would not give back exactly.
func Unmarshal(data []byte, into any) error {
	v, err := Decode(data)
	if err != nil {
		return err
	}
	again, err := Encode(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, data) {
		return fmt.Errorf("canon: %w", ErrNotCanonical)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("canon: %w", err)
	}
	mine, err := Marshal(into)
	if err != nil {
		return err
	}
	if !bytes.Equal(mine, data) {
		return fmt.Errorf("canon: %w: a key is missing, extra or in another case", ErrNotCanonical)
	}
	return nil
}
