package fake

import (
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

func (d *Device) statusResults() map[string]any {
	return map[string]any{
		"hostname": d.identity.Hostname, "model": d.identity.Model, "model_name": "FortiGate",
		"model_number": strings.TrimPrefix(d.identity.Model, "FGT"), "log_disk_status": "not_available",
	}
}

// monitor answers GET: an answer that was set, or one that follows from the rows.
func (d *Device) monitor(t target, q port.MonitorQuery) answer {
	if f := d.monitors[t.at.resource]; f != nil {
		results, err := f(q)
		if err != nil {
			return refused(-1, "%s\n", err).answer()
		}
		v, err := plain(results)
		if err != nil {
			return refused(-1, "%s\n", err).answer()
		}
		return answer{results: v}
	}
	switch t.at.resource {
	case "monitor/system/status":
		return answer{results: d.statusResults()}
	case "monitor/system/object/usage":
		return d.usage(q, t.vdom)
	}
	return missing().answer()
}

// usage lists what names an object, and which tables could.
func (d *Device) usage(q port.MonitorQuery, vdom string) answer {
	param := map[string]string{}
	for _, p := range q.Params {
		param[p.Name] = p.Value
	}
	path := param["q_path"] + "/" + param["q_name"]
	r, no := d.resource(path)
	if no != nil {
		return no.answer()
	}
	using := []any{}
	for _, u := range d.users(place{path, home(r, vdom)}, param["mkey"]) {
		group, name, _ := strings.Cut(u.at.resource, "/")
		using = append(using, map[string]any{
			"path": group, "name": name, "mkey": keyText(d.rows[u.at][u.row], u.resource.Key),
			"attribute": u.attribute, "vdom": or(u.at.vdom, d.management),
		})
	}
	return answer{results: map[string]any{"currently_using": using, "can_use": d.possible(path)}}
}

func (d *Device) possible(path string) []any {
	list := []any{}
	for _, hit := range d.catalog.Search("", schema.Table) {
		r, no := d.resource(hit.Path)
		if no == nil && refersTo(r.Attributes, path) {
			group, name, _ := strings.Cut(hit.Path, "/")
			list = append(list, map[string]any{"path": group, "name": name})
		}
	}
	return list
}

func refersTo(attributes []schema.Attribute, path string) bool {
	for i := range attributes {
		if pointsTo(&attributes[i], path) || refersTo(attributes[i].Attributes, path) {
			return true
		}
	}
	return false
}

// node is the device's own description of a resource.
func node(r *schema.Resource) map[string]any {
	group, name, _ := strings.Cut(r.Path, "/")
	category := "table"
	if r.Kind == schema.Singleton {
		category = "complex"
	}
	out := map[string]any{"path": group, "name": name, "category": category, "children": nodes(r.Attributes)}
	if r.Key != "" {
		out["mkey"], out["mkey_type"] = r.Key, r.KeyType
	}
	return out
}

func nodes(attributes []schema.Attribute) map[string]any {
	out := map[string]any{}
	for i := range attributes {
		out[attributes[i].Name] = leaf(&attributes[i])
	}
	return out
}

func leaf(a *schema.Attribute) map[string]any {
	out := map[string]any{"name": a.Name, "category": "unitary", "type": a.Type}
	if len(a.Attributes) > 0 || a.IsTable() {
		out["category"], out["children"] = a.Type, nodes(a.Attributes)
		delete(out, "type")
	}
	if a.Key != "" {
		out["mkey"], out["mkey_type"] = a.Key, a.KeyType
	}
	if a.Size > 0 {
		out["size"] = int64(a.Size)
	}
	if a.Default != nil {
		out["default"] = plainDefault(a.Default)
	}
	if len(a.Options) > 0 {
		options := make([]any, len(a.Options))
		for i, o := range a.Options {
			options[i] = map[string]any{"name": o.Value}
		}
		out["options"] = options
	}
	return out
}

func plainDefault(v any) any {
	if p, err := plain(v); err == nil {
		return p
	}
	return ""
}

// configuration is the backup: commands that would make the rows again. Secrets
// stand in it encrypted, as a device gives them.
func (d *Device) configuration() string {
	var b strings.Builder
	version := strings.TrimPrefix(d.identity.Version, "v")
	fmt.Fprintf(&b, "#config-version=%s-%s-FW-build%04d-000000:opmode=0:vdom=%d:user=api\n", d.identity.Model, version, d.identity.Build, min(len(d.vdoms)-1, 1))
	for _, at := range d.rows.places() {
		r, no := d.resource(at.resource)
		if no != nil || len(d.rows[at]) == 0 {
			continue
		}
		fmt.Fprintf(&b, "config %s\n", strings.ReplaceAll(strings.ReplaceAll(at.resource, "/", " "), ".", " "))
		for _, row := range d.rows[at] {
			if r.Key != "" {
				fmt.Fprintf(&b, "    edit %q\n", keyText(row, r.Key))
			}
			writeSettings(&b, r.Attributes, row)
			if r.Key != "" {
				b.WriteString("    next\n")
			}
		}
		b.WriteString("end\n")
	}
	return b.String()
}

func writeSettings(b *strings.Builder, attributes []schema.Attribute, object map[string]any) {
	for i := range attributes {
		a := &attributes[i]
		v, set := object[a.Name]
		if !set || plainText(v) == plainText(a.Default) {
			continue
		}
		s := strings.Join(scalars(v), " ")
		if a.Secret {
			fmt.Fprintf(b, "        set %s ENC %s\n", a.Name, canon.SumIn("fake-enc", []byte(s)).Hex())
			continue
		}
		if s != "" {
			fmt.Fprintf(b, "        set %s %q\n", a.Name, s)
		}
	}
}
