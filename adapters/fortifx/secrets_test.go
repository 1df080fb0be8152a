package fortifx_test

import (
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
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
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// TestNoSecretOfTheCatalogLeavesInAnyReading: every secret attribute of every resource
// and release, and a secret pasted into every free text, read in every way that there is.
func TestNoSecretOfTheCatalogLeavesInAnyReading(t *testing.T) {
	var device fortisim.Options
	all := fortisimtest.Plant(t, &device)
	if len(all) < 500 {
		t.Fatalf("%d resources, too few to prove anything", len(all))
	}
	l := newLabOf(t, profile.Guarded, &device)
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
	silent := func(what any, data ...any) {
		out, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		if i := strings.Index(string(out), fortisimtest.Mark); i >= 0 {
			t.Errorf("%+v tells a secret: …%s", what, out[max(0, i-80):i])
		}
	}
	for _, p := range all {
		for _, q := range questions(p) {
			found, err := eng.Read(t.Context(), engine.Caller{}, q)
			silent(q, found, fault.From(err))
			if err == nil {
				read++
				masked += len(found.Meta.Redacted)
			} else if code := fault.CodeOf(err); code != fault.NotFound && code != fault.Usage || len(q.Fields) == 0 && code == fault.Usage {
				t.Errorf("%+v: %v", q, err)
			}
		}
		live := request.Discover{What: request.Resource, Resource: p.Path, Live: true}
		found, err := eng.Discover(t.Context(), engine.Caller{}, live)
		silent(live, found, fault.From(err))
		if live.Fields = append(slices.Clone(p.Secrets), p.Texts...); len(live.Fields) > 64 {
			live.Fields = live.Fields[:64]
		}
		found, err = eng.Discover(t.Context(), engine.Caller{}, live)
		silent(live, found, fault.From(err))
	}
	silent("the log", log.String())
	if read < 2*len(all) || masked < 5*len(all) {
		t.Errorf("%d readings of %d resources succeeded, %d values were masked", read, len(all), masked)
	}
	t.Logf("%d resources, %d readings, %d values masked", len(all), read, masked)
}

// questions are the ways to read it.
func questions(p fortisimtest.Planted) []request.Read {
	base := request.Read{Resource: p.Path}
	with := []request.Read{base}
	if p.Key != "" {
		one := base
		one.Key = operation.TextKey(p.Key)
		with = append(with, one)
	}
	for _, name := range p.Secrets {
		fields := base
		top, _, _ := strings.Cut(name, "/")
		fields.Fields = []string{top}
		with = append(with, fields)
		fields.Fields = []string{name}
		with = append(with, fields)
	}
	return with
}

// TestNoFilterReachesASecretOfTheCatalog: by none of its names, in no spelling, whatever
// else bears the name, and no filter on a free text shows a row with a secret in it.
func TestNoFilterReachesASecretOfTheCatalog(t *testing.T) {
	var device fortisim.Options
	all := fortisimtest.Plant(t, &device)
	eng := newLabOf(t, profile.Guarded, &device).build()
	refused, hidden := 0, 0
	for _, p := range all {
		if p.Key == "" {
			continue
		}
		for _, filter := range guesses(p) {
			_, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Resource: p.Path, Filter: []string{filter}})
			switch {
			case err == nil:
				t.Errorf("%s: the filter %q answers whether a guess is right", p.Path, filter)
			case fault.CodeOf(err) == fault.Usage:
				refused++
			}
		}
		for _, name := range p.Texts {
			filter := strings.ReplaceAll(name, "/", ".") + "=@" + fortisimtest.Mark
			found, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Resource: p.Path, Filter: []string{filter}})
			if err != nil {
				continue // not in this release, or a name of a secret
			}
			if rows, _ := found.Data.([]any); len(rows) > 0 || found.Meta.Total == nil || *found.Meta.Total != 0 {
				t.Errorf("%s: the filter %q shows %d rows of %v", p.Path, filter, len(rows), found.Meta.Total)
			}
			hidden++
		}
	}
	if refused < 1000 || hidden < 500 {
		t.Errorf("%d filters were refused, %d hid their row", refused, hidden)
	}
	t.Logf("%d filters refused, %d hid their row", refused, hidden)
}

