package fortifx_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// mark begins every secret that the test plants, and nothing else.
const mark = "Mark3d-"

// planted is a resource whose secrets a device sends in clear: worse than any real
// one, which masks them.
type planted struct {
	path    string
	key     string
	secrets []string // paths of the secret attributes
	body    []byte
}

// plant makes an object of a resource with a marked secret in each secret attribute,
// at any depth.
func plant(r *catalog.Resource) planted {
	p := planted{path: r.Path, key: "1"}
	object := p.fill(r.Attributes, "")
	if r.Key != "" {
		object[r.Key] = "1"
	}
	var results any = object
	if r.Kind == catalog.Table {
		results = []any{object}
	}
	group, name, _ := strings.Cut(r.Path, "/")
	p.body, _ = json.Marshal(map[string]any{
		"http_method": "GET", "results": results, "vdom": "root", "path": group, "name": name, "mkey": "1",
		"status": "success", "http_status": 200, "serial": "FGVMSIM000000001", "version": "v7.4.8", "build": 2795,
	})
	return p
}

func (p *planted) fill(attributes []catalog.Attribute, above string) map[string]any {
	object := map[string]any{}
	for _, a := range attributes {
		switch {
		case a.Secret:
			p.secrets = append(p.secrets, above+a.Name)
			object[a.Name] = fmt.Sprintf("%s%d", mark, len(p.secrets))
		case a.Type == "table":
			if row := p.fill(a.Attributes, above+a.Name+"/"); len(row) > 0 {
				row[a.Key] = "1"
				object[a.Name] = []any{row}
			}
		case a.Type == "complex":
			if inside := p.fill(a.Attributes, above+a.Name+"/"); len(inside) > 0 {
				object[a.Name] = inside
			}
		}
	}
	return object
}

// TestNoSecretOfTheCatalogLeavesInAnyReading: every secret attribute of every resource,
// read in every way that there is.
func TestNoSecretOfTheCatalogLeavesInAnyReading(t *testing.T) {
	facts := catalog.Open()
	var all []planted
	var recordings []fortisim.Recording
	for e := range facts.Entries("") {
		if e.Kind == catalog.Monitor {
			continue
		}
		r, err := facts.ResourceAt(e.Path, catalog.Version{Major: 7, Minor: 4, Patch: 8})
		if err != nil {
			continue // not in this release
		}
		p := plant(r)
		if len(p.secrets) == 0 {
			continue
		}
		all = append(all, p)
		for _, path := range []string{"cmdb/" + p.path, "cmdb/" + p.path + "/" + p.key} {
			recordings = append(recordings, fortisim.Recording{Path: path, Body: p.body})
		}
	}
	if len(all) < 100 {
		t.Fatalf("%d resources with secrets, too few to prove anything", len(all))
	}
	l := newLabOf(t, profile.Guarded, &fortisim.Options{Recordings: recordings})
	err := l.file.Update(t.Context(), func(d *config.Document) error {
		e := d.Profiles["lab"]
		e.MaxResultBytes = 1_000_000
		d.Profiles["lab"] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	log := &strings.Builder{}
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(log), zap.DebugLevel))
	eng := build(t, fortifx.Options{Home: l.home, Logger: logger, Verbose: true})
	read, masked := 0, 0
	for _, p := range all {
		for _, q := range p.questions() {
			found, err := eng.Read(t.Context(), engine.Caller{}, q)
			out, encodeErr := json.Marshal([]any{found, fault.From(err)})
			if encodeErr != nil {
				t.Fatal(encodeErr)
			}
			if strings.Contains(string(out), mark) {
				t.Errorf("%s %+v tells a secret", p.path, q)
			}
			if err == nil {
				read++
				masked += len(found.Meta.Redacted)
			}
		}
		for _, name := range p.secrets {
			for _, filter := range []string{name + "==" + mark + "1", name + "=@" + mark, "comment==x," + name + "!=y"} {
				_, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Resource: p.path, Filter: []string{filter}})
				if err == nil {
					t.Errorf("%s: the filter %q answers whether a guess is right", p.path, filter)
				}
			}
		}
	}
	if strings.Contains(log.String(), mark) {
		t.Error("the log tells a secret")
	}
	if read < len(all) || masked < len(all) {
		t.Errorf("%d readings of %d resources succeeded, %d values were masked", read, len(all), masked)
	}
	t.Logf("%d resources, %d readings, %d values masked", len(all), read, masked)
}

// questions are the ways to read it.
func (p planted) questions() []request.Read {
	base := request.Read{Resource: p.path}
	with := []request.Read{base}
	one := base
	one.Key = operation.TextKey(p.key)
	with = append(with, one)
	for _, name := range p.secrets {
		fields := base
		top, _, _ := strings.Cut(name, "/")
		fields.Fields = []string{top}
		with = append(with, fields)
		fields.Fields = []string{name}
		with = append(with, fields)
	}
	return with
}
