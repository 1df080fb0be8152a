// Package redact keeps secrets and hostile text out of what people and models
// read: a type for secret values, masking of attributes and values, and the
// escaping of text that a device or a client chose.
package redact

import (
	"fmt"
)

// Mask is what stands in the place of a secret.
const Mask = "<redacted>"

// Secret is a secret value. Every way of printing it prints the mask; the value
// itself is given by [Secret.Reveal] alone.
type Secret struct{ value string }

// NewSecret wraps a value.
func NewSecret(value string) Secret { return Secret{value} }

// Reveal is the value. Its callers hand it to the device or to a hash, nothing else.
func (s Secret) Reveal() string { return s.value }

// IsZero reports whether there is no value.
func (s Secret) IsZero() bool { return s.value == "" }

// Len is the length of the value in bytes.
func (s Secret) Len() int { return len(s.value) }

// String is the mask.
func (s Secret) String() string { return Mask }

// GoString is the mask.
func (s Secret) GoString() string { return Mask }

// Format writes the mask, whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(Mask)) }

// MarshalJSON is the mask as a JSON string.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + Mask + `"`), nil }

// MarshalText is the mask.
func (s Secret) MarshalText() ([]byte, error) { return []byte(Mask), nil }
