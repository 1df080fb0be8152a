package screen

import (
	"net/netip"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// interpret says what an address with a mask stands for, such as
// " = 256 addresses, 10.0.0.0 to 10.0.0.255"; "" for other texts.
func interpret(s string) own {
	p, ok := network(s)
	if !ok {
		return ""
	}
	first, last := p.Masked().Addr(), end(p)
	count := own("2^" + string(number(first.BitLen()-p.Bits())))
	if bits := first.BitLen() - p.Bits(); bits < 63 {
		count = own(redact.Thousands(uint64(1) << bits))
	}
	if first == last {
		return " = 1 address"
	}
	return " = " + count + " addresses, " + own(first.String()) + " to " + own(last.String())
}

// network reads "10.0.0.0 255.0.0.0", "10.0.0.0/255.0.0.0" and "10.0.0.0/8".
func network(s string) (netip.Prefix, bool) {
	if p, err := netip.ParsePrefix(s); err == nil {
		return p, true
	}
	at, mask, _ := strings.Cut(strings.Replace(s, "/", " ", 1), " ")
	a, errA := netip.ParseAddr(at)
	m, errM := netip.ParseAddr(mask)
	if errA != nil || errM != nil || !a.Is4() || !m.Is4() {
		return netip.Prefix{}, false
	}
	b := m.As4()
	bits := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
	ones := 0
	for bits&(1<<31) != 0 {
		bits, ones = bits<<1, ones+1
	}
	if bits != 0 {
		return netip.Prefix{}, false
	}
	return netip.PrefixFrom(a, ones), true
}

// end is the last address of a network.
func end(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 1 << (7 - i%8)
	}
	a, _ := netip.AddrFromSlice(b)
	return a
}
