package risk

import (
	"strconv"
	"strings"
)

// serviceOf is the meaning of a custom service.
func serviceOf(o map[string]any) extent {
	var e extent
	switch kind := text(o["protocol"]); {
	case strings.HasPrefix(kind, "TCP/UDP"), kind == "":
		ok := ports(&e.tcp, o["tcp-portrange"]) && ports(&e.udp, o["udp-portrange"]) &&
			ports(&e.udp, o["udplite-portrange"]) && ports(&e.sctp, o["sctp-portrange"])
		if !ok {
			return unclear("a service whose ports cannot be read")
		}
	case kind == "ICMP", kind == "ICMP6":
		e.names = []string{strings.ToLower(kind) + " " + text(o["icmptype"]) + " " + text(o["icmpcode"])}
	case kind == "IP":
		n, ok := integer(orDefault(o["protocol-number"], "0"))
		switch {
		case !ok || n < 0 || n > maxProtocol:
			return unclear("a service whose protocol cannot be read")
		case n == 0:
			return everyService("every protocol")
		}
		e.protocol = spans{{uint64(n), uint64(n)}}
	case kind == "ALL":
		return everyService("every protocol")
	case kind == "HTTP", kind == "FTP", kind == "CONNECT", kind == "SOCKS-TCP", kind == "SOCKS-UDP":
		if ports(&e.tcp, o["tcp-portrange"]) && ports(&e.udp, o["udp-portrange"]) {
			e.names = append(e.names, "proxy "+kind)
			return e
		}
		return unclear("a proxy service whose ports cannot be read")
	default:
		return unclear("a service of protocol " + quote(kind))
	}
	// Limits by address, name or application only make it smaller.
	e.loose = text(o["iprange"]) != "" && text(o["iprange"]) != "0.0.0.0" || text(o["fqdn"]) != ""
	return e
}

// ports reads "80", "1-65535:0-65535 443"; the part after the colon is the
// source's and only narrows.
func ports(into *spans, v any) bool {
	for _, word := range words(v) {
		word, _, _ = strings.Cut(word, ":")
		lo, hi, isRange := strings.Cut(word, "-")
		if !isRange {
			hi = lo
		}
		from, errFrom := strconv.ParseUint(lo, 10, 16)
		to, errTo := strconv.ParseUint(hi, 10, 16)
		if errFrom != nil || errTo != nil || from > to {
			return false
		}
		*into = append(*into, span{from, to})
	}
	return true
}
