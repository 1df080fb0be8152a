package fortifx_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

var update = flag.Bool("update", false, "write the golden files")

// leaping is a clock that nobody waits for: each sleep passes at once, and the clock
// can be put forward.
type leaping struct {
	system.Clock
	mu   sync.Mutex
	leap time.Duration
}

func (c *leaping) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Clock.Now().Add(c.leap)
}

func (c *leaping) Sleep(ctx context.Context, d time.Duration) error {
	c.forward(d)
	return ctx.Err()
}

func (c *leaping) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.leap += d
}

// kinds are the kinds of operation, and how the device is put back after each.
var kinds = []struct {
	name string
	op   request.Operation
	back func(d *fortisim.Device) error
}{
	{
		"create",
		request.Operation{Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "made", "subnet": "192.0.2.7/32", "comment": "x"}},
		func(d *fortisim.Device) error { return d.Delete("root", "firewall/address", "made") },
	},
	{
		"update",
		request.Operation{Op: "update", Resource: "firewall/address", Key: operation.TextKey("srv-web"), Set: map[string]any{"comment": "wanted"}},
		func(d *fortisim.Device) error {
			return d.Put("root", "firewall/address", "srv-web", map[string]any{"comment": "before"})
		},
	},
	{
		"delete",
		request.Operation{Op: "delete", Resource: "firewall/address", Key: operation.TextKey("old-scanner")},
		func(d *fortisim.Device) error {
			return d.Put("root", "firewall/address", "old-scanner", map[string]any{"subnet": "192.168.10.240/32"})
		},
	},
	{
		"move",
		request.Operation{Op: "update", Resource: "firewall/policy", Key: operation.IntegerKey(2), Position: &request.Position{After: operation.IntegerKey(3)}},
		func(d *fortisim.Device) error { return d.Move("root", "firewall/policy", "2", true, "3") },
	},
	{
		"action",
		request.Operation{Op: "action", Resource: "monitor/firewall/policy/clear_counters", Params: map[string]any{"policy": int64(1)}},
		func(*fortisim.Device) error { return nil },
	},
	{
		"critical create, with backup and probe",
		request.Operation{Op: "create", Resource: "system/accprofile", Object: map[string]any{"name": "made", "comments": "x"}},
		func(d *fortisim.Device) error { return d.Delete("root", "system/accprofile", "made") },
	},
}

// faults are what a device or a network does to one request.
var faults = map[string]fortisim.Fault{
	"refused":             fortisim.Refuse{},
	"reset before":        fortisim.ResetBefore{},
	"reset after":         fortisim.ResetAfter{},
	"cut after 40 bytes":  fortisim.Truncate{Bytes: 40},
	"log-in page":         fortisim.LoginPage{},
	"redirect":            fortisim.Redirect{To: "https://192.0.2.9/"},
	"another serial":      fortisim.Serial{Value: "FGVMSIM000000009"},
	"200 {}":              fortisim.Answer{Status: 200, Body: "{}"},
	"200 {}, with effect": fortisim.Answer{Status: 200, Body: "{}", Effect: true},
	"401":                 fortisim.Answer{Status: 401, Body: "<html>", ContentType: "text/html"},
	"403":                 fortisim.Answer{Status: 403, Body: "<html>", ContentType: "text/html"},
	"404":                 fortisim.Answer{Status: 404, Body: `{"http_status":404,"status":"error"}`},
	"424":                 fortisim.Answer{Status: 424, Body: `{"http_status":424,"status":"error"}`},
	"429":                 fortisim.Answer{Status: 429, Body: "<html>", ContentType: "text/html"},
	"500 -5":              fortisim.Answer{Status: 500, Body: `{"http_status":500,"status":"error","error":-5}`},
	"500, with effect":    fortisim.Answer{Status: 500, Body: `{"http_status":500,"status":"error","error":-1}`, Effect: true},
	"503 text":            fortisim.Answer{Status: 503, Body: "busy", ContentType: "text/plain"},
	"write ignored":       fortisim.IgnoreWrite{},
}

// onWrites: a fault that for a read is another one.
func onWrites(fault string) bool {
	return fault == "write ignored" || strings.HasSuffix(fault, "with effect")
}

// bench is one device and home on which plans of one kind are run, one after another.
type bench struct {
	*lab
	eng   *engine.Engine
	clock *leaping
	op    request.Operation
	back  func(d *fortisim.Device) error
}

