package compare

import (
	"encoding/binary"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
)

// addressForms give the normal form of a text by the name of its type; ok is
// false for texts that are no such address. The empty text is the unset address.
var addressForms = map[string]func(text string) (normal string, ok bool){
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
	"ipv6-wildcard":          wildcard6,
	"mac-address":            mac,
}

func address4(text string) (string, bool) {
	if text == "" {
		return "0.0.0.0", true
	}
	a, err := netip.ParseAddr(strings.TrimSpace(text))
	return a.String(), err == nil && a.Is4()
}

// netmask takes "255.255.255.0", "24" and "/24".
func netmask(text string) (string, bool) {
	mask, ok := mask4(strings.TrimPrefix(strings.TrimSpace(text), "/"))
	if text == "" {
		mask, ok = 0, true
	}
	return dotted(mask), ok
}

// network4 is a network: bits beyond the mask mean nothing, and the device may
// clear them.
func network4(text string) (string, bool) {
	address, mask, ok := pair4(text)
	return dotted(address&mask) + " " + dotted(mask), ok
}

// host4 is a host's address with its network's mask: all bits count.
func host4(text string) (string, bool) {
	address, mask, ok := pair4(text)
	return dotted(address) + " " + dotted(mask), ok
}

// pair4 takes "a.b.c.d m.m.m.m", "a.b.c.d/n", "a.b.c.d/m.m.m.m" and the bare
// host "a.b.c.d", which is a network of one. Masks may have holes (wildcards).
func pair4(text string) (address, mask uint32, ok bool) {
	if text == "" {
		return 0, 0, true
	}
	fields := strings.Fields(strings.Replace(text, "/", " ", 1))
	if len(fields) == 1 {
		fields = append(fields, "32")
	}
	if len(fields) != 2 {
		return 0, 0, false
	}
	a, err := netip.ParseAddr(fields[0])
	if err != nil || !a.Is4() {
		return 0, 0, false
	}
	mask, ok = mask4(fields[1])
	return bits4(a), mask, ok
}

// mask4 reads a mask as an address or as a number of bits.
func mask4(text string) (uint32, bool) {
	if a, err := netip.ParseAddr(text); err == nil {
		return bits4(a), a.Is4()
	}
	n, err := strconv.ParseUint(text, 10, 6)
	if err != nil || n > 32 {
		return 0, false
	}
	return uint32(uint64(0xFFFFFFFF) << (32 - n)), true //nolint:gosec // the upper half is cut off on purpose
}

func bits4(a netip.Addr) uint32 {
	if !a.Is4() {
		return 0
	}
	raw := a.As4()
	return binary.BigEndian.Uint32(raw[:])
}

func dotted(bits uint32) string {
	var raw [4]byte
	binary.BigEndian.PutUint32(raw[:], bits)
	return netip.AddrFrom4(raw).String()
}

func address6(text string) (string, bool) {
	if text == "" {
		return "::", true
	}
	a, err := netip.ParseAddr(strings.TrimSpace(text))
	return a.String(), err == nil && a.Is6()
}

func prefix6(text string) (string, bool) {
	p, ok := parse6(text)
	return p.String(), ok
}

func network6(text string) (string, bool) {
	p, ok := parse6(text)
	return p.Masked().String(), ok
}

func parse6(text string) (netip.Prefix, bool) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		text = "::/0"
	case !strings.Contains(text, "/"):
		text += "/128"
	}
	p, err := netip.ParsePrefix(text)
	return p, err == nil && p.Addr().Is6()
}

func wildcard6(text string) (string, bool) {
	if text == "" {
		text = ":: ::"
	}
	address, mask, _ := strings.Cut(strings.TrimSpace(text), " ")
	a, ok := address6(address)
	m, also := address6(strings.TrimSpace(mask))
	return a + " " + m, ok && also && mask != ""
}

// mac takes six bytes in hexadecimal with ":" or "-" between, or without.
func mac(text string) (string, bool) {
	if text == "" {
		text = "000000000000"
	}
	digits := strings.NewReplacer(":", "", "-", "", ".", "").Replace(strings.TrimSpace(text))
	n, err := strconv.ParseUint(digits, 16, 48)
	return fmt.Sprintf("%012x", n), err == nil && len(digits) == 12
}

// WellFormed reports whether a text is an address of the kind. Every text is of a kind
// that is no address; the empty text is the unset address.
func WellFormed(kind, text string) bool {
	form, known := addressForms[kind]
	if !known {
		return true
	}
	_, ok := form(text)
	return ok
}
