package screen

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
)

// CodeLength is the number of characters of a code.
const CodeLength = 6

// alphabet has no 0, O, 1, I and L.
const alphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"

// Code is what the human types: six characters that depend on random bytes of
// this session and on the digest, so that nobody can know it beforehand.
func Code(random []byte, digest string) string {
	code := make([]byte, 0, CodeLength)
	for round := byte(0); ; round++ {
		mac := hmac.New(sha256.New, random)
		mac.Write([]byte(digest))
		mac.Write([]byte{'\n', round})
		for _, b := range mac.Sum(nil) {
			// The five low bits give 32 values; the one too many is passed over.
			if n := int(b & 31); n < len(alphabet) {
				code = append(code, alphabet[n])
			}
			if len(code) == CodeLength {
				return string(code)
			}
		}
	}
}

// Prompt is the question and the one answer that approves: the code; for a high
// plan the profile and the code; for a critical one the last six characters of
// the serial and the code; and the word lockout where the plan can lock out.
func Prompt(tier plan.Tier, profile, serial, code string, lockout bool) (text, wanted string) {
	switch {
	case tier.Rank() >= plan.Critical.Rank():
		text = "Type the last 6 characters of the serial and the code  " + code
		wanted = serial[max(0, len(serial)-6):] + " " + code
	case tier.Rank() >= plan.High.Rank():
		text = "Type  " + redact.EscapeName(profile) + " " + code
		wanted = profile + " " + code
	default:
		text, wanted = "Type the code  "+code, code
	}
	if lockout {
		text += "  and the word  lockout"
		wanted += " lockout"
	}
	return text + "  to approve: ", strings.TrimSpace(wanted)
}
