package change

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/forti-mcp/forti/core/schema"
)

// ipv4 checks the address kinds that the catalog names and writes CIDR as an
// address and a mask, as FortiOS does.
func (c *Checker) ipv4(a *schema.Attribute, text, at string) any {
	withMask := strings.Contains(a.Type, "classnet")
	fields := strings.Fields(text)
	switch {
	case withMask && len(fields) == 2:
		// A wildcard's mask says which bits count, wherever they are.
		if validAddress(fields[0]) && (validMask(fields[1]) || a.Name == "wildcard" && validAddress(fields[1])) {
			return text
		}
	case withMask && len(fields) == 1 && strings.Contains(text, "/"):
		if p, err := netip.ParsePrefix(text); err == nil && p.Addr().Is4() {
			written := p.Addr().String() + " " + Mask(p.Bits())
			c.Note(at, "%q was written as %q", text, written)
			return written
		}
	case withMask && len(fields) == 1 && validAddress(text):
		c.Note(at, "%q was taken as one host", text)
		return text + " 255.255.255.255"
	case !withMask && strings.Contains(a.Type, "netmask"):
		if validMask(text) {
			return text
		}
	case !withMask && validAddress(text):
		return text
	case !withMask && !strings.HasPrefix(a.Type, "ipv4-address"):
		return text // kinds without a rule of ours; the device decides
	}
	c.Problem(at, "%q is not %s", text, addressForm(withMask, a.Type))
	return nil
}

func addressForm(withMask bool, kind string) string {
	switch {
	case withMask:
		return "an IPv4 network such as 192.0.2.0/24 or 192.0.2.0 255.255.255.0"
	case strings.Contains(kind, "netmask"):
		return "an IPv4 mask such as 255.255.255.0"
	}
	return "an IPv4 address such as 192.0.2.1"
}

func validAddress(text string) bool {
	addr, err := netip.ParseAddr(text)
	return err == nil && addr.Is4()
}

func validMask(text string) bool {
	addr, err := netip.ParseAddr(text)
	if err != nil || !addr.Is4() {
		return false
	}
	b := addr.As4()
	bits := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	inverse := ^bits
	return inverse&(inverse+1) == 0
}

// Mask is the mask of a prefix of so many bits, from 0 to 32, as FortiOS writes it.
func Mask(bits int) string {
	mask := uint32(0)
	if bits > 0 {
		mask = ^uint32(0) << (32 - bits)
	}
	return fmt.Sprintf("%d.%d.%d.%d", mask>>24, mask>>16&255, mask>>8&255, mask&255)
}
