package risk

import (
	"strings"

	"github.com/forti-mcp/forti/core/operation"
)

// Where names may come from: groups of one kind hold rows of their own kind.
var (
	address4Tables = []string{"firewall/address", "firewall/addrgrp"}
	address6Tables = []string{"firewall/address6", "firewall/addrgrp6"}
	serviceTables  = []string{"firewall.service/custom", "firewall.service/group"}
)

// memberTables are where a group's members come from; nil for what is no group.
func memberTables(table string) []string {
	switch table {
	case "firewall/addrgrp":
		return address4Tables
	case "firewall/addrgrp6":
		return address6Tables
	case "firewall.service/group":
		return serviceTables
	case "firewall/proxy-addrgrp":
		return []string{"firewall/proxy-address", "firewall/proxy-addrgrp"}
	case "firewall.wildcard-fqdn/group":
		return []string{"firewall.wildcard-fqdn/custom"}
	}
	if kind, ok := strings.CutPrefix(table, "firewall/vipgrp"); ok {
		return []string{"firewall/vip" + kind}
	}
	return nil
}

// walk resolves names. It remembers what it has resolved, so that groups that
// hold each other end and nothing is resolved twice.
type walk struct {
	w    *world
	vdom string
	seen map[Want]bool
}

func (w *world) walk(vdom string) *walk { return &walk{w: w, vdom: vdom, seen: map[Want]bool{}} }

// addresses is what a list of names in some tables means.
func (w *world) addresses(vdom string, tables []string, list []string) extent {
	return w.walk(vdom).all(tables, list)
}

// services is addresses for services.
func (w *world) services(vdom string, list []string) extent {
	return w.walk(vdom).all(serviceTables, list)
}

func (k *walk) all(tables, list []string) extent {
	var e extent
	for _, name := range list {
		e.add(k.name(tables, name))
	}
	return e
}

// name resolves one name in the first table that has it.
func (k *walk) name(tables []string, name string) extent {
	if name == "" {
		return unclear("an entry without a name")
	}
	missing := unclear(quote(name) + ", which does not exist")
	for _, table := range tables {
		s := k.w.object(table, k.vdom, operation.TextKey(name))
		if len(s.objects) > 0 {
			return k.states(table, name, s)
		}
		if !s.known {
			missing = unreadable(name)
			break
		}
	}
	if isAll(name) {
		return builtIn(tables[0], name)
	}
	return missing
}

// builtIn is what the device's own name for everything stands for where the row
// itself was not to be had: it can be changed, so it need not be everything.
func builtIn(table, name string) extent {
	e := everyAddress(quote(name))
	if isService(table) {
		e = everyService(quote(name))
	}
	e.loose = true
	return e
}

func isService(table string) bool { return strings.HasPrefix(table, "firewall.service/") }

// states is the union of what an object means in all its states.
func (k *walk) states(table, name string, s states) extent {
	at := Want{Path: table, VDOM: k.vdom, Key: operation.TextKey(name)}
	if k.seen[at] {
		return extent{}
	}
	k.seen[at] = true
	if k.w.budget--; k.w.budget < 0 {
		return unclear("more objects than are looked at")
	}
	var e extent
	for _, object := range s.objects {
		e.add(k.object(table, object))
	}
	e.loose = e.loose || len(s.objects) > 1
	if e.why == "" {
		e.why = quote(name)
	}
	return e
}

func (k *walk) object(table string, o map[string]any) extent {
	if tables := memberTables(table); tables != nil {
		e := k.all(tables, names(o["member"]))
		// Excluded members make the set smaller, never larger.
		e.loose = e.loose || !off(o["exclude"])
		return e
	}
	switch table {
	case "firewall.service/custom":
		return serviceOf(o)
	case "firewall/vip", "firewall/vip6", "firewall/vip46", "firewall/vip64":
		return vipOf(o)
	case "firewall/multicast-address", "firewall/multicast-address6":
		return multicastOf(o)
	case "firewall/proxy-address", "firewall.wildcard-fqdn/custom":
		return proxyOf(o)
	case "firewall/address", "firewall/address6":
		return addressOf(o, table == "firewall/address6")
	}
	return unclear("a list that is fetched from elsewhere")
}

