package fortisim

import (
	"fmt"
	"slices"
)

// The catalog's facts do not say which attributes a kind of object cannot do
// without, what must be unique beyond the key, or which attributes belong to
// which type. These few rules do, for the tables that people work with most.

// needs are attributes without which an object of a table is refused (U).
var needs = map[string][]string{
	"firewall/policy":            {"srcintf", "dstintf", "srcaddr", "dstaddr", "schedule", "service"},
	"firewall/addrgrp":           {"member"},
	"firewall.service/group":     {"member"},
	"vpn.ipsec/phase1-interface": {"interface"},
	"router/static":              {"device"},
}

// instead are attributes that take the place of a needed one when they are set.
var instead = map[string][]string{
	"srcaddr": {"srcaddr6", "internet-service-src"},
	"dstaddr": {"dstaddr6", "internet-service"},
	"service": {"internet-service"},
	"device":  {"blackhole"},
}

// uniques must not be shared by two rows of a table (U).
var uniques = map[string]string{"firewall/policy": "name"}

// whole refuses an object that lacks what it needs or repeats what is unique.
func (d *Device) whole(s *shape, t *table, e *entry) *Refusal {
	for _, name := range needs[s.path] {
		f := s.byName[name]
		if f == nil || e.values[name] != nil {
			continue
		}
		if !slices.ContainsFunc(instead[name], func(other string) bool { return e.values[other] != nil }) {
			return mustBeSet(name)
		}
	}
	return d.unique(s, t, e)
}

func (d *Device) unique(s *shape, t *table, e *entry) *Refusal {
	key := e.values[s.key]
	if name := uniques[s.path]; name != "" && e.text(name) != "" {
		for other := range t.all() {
			if other.text(name) == e.text(name) && other.values[s.key] != key {
				return badValue(-651, name, e.text(name))
			}
		}
	}
	if s.path != "router/static" {
		return nil
	}
	for other := range t.all() {
		if sameRoute(other, e) && other.values[s.key] != key {
			// The same route under another number (D; the number is of the tables).
			return refused(-15, "A duplicate static route already exists.\n")
		}
	}
	return nil
}

func sameRoute(a, b *entry) bool {
	for _, name := range []string{"dst", "dstaddr", "device", "gateway", "blackhole", "priority", "distance"} {
		if fmt.Sprint(a.values[name]) != fmt.Sprint(b.values[name]) {
			return false
		}
	}
	return true
}

// fixed rows belong to the device and cannot be deleted (D).
func (d *Device) fixed(s *shape, e *entry) bool {
	switch s.path {
	case "system/interface":
		return slices.Contains([]string{"physical", "tunnel"}, e.text("type"))
	case "system/vdom":
		return e.text("name") == d.options.VDOMs[0]
	case "system/accprofile":
		return e.text("name") == "super_admin"
	}
	return false
}

// condition says that an attribute exists only where others have certain values.
type condition map[string][]string

var (
	sdnAddress = condition{"type": {"dynamic"}, "sub-type": {"sdn"}}
	hardware   = condition{"type": {"dynamic"}, "sub-type": {"device-identification"}}
)

// applicable are the attributes of an address that its answer shows only for
// certain types (R: a 7.2.5 listing with six types; the dynamic ones beyond
// ems-tag I). 6.2.0 shows all of them (U).
var applicable = map[string]map[string]condition{
	"firewall/address": {
		"subnet":        {"type": {"ipmask", "interface-subnet"}},
		"wildcard":      {"type": {"wildcard"}},
		"start-ip":      {"type": {"iprange"}},
		"end-ip":        {"type": {"iprange"}},
		"fqdn":          {"type": {"fqdn"}},
		"wildcard-fqdn": {"type": {"wildcard-fqdn"}},
		"route-tag":     {"type": {"route-tag"}},
		"obj-tag":       {"type": {"dynamic"}},
		"hw-vendor":     hardware,
		"hw-model":      hardware,
		"os":            hardware,
		"sw-version":    hardware,
		"tenant":        sdnAddress,
		"organization":  sdnAddress,
		"epg-name":      sdnAddress,
		"subnet-name":   sdnAddress,
		"sdn-tag":       sdnAddress,
		"policy-group":  sdnAddress,
	},
}

// applies says whether an entry has the attribute at all.
func (s *shape) applies(f *field, e *entry, b *Behaviour) bool {
	if s.name != "" || b.InapplicableEmpty {
		return true
	}
	for on, values := range applicable[s.path][f.Name] {
		other := s.byName[on]
		if other != nil && !slices.Contains(values, keyText(e.value(other))) {
			return false
		}
	}
	return true
}

// dropInapplicable forgets values that the object's type does not have: they
// are accepted and ignored (U).
func (d *Device) dropInapplicable(s *shape, e *entry) {
	for name := range applicable[s.path] {
		if f := s.byName[name]; f != nil && !s.applies(f, e, d.behaviour()) {
			delete(e.values, name)
		}
	}
}