func newBench(t *testing.T, op request.Operation, back func(d *fortisim.Device) error) *bench {
	t.Helper()
	l := newLab(t, profile.Autonomous)
	b := &bench{lab: l, clock: &leaping{}, op: op, back: back}
	b.eng = build(t, fortifx.Options{Home: l.home}, fx.Decorate(func(port.Clock) port.Clock { return b.clock }))
	return b
}

// apply plans the operation, lets a request meet a fault (none for 0) and applies. It
// gives what was told in a few words, and the requests of the apply.
func (b *bench) apply(nth int, f fortisim.Fault) (told string, requests []fortisim.RequestRecord) {
	b.t.Helper()
	b.clock.forward(2 * time.Minute) // no run is so young that the device is left to settle
	_ = b.back(b.sim)                // what is as it was already need not be put back
	v, err := b.eng.Plan(b.t.Context(), engine.Caller{}, request.Plan{Operations: []request.Operation{b.op}})
	if err != nil {
		b.t.Fatalf("%v %v", err, fault.From(err).Details)
	}
	b.sim.ForgetRequests()
	if nth > 0 {
		in, err := b.sim.Inject(fortisim.Rule{Match: fortisim.Match{Nth: nth}, Do: f})
		if err != nil {
			b.t.Fatal(err)
		}
		defer in.Remove()
	}
	_, err = apply(b.t, b.eng, v.PlanID)
	requests = b.sim.Requests()
	writes := b.sim.Writes()
	shown, showErr := b.eng.Show(b.t.Context(), engine.Caller{}, v.PlanID)
	if showErr != nil {
		b.t.Fatal(showErr)
	}
	words := []string{cmp.Or(string(fault.CodeOf(err)), "success")}
	if x := shown.Execution; x != nil {
		o := x.Operations[0]
		words = append(words, "operation "+strings.ReplaceAll(string(o.Status), "_", " "))
		for name, value := range map[string]string{"changed": string(o.Changed)} {
			if value != "" {
				words = append(words, name+" "+value)
			}
		}
	} else {
		words = append(words, "nothing claimed")
	}
	words = append(words, fmt.Sprintf("%d sent", writes))
	return strings.Join(words, ", "), requests
}

// TestEveryFaultOfEveryStepOfEveryKindOfOperation is a table for a reviewer: what is
// told where one request of an apply meets a fault.
func TestEveryFaultOfEveryStepOfEveryKindOfOperation(t *testing.T) {
	if raceDetector {
		t.Skip("one goroutine at a time works here; the race detector would only make it slow")
	}
	sections := make([]string, len(kinds))
	t.Run("kinds", func(t *testing.T) {
		for i, k := range kinds {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				sections[i] = matrix(t, k.name, k.op, k.back)
			})
		}
	})
	got := "# One fault at one request of an apply\n\nA profile in autonomous mode, one operation. Each line: the faults, and what is told\nof them: the code, how the operation ended, whether it changed something, and how many\nchanges the device was sent.\n" +
		strings.Join(sections, "")
	path := filepath.Join("testdata", "faults.md")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); diff != "" {
		t.Errorf("-want +got, or run with -update:\n%s", diff)
	}
}

func matrix(t *testing.T, name string, op request.Operation, back func(d *fortisim.Device) error) string {
	var b strings.Builder
	clean := newBench(t, op, back)
	told, requests := clean.apply(0, nil)
	fmt.Fprintf(&b, "\n## %s\n\nWithout a fault: %s.\n", name, told)
	for i, r := range requests {
		rows := map[string][]string{}
		for _, f := range slices.Sorted(maps.Keys(faults)) {
			if !r.Write && onWrites(f) {
				continue
			}
			told, _ := clean.apply(i+1, faults[f])
			rows[told] = append(rows[told], f)
			if strings.Contains(told, "2 sent") {
				t.Errorf("%s at request %d: %s", f, i+1, told)
			}
		}
		fmt.Fprintf(&b, "\n%d. `%s %s`\n\n", i+1, r.Method, strings.TrimPrefix(r.Path, "/api/v2/"))
		for _, told := range slices.SortedFunc(maps.Keys(rows), func(x, y string) int { return cmp.Compare(rows[x][0], rows[y][0]) }) {
			fmt.Fprintf(&b, "   - %s: %s\n", strings.Join(rows[told], "; "), told)
		}
	}
	return b.String()
}
