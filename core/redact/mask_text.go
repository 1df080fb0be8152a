package redact

import (
	"bytes"
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

// Text masks the secrets in what a device says in words: those that their form gives
// away, and values that a command line repeats behind a name that [SecretName] knows, as
// in "set psksecret hunter2". Mask before a text is cut: what is left of a key has no form.
func Text(text string) string {
	masked, _ := maskText(text)
	return echoed().ReplaceAllStringFunc(masked, maskEchoed)
}

// echoed are the ways in which FortiOS repeats a value behind the name of its attribute.
var echoed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(begin + `(?:set|fail! for)[ \t]+"?([A-Za-z0-9_-]+)"?[ \t]+(\\?"(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s;]+)`)
})

func maskEchoed(found string) string {
	parts := echoed().FindStringSubmatchIndex(found)
	name, value := found[parts[4]:parts[5]], parts[6]
	if !SecretName(name) {
		return found
	}
	return found[:value] + Mask
}

// The forms, also within JSON and within text whose line ends are escaped. A private key
// that was cut off has no end, and reaches to the end of the text, or no beginning.
const (
	base64Sign = `(?:[A-Za-z0-9+/]|\\/)`
	lineEnd    = `(?:\\[nr]|[\r\n])`
	begin      = `(\b|\\[nrt])` // of a word, also behind an escaped line end
	keyLabel   = `[A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----`
)

var (
	privateKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)-----BEGIN ` + keyLabel + `.*?(-----END ` + keyLabel + `|$)`)
	})
	endOfKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:` + base64Sign + `|` + lineEnd + `|[=\s])*-----END ` + keyLabel)
	})
	encrypted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(begin + `ENC(?:[ \t]|\\t|%20|\+)+\\?"?(?:` + base64Sign + `{60,}` + lineEnd + `+)*` + base64Sign + `{8,}={0,2}`)
	})
	passwordHash = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(begin + `(?:SH2|AK1|PB2)` + base64Sign + `{20,}={0,2}`)
	})
)

// maskText puts the mask in the place of each secret. A text that begins as an
// encrypted value is masked whole.
func maskText(text string) (masked string, found bool) {
	if isEncrypted(text) {
		return Mask, true
	}
	masked = text
	if strings.Contains(masked, "PRIVATE KEY") {
		masked = endOfKey().ReplaceAllString(privateKey().ReplaceAllString(masked, Mask), Mask)
	}
	if strings.Contains(masked, "ENC") {
		masked = encrypted().ReplaceAllStringFunc(masked, maskEncrypted)
	}
	if strings.Contains(masked, "SH2") || strings.Contains(masked, "AK1") || strings.Contains(masked, "PB2") {
		masked = passwordHash().ReplaceAllString(masked, "${1}"+Mask)
	}
	return masked, masked != text
}

// hasForm reports whether a text can hold a secret at all: no form is without one of
// these words.
func hasForm(text []byte) bool {
	for _, word := range []string{"ENC", "PRIVATE KEY", "SH2", "AK1", "PB2"} {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

func isEncrypted(text string) bool {
	return strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\""), "ENC ")
}

// maskEncrypted leaves words alone: encrypted text of any length has digits or
// signs in it.
func maskEncrypted(found string) string {
	before := found[:strings.Index(found, "ENC")]
	if len(found)-len(before) < 24 && !strings.ContainsAny(found[len(before):], "0123456789+/=") {
		return found
	}
	return before + Mask
}