// addressOf is the meaning of a firewall address.
func addressOf(o map[string]any, six bool) extent {
	var e extent
	ok := false
	kind := text(o["type"])
	switch {
	case kind == "iprange":
		ok = e.addRange(address(text(o["start-ip"])), address(text(o["end-ip"])))
	case kind == "fqdn":
		return extent{names: []string{strings.ToLower(text(o["fqdn"]))}}
	case kind == "wildcard-fqdn":
		return extent{names: []string{strings.ToLower(text(o["wildcard-fqdn"]))}}
	case kind == "mac":
		return extent{names: macs(o)}
	case kind == "wildcard":
		ok = e.addNetwork(text(o["wildcard"]))
	case six && (kind == "ipprefix" || kind == ""):
		ok = e.addNetwork(orDefault(o["ip6"], "::/0"))
	case !six && (kind == "ipmask" || kind == "" || kind == "interface-subnet"):
		ok = e.addNetwork(orDefault(o["subnet"], "0.0.0.0/0"))
	}
	if !ok {
		return unclear("an address of type " + quote(kind) + ", whose size cannot be told")
	}
	return e
}

// orDefault is a value as text, or the device's default where it has none.
func orDefault(v any, otherwise string) string {
	if t := text(v); t != "" {
		return t
	}
	return otherwise
}

func macs(o map[string]any) []string {
	out := []string{"mac " + text(o["start-mac"]) + " " + text(o["end-mac"])}
	for _, row := range rows(o["macaddr"]) {
		out = append(out, "mac "+text(row["macaddr"]))
	}
	return out
}

// vipOf is what a virtual address maps to.
func vipOf(o map[string]any) extent {
	var e extent
	for _, row := range rows(o["mappedip"]) { // rows in some tables, one text in others
		if !e.addSpan(orDefault(row["range"], text(row["name"]))) {
			return unclear("a virtual address whose target cannot be told")
		}
	}
	if name := text(o["mapped-addr"]); name != "" {
		e.names = append(e.names, name)
	}
	for _, row := range rows(o["realservers"]) {
		e.names = append(e.names, "server "+orDefault(row["ip"], text(row["address"])))
	}
	e.loose = true
	return e
}

// addSpan adds "a-b" or a network.
func (e *extent) addSpan(s string) bool {
	lo, hi, ok := strings.Cut(s, "-")
	if !ok {
		return e.addNetwork(s)
	}
	return e.addRange(address(strings.TrimSpace(lo)), address(strings.TrimSpace(hi)))
}

func multicastOf(o map[string]any) extent {
	var e extent
	ok := false
	switch {
	case text(o["type"]) == "multicastrange":
		ok = e.addRange(address(text(o["start-ip"])), address(text(o["end-ip"])))
	case o["ip6"] != nil:
		ok = e.addNetwork(text(o["ip6"]))
	case text(o["type"]) == "broadcastmask":
		ok = e.addNetwork(text(o["subnet"]))
	}
	if !ok {
		return unclear("a multicast address whose size cannot be told")
	}
	if e.v4.covers(spans{{firstGroup4, lastGroup4}}) || e.v6.covers(spans{{firstGroup6, maxV6}}) {
		return everyAddress("every multicast group")
	}
	return e
}

// The multicast groups: 224.0.0.0/4 and ff00::/8.
const (
	firstGroup4 = 0xe000_0000
	lastGroup4  = 0xefff_ffff
	firstGroup6 = 0xff00_0000_0000_0000
)

// proxyOf is the meaning of an address by host name; what matches by pattern
// cannot be told.
func proxyOf(o map[string]any) extent {
	if name := text(o["wildcard-fqdn"]); name != "" {
		return extent{names: []string{strings.ToLower(name)}}
	}
	return unclear("a web address that matches by pattern")
}

// prefixes resolves the rows of a list of networks, such as a policy route's.
func prefixes(list []map[string]any, attributes ...string) extent {
	var e extent
	for _, row := range list {
		ok := false
		for _, a := range append(attributes, "name") {
			if t := text(row[a]); t != "" {
				ok = e.addNetwork(t)
				break
			}
		}
		if !ok {
			return unclear("a network that cannot be read")
		}
	}
	return e
}
