package redact

import (
	"regexp"
	"strings"
	"sync"
)

// SecretText reports whether a text is or holds a secret that its form gives
// away: a value in FortiOS's encrypted form ("ENC …", which the device decrypts
// for whoever sends it back), a private key in PEM, or a password hash of FortiOS.
func SecretText(text string) bool {
	_, found := maskText(text)
	return found
}

// The forms. A private key that was cut off has no end; it reaches to the end of
// the text.
var (
	privateKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`)
	})
	encrypted    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bENC[ \t]+"?[A-Za-z0-9+/]{8,}={0,2}`) })
	passwordHash = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(SH2|AK1|PB2)[A-Za-z0-9+/]{20,}={0,2}`) })
)

// maskText puts the mask in the place of each secret. A text that begins as an
// encrypted value is masked whole.
func maskText(text string) (masked string, found bool) {
	if isEncrypted(text) {
		return Mask, true
	}
	masked = text
	if strings.Contains(masked, "PRIVATE KEY") {
		masked = privateKey().ReplaceAllString(masked, Mask)
	}
	if strings.Contains(masked, "ENC") {
		masked = encrypted().ReplaceAllStringFunc(masked, maskEncrypted)
	}
	masked = passwordHash().ReplaceAllString(masked, Mask)
	return masked, masked != text
}

func isEncrypted(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\""), "ENC ")
}

// maskEncrypted leaves words alone: encrypted text of any length has digits or
// signs in it.
func maskEncrypted(found string) string {
	if len(found) < 24 && !strings.ContainsAny(found, "0123456789+/=") {
		return found
	}
	return Mask
}
