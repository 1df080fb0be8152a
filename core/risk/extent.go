package risk

import (
	"math/bits"
	"net/netip"
	"slices"
	"strings"
)

// extent is what a set of addresses or services can mean.
type extent struct {
	v4 spans
	// v6 counts the upper 64 bits: no smaller network is told apart.
	v6                       spans
	tcp, udp, sctp, protocol spans
	// names are meanings that have no size: domain names, hardware addresses.
	names []string
	// loose: the set may be smaller than what is given here.
	loose bool
	// unknown: the set may be larger; why says for which object. unread: because it
	// could not be read.
	unknown, unread bool
	why             string
}

func (e *extent) add(o extent) {
	e.v4, e.v6 = append(e.v4, o.v4...), append(e.v6, o.v6...)
	e.tcp, e.udp, e.sctp = append(e.tcp, o.tcp...), append(e.udp, o.udp...), append(e.sctp, o.sctp...)
	e.protocol = append(e.protocol, o.protocol...)
	e.names = append(e.names, o.names...)
	e.loose = e.loose || o.loose
	e.unknown, e.unread = e.unknown || o.unknown, e.unread || o.unread
	if e.why == "" {
		e.why = o.why
	}
}

// unclear is an extent that nothing is known about.
func unclear(why string) extent { return extent{unknown: true, loose: true, why: why} }

// unreadable is an extent of what could not be read.
func unreadable(name string) extent {
	return extent{unknown: true, unread: true, loose: true, why: quote(name) + ", which could not be read"}
}

// everyAddress and everyService are the whole.
func everyAddress(why string) extent {
	return extent{v4: spans{{0, maxV4}}, v6: spans{{0, maxV6}}, why: why}
}

func everyService(why string) extent {
	all := spans{{0, maxPort}}
	return extent{tcp: all, udp: all, sctp: all, protocol: spans{{0, maxProtocol}}, why: why}
}

const (
	maxV4       = 1<<32 - 1
	maxV6       = 1<<64 - 1
	maxPort     = 1<<16 - 1
	maxProtocol = 255
)

// A set of addresses is wide from a sixteenth of IPv4 on, multicast not counted,
// and from a /12 of the routed IPv6 space on, the size of a continent's share.
const (
	wideV4       = 1 << 28
	unicastV4    = 0xdfff_ffff
	wideV6       = 1 << 52
	firstV6      = 0x2000_0000_0000_0000
	lastV6       = 0x3fff_ffff_ffff_ffff
	widePorts    = 1 << 15
	wideProtocol = 128
	tcpNumber    = 6
	udpNumber    = 17
)

// wideAddresses reports whether the set is nearly everything, or may be.
func (e extent) wideAddresses() bool {
	return e.unknown || e.v4.within(0, unicastV4) >= wideV4 || e.v6.within(firstV6, lastV6) >= wideV6 ||
		slices.ContainsFunc(e.names, wideName)
}

// wideName reports whether a domain pattern covers at least a top-level domain.
func wideName(name string) bool {
	rest, ok := strings.CutPrefix(name, "*")
	return ok && !strings.Contains(strings.Trim(rest, "."), ".")
}

// wideServices is wideAddresses for ports and protocols.
func (e extent) wideServices() bool {
	return e.unknown || e.tcp.within(0, maxPort) >= widePorts || e.udp.within(0, maxPort) >= widePorts ||
		e.protocol.within(0, maxProtocol) >= wideProtocol ||
		e.protocol.contains(tcpNumber) || e.protocol.contains(udpNumber)
}

// negated is everything but the set. Where the set is only known from above,
// its complement is not known from above, so it counts as everything.
func (e extent) negated() extent {
	if e.loose || e.unknown || len(e.names) > 0 {
		return unclear("the opposite of a set that cannot be told")
	}
	return extent{
		v4: e.v4.without(maxV4), v6: e.v6.without(maxV6),
		tcp: e.tcp.without(maxPort), udp: e.udp.without(maxPort), sctp: e.sctp.without(maxPort),
		protocol: e.protocol.without(maxProtocol), why: "everything but " + e.why,
	}
}

// exceeds reports whether e may hold something that o does not.
func (e extent) exceeds(o extent) bool {
	if e.unknown || o.loose {
		return true
	}
	for _, name := range e.names {
		if !slices.Contains(o.names, name) {
			return true
		}
	}
	return !o.v4.covers(e.v4) || !o.v6.covers(e.v6) || !o.tcp.covers(e.tcp) || !o.udp.covers(e.udp) ||
		!o.sctp.covers(e.sctp) || !o.protocol.covers(e.protocol)
}

// holds reports whether the set surely or possibly holds an address.
func (e extent) holds(a netip.Addr) bool {
	if e.unknown || !a.IsValid() {
		return true
	}
	if a.Is4() {
		return e.v4.contains(v4(a))
	}
	return e.v6.contains(v6(a))
}

func v4(a netip.Addr) uint64 {
	b := a.As4()
	return uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | uint64(b[3])
}

func v6(a netip.Addr) uint64 {
	var n uint64
	b := a.As16()
	for _, x := range b[:8] {
		n = n<<8 | uint64(x)
	}
	return n
}

// addRange adds the addresses from one to another; a false result means that
// they are no range.
func (e *extent) addRange(lo, hi netip.Addr) bool {
	switch {
	case !lo.IsValid() || !hi.IsValid() || lo.Is4() != hi.Is4() || hi.Less(lo):
		return false
	case lo.Is4():
		e.v4 = append(e.v4, span{v4(lo), v4(hi)})
	default:
		e.v6 = append(e.v6, span{v6(lo), v6(hi)})
		e.loose = true
	}
	return true
}

// addNetwork adds a network as [network] reads it; false where it cannot.
func (e *extent) addNetwork(s string) bool {
	p, exact, ok := network(s)
	if !ok {
		return false
	}
	e.loose = e.loose || !exact
	lo, size := p.Addr(), p.Addr().BitLen()-p.Bits()
	if lo.Is4() {
		e.v4 = append(e.v4, span{v4(lo), v4(lo) + 1<<size - 1})
		return true
	}
	e.loose = e.loose || size < 64
	e.v6 = append(e.v6, span{v6(lo), v6(lo) | (uint64(1)<<max(size-64, 0) - 1)})
	return true
}

// network reads "10.0.0.0 255.0.0.0", "10.0.0.0/255.0.0.0", "10.0.0.0/8" or
// "10.0.0.1", without the bits of a host. A mask with gaps is not exact: it is
// taken as the smallest network that holds all it matches.
func network(s string) (p netip.Prefix, exact, ok bool) {
	s = strings.TrimSpace(s)
	if p, err := netip.ParsePrefix(s); err == nil {
		return p.Masked(), true, true
	}
	if a, err := netip.ParseAddr(s); err == nil {
		return netip.PrefixFrom(a.WithZone(""), a.BitLen()), true, true
	}
	at, mask, _ := strings.Cut(strings.Replace(s, "/", " ", 1), " ")
	a, err := netip.ParseAddr(at)
	m, errMask := netip.ParseAddr(strings.TrimSpace(mask))
	if err != nil || errMask != nil || a.Is4() != m.Is4() {
		return netip.Prefix{}, false, false
	}
	leading, total := ones(m)
	p, err = a.Prefix(leading)
	return p, leading == total, err == nil
}

// ones counts the ones that a mask begins with, and all of them.
func ones(mask netip.Addr) (leading, total int) {
	for i, b := range mask.AsSlice() {
		if leading == i*8 {
			leading += bits.LeadingZeros8(^b)
		}
		total += bits.OnesCount8(b)
	}
	return leading, total
}
