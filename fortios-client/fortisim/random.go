package fortisim

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	insecure "math/rand/v2"
)

// serialRand is a stream of bytes that follows from the serial number: good
// for uuids that are the same in every run, not for keys.
func serialRand(serial string) io.Reader {
	return insecure.NewChaCha8(sha256.Sum256([]byte(serial)))
}

// randomToken is a token of the form a FortiGate makes: 30 letters and digits (R).
func randomToken() string {
	const letters = "0123456789abcdefghjkmnpqrstwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
	raw := make([]byte, 30)
	// The system's source never fails: crypto/rand ends the program instead.
	_, _ = rand.Read(raw)
	for i, b := range raw {
		raw[i] = letters[int(b)%len(letters)]
	}
	return string(raw)
}

// uuid makes a random one from the device's source.
func (d *Device) uuid() string {
	var b [16]byte
	if _, err := io.ReadFull(d.options.Rand, b[:]); err != nil {
		// A source that ran dry still gives uuids that differ.
		d.uuids++
		sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", d.serial, d.uuids))
		copy(b[:], sum[:])
	}
	return uuidText(b)
}

func uuidText(b [16]byte) string {
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