// guesses are filters that would reach the secrets of a resource.
func guesses(p fortisimtest.Planted) (list []string) {
	for _, path := range p.Secrets {
		list = append(list, path+"!=x", path+"==a,"+path+"<b")
		parts := strings.Split(path, "/")
		names := []string{strings.Join(parts, "."), path, strings.ToUpper(path), strings.ReplaceAll(path, "-", "_"), " " + path + " "}
		for i := range parts { // any table that the secret is in, and its bare name
			names = append(names, strings.Join(parts[:i+1], "."), parts[len(parts)-1], strings.ToUpper(parts[len(parts)-1]))
		}
		for _, name := range names {
			list = append(list, name+"=@"+fortisimtest.Mark)
		}
	}
	return list
}

// TestNoUnknownNameReachesFormatAndNothingIsAskedForInClear: to FortiOS an unknown name in
// format means all attributes, and plain-text-password means secrets in clear.
func TestNoUnknownNameReachesFormatAndNothingIsAskedForInClear(t *testing.T) {
	l := newLab(t, profile.Guarded)
	eng := l.build()
	table := request.Read{Resource: "vpn.ipsec/phase1-interface"}
	one := table
	one.Key = operation.TextKey("to-hq")
	for _, name := range []string{
		"nonsense", "NAME", "Name", "name ", " name", "name|psksecret", "name,psksecret", "name&plain-text-password=1", "plain-text-password", "plain_text_password",
		"psk_secret", "name.x", "*", "", "q_origin_key", "name\x00", "%70sksecret",
	} {
		for _, q := range []request.Read{table, one} {
			q.Fields = []string{"interface", name}
			_, err := eng.Read(t.Context(), engine.Caller{}, q)
			if fault.CodeOf(err) != fault.Usage {
				t.Errorf("the field %q: %v", name, err)
			}
			if q.Key.IsZero() {
				_, err = eng.Each(t.Context(), engine.Caller{}, q, func(map[string]any) error { return nil })
			}
			if fault.CodeOf(err) != fault.Usage {
				t.Errorf("the field %q of all rows: %v", name, err)
			}
		}
		filter := table
		filter.Filter = []string{name + "==x"}
		if _, err := eng.Read(t.Context(), engine.Caller{}, filter); err == nil && strings.TrimSpace(name) != "name" {
			t.Errorf("the filter on %q is taken", name)
		}
		for _, path := range []string{"monitor/system/status", "monitor/vendor/thing"} {
			if strings.Contains(name, "plain") {
				q := request.Read{Resource: path, Params: map[string]any{name: "1"}}
				if _, err := eng.Read(t.Context(), engine.Caller{}, q); fault.CodeOf(err) != fault.Usage {
					t.Errorf("the parameter %q: %v", name, err)
				}
			}
		}
	}
	fields := table
	fields.Fields = []string{"name", "psksecret"}
	if _, err := eng.Read(t.Context(), engine.Caller{}, fields); err != nil {
		t.Fatal(err)
	}
	formats := 0
	for _, r := range l.sim.Requests() {
		if strings.Contains(strings.ReplaceAll(strings.ToLower(r.Query), "_", "-"), "plain-text") {
			t.Errorf("%s %s asks for secrets in clear", r.Method, r.Path)
		}
		query, err := url.ParseQuery(r.Query)
		if err != nil {
			t.Fatal(err)
		}
		if format := query.Get("format"); format != "" {
			formats++
			if format != "name|psksecret" {
				t.Errorf("format %q was sent", format)
			}
		}
	}
	if formats != 1 {
		t.Errorf("%d requests had a format", formats)
	}
}

