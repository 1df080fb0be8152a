package config

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// Each check gives what is wrong with a text, or "".

var (
	hostName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9_])?$`) })
	vdomName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,31}$`) })
	variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,255}$`) })
	resource = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$`) })
)

func checkName(s string) string {
	if profile.CheckName(s) != nil {
		return "a name is 1 to 64 letters, digits, '.', '-' or '_', and begins with a letter or a digit"
	}
	return ""
}

func checkHost(s string) string {
	if _, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil || hostName().MatchString(s) {
		return ""
	}
	return "must be a bare host name or address: no scheme, no path, and the port belongs into port"
}

func checkVDOM(s string) string {
	if !vdomName().MatchString(s) {
		return "a VDOM's name is 1 to 31 letters, digits, '-' or '_'"
	}
	return ""
}

func checkMode(s string) string {
	if _, err := profile.ParseMode(s); err != nil {
		return "must be read_only, guarded or autonomous"
	}
	return ""
}

func checkPin(s string) string {
	if raw, err := hex.DecodeString(s); err != nil || len(raw) != 32 {
		return "must be the 64 hex digits of the SHA-256 of the device's public key; forti configure shows them"
	}
	return ""
}

func checkVariable(s string) string {
	if !variable().MatchString(s) {
		return "must be the name of an environment variable"
	}
	return ""
}

func checkPath(s string) string { return printable(s, 4096, "a file's path") }

func checkShort(s string) string { return printable(s, 64, "a name") }

// checkWord also takes the empty text: an argument may be one.
func checkWord(s string) string {
	if s == "" {
		return ""
	}
	return printable(s, 4096, "a word of a command")
}

func printable(s string, most int, what string) string {
	if s == "" || len(s) > most || strings.ContainsFunc(s, unicode.IsControl) {
		return "must be " + what + ": not empty, not too long, no control characters"
	}
	return ""
}

func checkAction(s string) string {
	if !strings.HasPrefix(s, "monitor/") || !resource().MatchString(s) {
		return "must be the path of an action, such as monitor/system/os/reboot"
	}
	return ""
}

func checkResource(s string) string {
	if !resource().MatchString(s) {
		return "must be the path of a resource, such as system/admin"
	}
	return ""
}

func checkProxy(s string) string {
	if _, err := proxyURL(s); err != nil {
		return "must be the address of an HTTP proxy, such as http://proxy.example.net:3128"
	}
	return ""
}

func proxyURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errors.New("not an HTTP proxy")
	}
	return u, nil
}

// decodeText says what is wrong with the JSON. The decoder's texts hold keys and
// numbers of the file, which are no secrets.
func decodeText(err error) string {
	text := strings.ReplaceAll(err.Error(), "canon: ", "")
	if errors.Is(err, canon.ErrNotCanonical) {
		text = "it is not plain JSON"
	}
	return redact.Line(text, 200)
}
