package fake

import (
	"net/netip"
	"strconv"
	"strings"
)

// unsetAddress is how a type of address reads while it is not set.
func unsetAddress(kind string) (string, bool) {
	switch kind {
	case "ipv4-classnet", "ipv4-classnet-any", "ipv4-classnet-host":
		return "0.0.0.0 0.0.0.0", true
	case "ipv4-address", "ipv4-address-any", "ipv4-address-multicast", "ipv4-netmask", "ipv4-netmask-any":
		return "0.0.0.0", true
	case "ipv6-prefix", "ipv6-network":
		return "::/0", true
	case "ipv6-address":
		return "::", true
	}
	return "", false
}

// address spells a written address as the device reads it back: networks as
// address and mask, host bits cleared where the type is a network.
func address(kind, written string) (string, bool) {
	switch kind {
	case "ipv4-classnet", "ipv4-classnet-any":
		return network4(written, true)
	case "ipv4-classnet-host":
		return network4(written, false)
	case "ipv6-prefix", "ipv6-network":
		p, err := netip.ParsePrefix(written)
		if err != nil || !p.Addr().Is6() {
			return "", false
		}
		if kind == "ipv6-network" {
			p = p.Masked()
		}
		return p.String(), true
	}
	a, err := netip.ParseAddr(written)
	if err != nil || a.Is4() == strings.HasPrefix(kind, "ipv6") {
		return "", false
	}
	return a.String(), true
}

func network4(written string, clear bool) (string, bool) {
	p, ok := prefix4(written)
	if !ok {
		return "", false
	}
	if clear {
		p = p.Masked()
	}
	return p.Addr().String() + " " + mask4(p.Bits()), true
}

// prefix4 reads "a.b.c.d/n", "a.b.c.d m.m.m.m" and "a.b.c.d" (one host).
func prefix4(written string) (netip.Prefix, bool) {
	if p, err := netip.ParsePrefix(written); err == nil {
		return p, p.Addr().Is4()
	}
	host, mask, two := strings.Cut(strings.TrimSpace(written), " ")
	a, err := netip.ParseAddr(host)
	if err != nil || !a.Is4() {
		return netip.Prefix{}, false
	}
	if !two {
		return netip.PrefixFrom(a, 32), true
	}
	m, err := netip.ParseAddr(strings.TrimSpace(mask))
	if err != nil || !m.Is4() {
		return netip.Prefix{}, false
	}
	for bits := range 33 {
		if mask4(bits) == m.String() {
			return netip.PrefixFrom(a, bits), true
		}
	}
	return netip.Prefix{}, false
}

func mask4(bits int) string {
	parts := make([]string, 4)
	for i := range parts {
		n := min(max(bits-8*i, 0), 8)
		parts[i] = strconv.Itoa(256 - 1<<(8-n))
	}
	return strings.Join(parts, ".")
}
