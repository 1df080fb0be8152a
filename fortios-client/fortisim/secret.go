package fortisim

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
)

// maskedSecret is how a set secret reads; an unset one reads "" (R).
const maskedSecret = "ENC XXXX"

// encPrefix begins a secret in its stored form.
const encPrefix = "ENC "

// readSecret takes a written secret: in clear, or in the form that a backup
// shows (U). What the device cannot decrypt it keeps as it is.
func (d *Device) readSecret(text string) string {
	rest, encrypted := strings.CutPrefix(text, encPrefix)
	if !encrypted {
		return text
	}
	raw, err := base64.StdEncoding.DecodeString(rest)
	box := d.box()
	if err != nil || len(raw) < box.NonceSize() {
		return text
	}
	plain, err := box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], nil)
	if err != nil {
		return text
	}
	return string(plain)
}

// encrypted is a secret as a backup shows it: another text each time (U).
func (d *Device) encrypted(secret string) string {
	if strings.HasPrefix(secret, encPrefix) {
		return secret
	}
	box := d.box()
	nonce := make([]byte, box.NonceSize())
	if _, err := io.ReadFull(d.options.Rand, nonce); err != nil {
		sum := sha256.Sum256([]byte(d.uuid()))
		copy(nonce, sum[:])
	}
	return encPrefix + base64.StdEncoding.EncodeToString(box.Seal(nonce, nonce, []byte(secret), nil))
}

// box encrypts with a key that follows from the serial: a simulated device has
// nothing to hide, it only has to look as if.
func (d *Device) box() cipher.AEAD {
	key := sha256.Sum256([]byte("fortisim " + d.options.Serial))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil // not reached: the key has 32 bytes
	}
	box, err := cipher.NewGCM(block)
	if err != nil {
		return nil // not reached: an AES block has 16 bytes
	}
	return box
}

// secretMark tells secrets apart without showing them.
func secretMark(secret string) string {
	sum := sha256.Sum256([]byte("fortisim mark " + secret))
	return "SECRET-" + hex.EncodeToString(sum[:6])
}