// TestNoSecretInMonitorDataLeaves: every endpoint that can be read, and one that the
// catalog lacks, answers with secrets under the names that promise one and in free text.
func TestNoSecretInMonitorDataLeaves(t *testing.T) {
	const m = fortisimtest.Mark
	results := []any{map[string]any{
		"name": "harmless", "password": m + "1", "activation_code": m + "2", "api-key": m + "3", "sim_pin": 77_147_714, "preSharedKey": m + "4",
		"token": map[string]any{"value": m + "5", "set": true}, "peers": []any{map[string]any{"psksecret": m + "6", "name": "peer"}},
		"note": "was ENC " + m + "Ab3d9Zk0wXyZ==", "script": "echo\n-----BEGIN EC PRIVATE KEY-----\n" + m + "\n-----END EC PRIVATE KEY-----\n", "hash": "SH2" + m + "Ab3d9Zk0wXyZ0123Ab39Zk",
	}}
	body, err := json.Marshal(map[string]any{
		"http_method": "GET", "results": results, "vdom": "root", "path": "x", "name": "y", "action": "", "status": "success", "serial": "FGVMSIM000000001", "version": "v7.4.8", "build": 2795,
	})
	if err != nil {
		t.Fatal(err)
	}
	var device fortisim.Options
	paths := []string{"monitor/vendor/new-thing"}
	for e := range catalog.Open().Entries(catalog.Monitor) {
		if e.Path != "monitor/system/status" { // that says who answers
			paths = append(paths, e.Path)
		}
	}
	for _, path := range paths {
		device.Recordings = append(device.Recordings, fortisim.Recording{Path: path, Body: body})
	}
	eng := newLabOf(t, profile.Guarded, &device).build()
	read := 0
	for _, path := range paths {
		found, err := eng.Read(t.Context(), engine.Caller{}, request.Read{Resource: path})
		out, encodeErr := json.Marshal([]any{found, fault.From(err)})
		if encodeErr != nil {
			t.Fatal(encodeErr)
		}
		if strings.Contains(string(out), m) || strings.Contains(string(out), "77147714") {
			t.Errorf("%s tells a secret", path)
		}
		switch code := fault.CodeOf(err); {
		case err == nil:
			read++
			if !strings.Contains(string(out), "harmless") || !strings.Contains(string(out), `"set":true`) || len(found.Meta.Redacted) != 10 {
				t.Errorf("%s: %d places are masked: %s", path, len(found.Meta.Redacted), out)
			}
		case code != fault.Usage && code != fault.PolicyDenied && code != fault.NotFound:
			t.Errorf("%s: %v", path, err)
		}
	}
	if read < 200 {
		t.Errorf("%d of %d endpoints were read", read, len(paths))
	}
	t.Logf("%d of %d endpoints were read", read, len(paths))
}

// TestNoSecretOfTheCatalogLeavesInAPlan: what a plan reads of the objects that it changes
// is neither in its result and on the screen nor in anything that is kept.
func TestNoSecretOfTheCatalogLeavesInAPlan(t *testing.T) {
	var device fortisim.Options
	all := fortisimtest.Plant(t, &device)
	l := newLabOf(t, profile.Guarded, &device)
	eng := l.build()
	planned := 0
	for _, p := range all {
		// The rows of one table are known by a key that is a secret, the name of a header;
		// what is kept for its rollback names them.
		if len(p.Secrets) == 0 || planned == 80 || p.Path == "system/automation-action" {
			continue
		}
		for _, change := range changesOf(p) {
			var in request.Plan
			if err := eng.Decode([]byte(`{"operations":[`+change+`]}`), &in); err != nil {
				t.Fatal(err)
			}
			v, err := eng.Plan(t.Context(), engine.Caller{}, in)
			out, encodeErr := json.Marshal([]any{v, fault.From(err)})
			if encodeErr != nil || strings.Contains(string(out), fortisimtest.Mark) {
				t.Errorf("%s tells a secret (%v)", change, encodeErr)
			}
			if err != nil {
				continue // not in this release, or the device decides
			}
			if v.PlanID.IsZero() {
				continue // nothing would change
			}
			planned++
			screen, err := eng.Review(t.Context(), engine.Caller{}, v.PlanID, 100, true)
			if err != nil || strings.Contains(screen.Screen, fortisimtest.Mark+"-plain") {
				t.Errorf("%s shows a secret on the screen (%v)", change, err)
			}
			break
		}
	}
	if planned < 60 {
		t.Errorf("%d plans were made", planned)
	}
	err := filepath.WalkDir(l.home, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		kept, err := os.ReadFile(path) // #nosec G304 -- the test's own home
		if strings.Contains(string(kept), fortisimtest.Mark+"-plain") {
			t.Errorf("%s holds a secret", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d plans", planned)
}

// changesOf are changes of the attribute that holds the first secret, or of its parent.
func changesOf(p fortisimtest.Planted) []string {
	at := `{"op":"update","resource":"` + p.Path + `",`
	if p.Key != "" {
		at += `"key":"` + p.Key + `",`
	}
	top, _, nested := strings.Cut(p.Secrets[0], "/")
	if nested {
		return []string{at + `"set":{"` + top + `":[]}}`, at + `"set":{"` + top + `":{}}}`}
	}
	return []string{at + `"set":{"` + top + `":""}}`, at + `"clear":["` + top + `"]}`}
}
