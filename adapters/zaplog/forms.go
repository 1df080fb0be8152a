package zaplog

import (
	"regexp"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/core/redact"
)

// secretName reports whether a field's name promises a secret; HTTP's own names
// count here as well.
func secretName(name string) bool {
	switch strings.ToLower(name) {
	case "authorization", "proxy-authorization", "cookie", "set-cookie":
		return true
	}
	return redact.SecretName(name)
}

// text masks and escapes.
func text(s string) string { return redact.Escape(maskForms(s)) }

// form is the look of a secret in running text: what precedes it stays.
type form struct {
	looks *regexp.Regexp
	mask  string
}

// forms are those of HTTP; package redact knows FortiOS's and private keys. They are
// made with the first line: a program that logs nothing starts without them.
var forms = sync.OnceValue(func() []form {
	return []form{
		{regexp.MustCompile(`(?i)\b(bearer|basic|digest)[ \t]+[A-Za-z0-9._~+/=-]{6,}`), "${1} " + redact.Mask},
		{regexp.MustCompile(`(?i)\b((?:set-)?cookie|(?:proxy-)?authorization)(["']?[ \t]*[:=][ \t]*["']?)[^\r\n"']+`), "${1}${2}" + redact.Mask},
		{regexp.MustCompile(`(?i)([a-z0-9_-]*(?:token|passw(?:or)?d|passphrase|secret|psk|api[_-]?key))("[ \t]*:[ \t]*"|=["']?)[^\s&"',;]+`), "${1}${2}" + redact.Mask},
		{regexp.MustCompile(`(://[^\s/:@]*:)[^\s/@]+@`), "${1}" + redact.Mask + "@"},
	}
})

func maskForms(s string) string {
	s = redact.Text(s)
	for _, f := range forms() {
		s = f.looks.ReplaceAllString(s, f.mask)
	}
	return s
}
