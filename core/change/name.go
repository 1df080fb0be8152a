package change

import (
	"net/netip"
	"strings"
	"unicode"

	"github.com/forti-mcp/forti/core/schema"
)

// FortiOS has no kind of its own for domain names and URLs: they are texts, and only
// their names tell. What is refused here can be meant as neither; a device is stricter.

// promised refuses a text that cannot be what the name of its attribute promises.
func (c *Checker) promised(a *schema.Attribute, text, at string) bool {
	if text == "" || len(a.Options) > 0 || len(a.Refs) > 0 {
		return true
	}
	switch {
	case isOr(a.Name, "fqdn") && !isDomainName(text):
		c.Problem(at, "%q is not a domain name such as www.example.com", text)
		return false
	case (isOr(a.Name, "url") || isOr(a.Name, "uri")) && strings.ContainsFunc(text, inNoURL):
		c.Problem(at, "%q is not a URL: a blank in one is written as %%20", text)
		return false
	}
	return true
}

// isOr: the name is the word or ends in it.
func isOr(name, word string) bool { return name == word || strings.HasSuffix(name, "-"+word) }

func inNoURL(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// isDomainName takes letters of any script, patterns, underscores and addresses, which
// devices take in such places too; not a URL, a port or an empty label.
func isDomainName(text string) bool {
	const longest, longestLabel = 255, 63
	if len(text) > longest {
		return false
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(text, "."), ".") {
		if label == "" || len(label) > longestLabel {
			return isAddress(text)
		}
		for _, r := range label {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_*", r) {
				return isAddress(text)
			}
		}
	}
	return true
}

func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}
