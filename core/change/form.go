package change

import (
	"slices"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/schema"
)

// forms say what a text of a kind looks like, for kinds that have a form of their own
// besides the IPv4 ones.
var forms = map[string]string{
	"ipv6-address":  "an IPv6 address such as 2001:db8::1",
	"ipv6-prefix":   "an IPv6 prefix such as 2001:db8::/32",
	"ipv6-network":  "an IPv6 network such as 2001:db8::/32",
	"ipv6-wildcard": "an IPv6 address and a mask such as 2001:db8:: ffff:ffff::",
	"mac-address":   "a MAC address such as 00:00:5e:00:53:01",
	"uuid":          "a UUID such as 01234567-89ab-cdef-0123-456789abcdef",
	"datetime":      "a time such as 2026-10-15 10:45:12",
}

// formed checks a text against the form of its kind.
func (c *Checker) formed(a *schema.Attribute, text, at string) any {
	written, ok := text, false
	switch a.Type {
	case "uuid":
		ok = isUUID(text)
	case "datetime":
		written, ok = datetime(text)
	default:
		ok = compare.WellFormed(a.Type, text)
	}
	if !ok {
		c.Problem(at, "%q is not %s", text, forms[a.Type])
		return nil
	}
	if written != text {
		c.Note(at, "%q was written as %q", text, written)
	}
	return written
}

func isUUID(text string) bool {
	if len(text) != 36 {
		return false
	}
	for i := range len(text) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (text[i] == '-') || !dash && !strings.ContainsRune("0123456789abcdefABCDEF", rune(text[i])) {
			return false
		}
	}
	return true
}

// datetime takes a day and a time of day; zeros stand for no time at all. A "T" between
// the two is written as FortiOS writes it. One with an offset is refused: which
// zone the device keeps is not known here.
func datetime(text string) (written string, ok bool) {
	const unset = "0000-00-00 00:00:00"
	if text == unset {
		return text, true
	}
	for _, layout := range []string{time.DateTime, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Format(time.DateTime), true
		}
	}
	return text, false
}

// spelled gives the option that a text means: the same in another case, or a word for
// on or off where the options are enable and disable. It is the text itself where that
// is an option, or where not exactly one is meant.
func spelled(a *schema.Attribute, text string) string {
	var same []string
	for _, o := range a.Options {
		if o.Value == text {
			return text
		}
		if strings.EqualFold(o.Value, text) {
			same = append(same, o.Value)
		}
	}
	switch word := switches[strings.ToLower(text)]; {
	case len(same) == 1:
		return same[0]
	case len(same) == 0 && word != "" && offers(a, "enable") && offers(a, "disable"):
		return word
	}
	return text
}

var switches = map[string]string{
	"true": "enable", "yes": "enable", "on": "enable", "enabled": "enable",
	"false": "disable", "no": "disable", "off": "disable", "disabled": "disable",
}

func offers(a *schema.Attribute, name string) bool {
	return slices.ContainsFunc(a.Options, func(o schema.Option) bool { return o.Value == name })
}

// listed brings what was given for a table into a list where it can mean only one:
// one row, or one key of a row. A text with spaces could be one name or several, so
// it is not taken.
func (c *Checker) listed(a *schema.Attribute, v any, at string) (list []any, ok bool) {
	switch x := v.(type) {
	case []any:
		return x, true
	case map[string]any:
		if _, keyed := x[keyName(a)]; keyed {
			c.Note(at, "one row was taken as a list of one")
			return []any{x}, true
		}
	case string:
		if len(strings.Fields(x)) > 1 {
			c.Problem(at, "must be a list; %q could be one name or several: write [{%q: …}] for each", x, keyName(a))
			return nil, false
		}
		if x != "" && x == strings.TrimSpace(x) {
			return []any{x}, true
		}
	}
	c.Problem(at, `must be a list such as [{%q: …}]`, keyName(a))
	return nil, false
}
