package fortisimtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// Mark is part of every secret that Plant plants, and of nothing else.
const Mark = "Mk3d"

// Planted is a resource in which secrets were planted.
type Planted struct {
	Path string
	// Key is that of its one row, "" for a singleton.
	Key string
	// Secrets are the paths of the secret attributes; Texts those of the others that hold
	// free text, into which a secret was pasted.
	Secrets, Texts []string
}

// Plant makes recordings of a device that sends, for every resource of the catalog that
// has any, each secret attribute at any depth in clear, and in each free text a secret
// that its form gives away: worse than any real device, which masks the former. All
// attributes of all releases are there, whatever the device's own. Children that repeat a
// secret key do so in q_origin_key too, and the device's own description of a resource
// has the secrets as defaults.
func Plant(tb testing.TB, device *fortisim.Options) []Planted {
	tb.Helper()
	facts := catalog.Open()
	var all []Planted
	for e := range facts.Entries("") {
		if e.Kind == catalog.Monitor {
			continue
		}
		r, err := facts.Resource(e.Path)
		if err != nil {
			tb.Fatal(err)
		}
		p := &planter{Planted: Planted{Path: r.Path}}
		object := p.object(r.Attributes, "")
		if len(p.Secrets)+len(p.Texts) == 0 {
			continue
		}
		var results any = object
		path := "cmdb/" + strings.ReplaceAll(r.Path, "+", "%2B")
		if r.Kind == catalog.Table {
			p.Key, object[r.Key], object["q_origin_key"] = "1", "1", "1"
			p.Texts = slices.DeleteFunc(p.Texts, func(name string) bool { return name == r.Key })
			results = []any{object}
			device.Recordings = append(device.Recordings, fortisim.Recording{Path: path + "/1", Body: p.answer(tb, results)})
		}
		device.Recordings = append(device.Recordings,
			fortisim.Recording{Path: path, Query: "action=schema", Body: p.answer(tb, map[string]any{"children": p.schema(r.Attributes)})},
			fortisim.Recording{Path: path, Body: p.answer(tb, results)})
		all = append(all, p.Planted)
	}
	return all
}

type planter struct {
	Planted
	n int
}

func (p *planter) answer(tb testing.TB, results any) []byte {
	tb.Helper()
	group, name, _ := strings.Cut(p.Path, "/")
	body, err := json.Marshal(map[string]any{
		"http_method": http.MethodGet, "results": results, "vdom": "root", "path": group, "name": name, "mkey": p.Key,
		"status": "success", "http_status": http.StatusOK, "serial": "FGVMSIM000000001", "version": "v7.4.8", "build": 2795,
	})
	if err != nil {
		tb.Fatal(err)
	}
	return body
}

func (p *planter) object(attributes []catalog.Attribute, above string) map[string]any {
	object := map[string]any{}
	for i := range attributes {
		a := &attributes[i]
		path := above + a.Name
		switch {
		case a.Secret:
			p.Secrets = append(p.Secrets, path)
			object[a.Name] = p.secret()
		case len(a.Attributes) > 0:
			row := p.object(a.Attributes, path+"/")
			if a.Type == "table" {
				if _, has := row[a.Key]; !has {
					row[a.Key] = "1"
				}
				row["q_origin_key"] = row[a.Key]
				object[a.Name] = []any{row}
				continue
			}
			object[a.Name] = row
		case IsFreeText(a):
			p.Texts = append(p.Texts, path)
			object[a.Name] = p.pasted()
		}
	}
	return object
}

// IsFreeText reports whether anybody may have written anything into an attribute.
func IsFreeText(a *catalog.Attribute) bool {
	text := slices.Contains([]string{"string", "var-string", "user", "key", "value"}, a.Type)
	return text && len(a.Options) == 0 && len(a.Refs) == 0 && !a.Secret
}

func (p *planter) secret() string {
	p.n++
	return fmt.Sprintf("%s-plain-%d", Mark, p.n)
}

// pasted is a free text with a secret in one of the forms that give one away.
func (p *planter) pasted() string {
	p.n++
	secret := fmt.Sprintf("%sAb3d9Zk0wXyZ0123Ab39Zk%d", Mark, p.n)
	return "note " + []string{
		"ENC " + secret + "==", "SH2" + secret + "=",
		"-----BEGIN RSA PRIVATE KEY-----\n" + secret + "\n-----END RSA PRIVATE KEY-----",
	}[p.n%3] + " end"
}

// schema is the device's own description, as action=schema gives it.
func (p *planter) schema(attributes []catalog.Attribute) map[string]any {
	children := map[string]any{}
	for i := range attributes {
		a := &attributes[i]
		node := map[string]any{"name": a.Name, "type": a.Type, "help": p.pasted()}
		if a.Secret {
			node["default"] = p.secret()
		}
		if len(a.Attributes) > 0 {
			node["children"] = p.schema(a.Attributes)
		}
		children[a.Name] = node
	}
	return children
}
