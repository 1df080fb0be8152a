package engine

import (
	"strings"
	"unicode"

	"github.com/forti-mcp/forti/core/redact"
)

// hushed stands for a text of the device that is not shown.
const hushed = "(not shown: it may repeat a secret)"

// hushRun is how many letters in a row a text may share with a secret.
const hushRun = 6

// hush keeps a device from repeating a secret that it was sent, as a whole or in part,
// in whatever spelling: its text is then not shown at all. Other secrets in it, which
// their form gives away, are masked.
func hush(text string, secrets map[string]string) string {
	plain := lettersOf(text)
	for _, secret := range secrets {
		if secret != "" && (strings.Contains(text, secret) || shares(plain, lettersOf(secret))) {
			return hushed
		}
	}
	return redact.Text(text)
}

// shares reports whether a text has a run of letters of the secret, or all of a short one.
func shares(text, secret string) bool {
	n := min(hushRun, len(secret))
	for i := 0; n > 0 && i+n <= len(secret); i++ {
		if strings.Contains(text, secret[i:i+n]) {
			return true
		}
	}
	return false
}

// lettersOf is a text without what spellings differ in: case, signs, blanks.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
