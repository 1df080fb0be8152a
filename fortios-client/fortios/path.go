package fortios

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~"

// escape percent-encodes every byte but RFC 3986's unreserved ones, with
// upper-case digits; a blank becomes %20.
func escape(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(unreserved, text[i]) >= 0 {
			b.WriteByte(text[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", text[i])
		}
	}
	return b.String()
}

// EscapeKey makes a path segment of an object's key: every byte but letters,
// digits and - _ . ~ is percent-encoded, once. Keys that a server could take for
// no key at all are refused with [KindInvalid]: empty, blank, "." and "..", and
// those with control characters or invalid UTF-8. A DELETE without key would
// empty the table.
func EscapeKey(key string) (string, error) {
	switch {
	case strings.TrimSpace(key) == "":
		return "", invalid("an empty key addresses the whole table: name the object")
	case key == "." || key == "..":
		return "", invalid("the key %q would be taken for a step in the path", key)
	case !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl):
		return "", invalid("the key holds control characters or invalid UTF-8")
	}
	return escape(key), nil
}

var resourceName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*(/[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*)*$`)
})

// escapeName percent-encodes the parts of a resource's name, such as user/tacacs+: a
// server may take a bare + for a blank.
func escapeName(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = escape(parts[i])
	}
	return strings.Join(parts, "/")
}

// CMDBPath is the escaped path of a configuration resource such as
// "firewall/address", with "cmdb/" in front or not. Further steps are, in turn,
// an object's key, the name of a child table, a child's key, and so on.
func CMDBPath(resource string, steps ...string) (string, error) {
	name := strings.TrimPrefix(resource, "cmdb/")
	if !resourceName().MatchString(name) || strings.Count(name, "/") != 1 {
		return "", invalid("%q is not a resource such as firewall/address", clean(resource, 80))
	}
	path := "/api/v2/cmdb/" + escapeName(name)
	for i, step := range steps {
		if i%2 == 1 && (!resourceName().MatchString(step) || strings.Contains(step, "/")) {
			return "", invalid("%q is not the name of a child table", clean(step, 80))
		}
		segment, err := EscapeKey(step)
		if err != nil {
			return "", err
		}
		path += "/" + segment
	}
	return path, nil
}

// MonitorPath is the path of a monitor endpoint such as "system/status", with
// "monitor/" in front or not.
func MonitorPath(endpoint string) (string, error) {
	name := strings.TrimPrefix(endpoint, "monitor/")
	if !resourceName().MatchString(name) || !strings.Contains(name, "/") {
		return "", invalid("%q is not a monitor endpoint such as system/status", clean(endpoint, 80))
	}
	return "/api/v2/monitor/" + escapeName(name), nil
}

// checkPath takes a path only where every server reads the same segments in it.
func checkPath(method, path string) error {
	rest, ok := strings.CutPrefix(path, "/")
	if !ok || strings.Trim(path, unreserved+"/%!$&'()*+,;=:@") != "" {
		return invalid("the path must begin with / and be percent-encoded")
	}
	segments := strings.Split(rest, "/")
	for i, segment := range segments {
		plain, err := url.PathUnescape(segment)
		if err != nil {
			return invalid("the path holds a %% that encodes nothing")
		}
		if _, err := EscapeKey(plain); err != nil {
			return invalid("the path holds an empty, a dot or an unprintable segment")
		}
		segments[i] = plain
	}
	if method == "DELETE" && keyless(segments) {
		return invalid("a DELETE without key would empty the table: name the object")
	}
	return nil
}

// keyless reports whether the path ends at a table or child table. Behind
// api/v2/cmdb come category and name, a key, then pairs of child table and key.
func keyless(segments []string) bool {
	return len(segments) > 2 && segments[2] == "cmdb" && (len(segments) < 6 || len(segments)%2 == 1)
}
