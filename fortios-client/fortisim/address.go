package fortisim

import (
	"net"
	"net/netip"
	"strings"
)

// addressForm reads a value of an address type and gives the device's own
// spelling of it; false if it is none.
type addressForm func(text string, b *Behaviour) (string, bool)

// addressForms are the normalisations of written addresses: addresses and
// masks become "a.b.c.d m.m.m.m", host bits of a network are cleared unless
// the type is about hosts (I).
var addressForms = map[string]addressForm{
	"ipv4-address":           address4,
	"ipv4-address-any":       address4,
	"ipv4-address-multicast": address4,
	"ipv4-netmask":           netmask,
	"ipv4-netmask-any":       netmask,
	"ipv4-classnet":          network4,
	"ipv4-classnet-any":      network4,
	"ipv4-classnet-host":     host4,
	"ipv6-address":           address6,
	"ipv6-prefix":            prefix6,
	"ipv6-network":           network6,
	"mac-address":            mac,
}

func address4(text string, _ *Behaviour) (string, bool) {
	a, err := netip.ParseAddr(text)
	return a.String(), err == nil && a.Is4()
}

func address6(text string, _ *Behaviour) (string, bool) {
	a, err := netip.ParseAddr(text)
	return a.String(), err == nil && a.Is6() && a.Zone() == ""
}

func netmask(text string, b *Behaviour) (string, bool) {
	if _, ok := address4(text, b); !ok {
		return "", false
	}
	_, ok := maskBits(text)
	return text, ok
}

func network4(text string, b *Behaviour) (string, bool) { return pair4(text, !b.ClassnetKeepsHost) }

func host4(text string, _ *Behaviour) (string, bool) { return pair4(text, false) }

// pair4 reads "a.b.c.d", "a.b.c.d/n" and "a.b.c.d m.m.m.m".
func pair4(text string, clear bool) (string, bool) {
	p, ok := prefixOf(text)
	if !ok || !p.Addr().Is4() {
		return "", false
	}
	if clear {
		p = p.Masked()
	}
	return p.Addr().String() + " " + net.IP(net.CIDRMask(p.Bits(), 32)).String(), true
}

func prefixOf(text string) (netip.Prefix, bool) {
	if host, mask, both := strings.Cut(text, " "); both {
		addr, err := netip.ParseAddr(host)
		bits, ok := maskBits(mask)
		return netip.PrefixFrom(addr, bits), err == nil && ok && addr.Is4()
	}
	if strings.Contains(text, "/") {
		p, err := netip.ParsePrefix(text)
		return p, err == nil
	}
	addr, err := netip.ParseAddr(text)
	return netip.PrefixFrom(addr, addr.BitLen()), err == nil
}

func maskBits(mask string) (int, bool) {
	a, err := netip.ParseAddr(mask)
	if err != nil || !a.Is4() {
		return 0, false
	}
	raw := a.As4()
	bits, size := net.IPMask(raw[:]).Size()
	return bits, size == 32
}

func prefix6(text string, _ *Behaviour) (string, bool) {
	p, ok := prefixOf(text)
	return p.String(), ok && p.Addr().Is6()
}

func network6(text string, _ *Behaviour) (string, bool) {
	p, ok := prefixOf(text)
	return p.Masked().String(), ok && p.Addr().Is6()
}

// mac gives lower case (I).
func mac(text string, _ *Behaviour) (string, bool) {
	hw, err := net.ParseMAC(text)
	return hw.String(), err == nil && len(hw) == 6
}
