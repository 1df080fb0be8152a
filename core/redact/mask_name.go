package redact

import (
	"strings"
	"unicode"
)

// SecretName reports whether a name promises a secret, whatever its spelling:
// password, user_password, api-key, accessToken, psksecret-remote. Names of what
// is merely about a secret (password-policy, token-type) do not count.
func SecretName(name string) bool {
	words := nameWords(name)
	for _, w := range words {
		if strings.HasPrefix(w, "psksecret") {
			return true
		}
	}
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	for _, end := range secretEnds {
		if strings.HasSuffix(last, end) {
			return true
		}
	}
	return secretWords[last] || len(words) > 1 && secretPairs[last][words[len(words)-2]]
}

// secretEnds are ends of a name's last word; secretWords are whole last words;
// secretPairs are last words with the words before them.
var (
	secretEnds = []string{
		"password", "passwd", "passphrase", "passcode", "secret", "psk",
		"apikey", "privatekey", "secretkey", "sharedkey", "accesskey", "authkey", "enckey", "accesstoken", "authtoken", "sessiontoken",
	}
	secretWords = map[string]bool{
		"token": true, "pwd": true, "credential": true, "credentials": true, "ppk": true, "keytab": true, "passwords": true, "secrets": true,
		"pin": true, "puk": true, "otp": true, "jwt": true, "cookie": true, "hmac": true, "uploadpass": true,
	}
	secretPairs = map[string]map[string]bool{
		"key": {
			"api": true, "private": true, "secret": true, "shared": true, "preshared": true, "access": true,
			"auth": true, "authentication": true, "md": true, "secondary": true, "tertiary": true, "encryption": true, "enc": true, "session": true, "wep": true, "wpa": true, "sae": true,
			"server": true, "master": true, "signing": true, "ddns": true, "reg": true, "license": true, "controller": true, "mhae": true, "fixed": true,
		},
		"code":   {"activation": true, "pin": true, "recovery": true, "puk": true},
		"hash":   {"password": true, "passwd": true},
		"string": {"auth": true, "key": true},
		"value":  {"passwd": true, "password": true},
		"init":   {"pin": true},
	}
)

// nameWords splits a name at signs and at changes from small to capital letters.
// Digits at the end of words do not count, nor do single letters (password-l1).
func nameWords(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = ' '
		}
		b.WriteRune(unicode.ToLower(r))
	}
	words := strings.Fields(b.String())
	kept := words[:0]
	for _, w := range words {
		if w = strings.TrimRight(w, "0123456789"); len(w) > 1 {
			kept = append(kept, w)
		}
	}
	return kept
}
