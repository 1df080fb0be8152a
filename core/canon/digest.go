package canon

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
)

// Digest is a SHA-256 sum, written "sha256:<64 hex digits>". The zero Digest is
// no digest: it is refused where one is needed and never equals a real one.
type Digest struct {
	sum [sha256.Size]byte
	set bool
}

const digestPrefix = "sha256:"

// Sum hashes data.
func Sum(data []byte) Digest { return Digest{sum: sha256.Sum256(data), set: true} }

// SumIn hashes data within a domain: SHA-256(domain || 0x0A || data). The domain
// keeps a hash made for one purpose from serving another.
func SumIn(domain string, data []byte) Digest {
	h := sha256.New()
	h.Write([]byte(domain + "\n"))
	h.Write(data)
	d := Digest{set: true}
	h.Sum(d.sum[:0])
	return d
}

// ParseDigest reads the written form, lower case only.
func ParseDigest(text string) (Digest, error) {
	raw, ok := strings.CutPrefix(text, digestPrefix)
	if !ok || len(raw) != 2*sha256.Size || strings.ToLower(raw) != raw {
		return Digest{}, errors.New("canon: a digest is sha256: and 64 lower-case hex digits")
	}
	d := Digest{set: true}
	if _, err := hex.Decode(d.sum[:], []byte(raw)); err != nil {
		return Digest{}, errors.New("canon: a digest is sha256: and 64 lower-case hex digits")
	}
	return d, nil
}

// IsZero reports whether d is no digest.
func (d Digest) IsZero() bool { return !d.set }

// String is the written form, "" for the zero digest.
func (d Digest) String() string {
	if !d.set {
		return ""
	}
	return digestPrefix + hex.EncodeToString(d.sum[:])
}

// Hex is the sum alone, "" for the zero digest.
func (d Digest) Hex() string { return strings.TrimPrefix(d.String(), digestPrefix) }

// MarshalText writes the written form.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the written form; empty text is the zero digest.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*d = Digest{}
		return nil
	}
	v, err := ParseDigest(string(text))
	if err != nil {
		return err
	}
	*d = v
	return nil
}

// SumOf hashes the canonical encoding of a value.
func SumOf(v any) (Digest, error) {
	data, err := Encode(v)
	if err != nil {
		return Digest{}, err
	}
	return Sum(data), nil
}
