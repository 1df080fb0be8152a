package risk

import (
	"slices"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

type object = map[string]any

// box is a device of a few objects, as tests describe it.
type box struct {
	objects  map[Want]object
	policies []map[string]any
	// blind makes every question unanswered.
	blind bool
	// unordered: the order of policies cannot be read.
	unordered bool
	// hidden is a table that cannot be read.
	hidden string
	facts  Facts
}

// newBox is a device that is managed through port1 from 192.0.2.77, which is
// directly connected.
func newBox() *box {
	b := &box{objects: map[Want]object{}}
	b.facts.Management = plan.Management{Local: "192.0.2.77", Remote: "192.0.2.1", Interface: "port1", APIUser: "forti", Save: "automatic"}
	b.set("system/interface", "port1", object{"name": "port1", "type": "physical", "role": "lan", "ip": "192.0.2.1 255.255.255.0"})
	b.set("system/interface", "port2", object{"name": "port2", "type": "physical", "role": "lan", "ip": "10.0.0.1 255.255.255.0"})
	b.set("system/interface", "wan1", object{"name": "wan1", "type": "physical", "role": "wan"})
	b.set("system/api-user", "forti", object{"name": "forti", "accprofile": "api", "schedule": "office",
		"trusthost": []any{object{"id": int64(1), "type": "ipv4-trusthost", "ipv4-trusthost": "192.0.2.0 255.255.255.0"}}})
	b.set("firewall/address", "all", object{"name": "all", "type": "ipmask", "subnet": "0.0.0.0 0.0.0.0"})
	b.address("lan", "10.0.0.0 255.255.255.0")
	b.address("printer", "0.0.0.0 0.0.0.0")
	b.set("firewall.service/custom", "HTTPS", object{"name": "HTTPS", "protocol": "TCP/UDP/UDP-Lite/SCTP", "tcp-portrange": "443"})
	b.set("firewall.service/custom", "ALL", object{"name": "ALL", "protocol": "IP", "protocol-number": int64(0)})
	b.set("firewall.service/custom", "harmless", object{"name": "harmless", "tcp-portrange": "1-65535"})
	return b
}

func (b *box) set(path, name string, o object) {
	b.objects[Want{Path: path, Key: operation.TextKey(name)}] = o
}

func (b *box) address(name, subnet string) {
	b.set("firewall/address", name, object{"name": name, "type": "ipmask", "subnet": subnet})
}

func (b *box) singleton(path string, o object) { b.objects[Want{Path: path}] = o }

// lookup answers every question: what is not there does not exist.
func (b *box) lookup(path, _ string, key operation.Key) (map[string]any, bool) {
	if b.blind || path == b.hidden {
		return nil, false
	}
	return b.objects[Want{Path: path, Key: key}], true
}

func (b *box) assess(changes ...Change) Verdict {
	f := b.facts
	f.Lookup = b.lookup
	f.Policies = func(string) ([]map[string]any, bool) { return b.policies, !b.blind && !b.unordered }
	for i := range changes {
		changes[i].Index = i
	}
	return Assess(changes, f)
}

// policy is an enabled, accepting policy.
func policy(id int64, src, dst, service string) object {
	return object{"policyid": id, "action": "accept", "status": "enable", "logtraffic": "all", "srcintf": refs("port2"), "dstintf": refs("wan1"),
		"srcaddr": refs(src), "dstaddr": refs(dst), "service": refs(service)}
}

func deny(id int64) object {
	p := policy(id, "all", "all", "ALL")
	p["action"] = "deny"
	return p
}

func refs(names ...string) []any {
	out := []any{}
	for _, n := range names {
		out = append(out, object{"name": n})
	}
	return out
}

// with is a copy of an object with some attributes changed; nil removes one.
func with(o object, pairs ...any) object {
	out := object{}
	for k, v := range o {
		out[k] = v
	}
	for i := 0; i < len(pairs); i += 2 {
		if name := pairs[i].(string); pairs[i+1] == nil {
			delete(out, name)
		} else {
			out[name] = pairs[i+1]
		}
	}
	return out
}

func keyFor(name any) operation.Key {
	k, err := operation.KeyOf(name)
	if err != nil {
		return operation.Key{}
	}
	return k
}

func create(path string, name any, o object) Change {
	return Change{Op: plan.OpCreate, Resource: path, VDOM: "root", Key: keyFor(name), After: o, Touched: attributes(o), Users: count(0)}
}

func remove(path string, name any, o object) Change {
	return Change{Op: plan.OpDelete, Resource: path, VDOM: "root", Key: keyFor(name), Before: o, Users: count(0), Rows: count(1000)}
}

// change updates some attributes; name is nil for singletons.
func change(path string, name any, before object, pairs ...any) Change {
	c := Change{Op: plan.OpUpdate, Resource: path, VDOM: "root", Key: keyFor(name), Before: before, After: with(before, pairs...), Users: count(0)}
	for i := 0; i < len(pairs); i += 2 {
		c.Touched = append(c.Touched, pairs[i].(string))
	}
	return c
}

func move(id int64, p object, before, after []int64) Change {
	return Change{Op: plan.OpMove, Resource: policyTable, VDOM: "root", Key: keyFor(id), Before: p, After: p,
		Order: &plan.Order{Before: ids(before), After: ids(after)}}
}

func action(path, class string) Change {
	return Change{Op: plan.OpAction, Resource: path, VDOM: "root", Call: &schema.Call{Method: "POST", Class: class}}
}

func ids(list []int64) []operation.Key {
	var out []operation.Key
	for _, n := range list {
		out = append(out, operation.IntegerKey(n))
	}
	return out
}

func count(n int) *int { return &n }

func attributes(o object) []string {
	var out []string
	for k := range o {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// tierOf is the tier at which a rule fired, "" where it did not.
func tierOf(v Verdict, rule string) plan.Tier {
	var tier plan.Tier
	for _, r := range v.Reasons {
		if r.Rule == rule && (tier == "" || r.Tier.Rank() > tier.Rank()) {
			tier = r.Tier
		}
	}
	return tier
}
