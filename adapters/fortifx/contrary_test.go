// Devices whose certificate has a negative serial number are reached too.
//go:debug x509negativeserial=1

package fortifx_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/fx"

	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// A world is a FortiGate that may be.
type world struct {
	name   string
	device fortisim.Options
}

// releases are those that the catalog and the simulator know, and the first and the
// last of the shapes that differ.
func releases(t *testing.T) []world {
	t.Helper()
	var all []world
	for _, text := range []string{"6.4.4", "7.0.12", "7.2.8", "7.4.1", "7.4.8", "7.6.0", "7.6.5"} {
		v, err := catalog.ParseVersion(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, world{text, fortisim.Options{Version: v}})
	}
	return all
}

// contraries are the default device with one thing otherwise that is not known for
// certain: each of them once, whatever its kind.
func contraries(t *testing.T) []world {
	t.Helper()
	others := map[string][]any{
		"Numbers":          {map[int]int{-23: -160, -5: -15, -3: -8, -61: -1, -651: -45}},
		"Statuses":         {map[int]int{424: 400, 403: 404, 405: 400}, map[int]int{500: 424}},
		"RangeError":       {-45, -650},
		"LockedTableError": {-4},
		"VDOMSwitchOutage": {time.Duration(0)},
		"RebootOutage":     {time.Minute},
		"DeleteSettles":    {time.Hour},
		"MaxParallel":      {1},
	}
	var all []world
	kind := reflect.TypeFor[fortisim.Behaviour]()
	for i := range kind.NumField() {
		field := kind.Field(i)
		values := others[field.Name]
		if field.Type.Kind() == reflect.Bool {
			values = []any{!reflect.ValueOf(fortisim.DefaultBehaviour(catalog.Version{})).Field(i).Bool()}
		}
		if len(values) == 0 {
			t.Errorf("%s has no contrary here", field.Name)
		}
		for _, v := range values {
			b := fortisim.DefaultBehaviour(catalog.Version{})
			reflect.ValueOf(&b).Elem().Field(i).Set(reflect.ValueOf(v))
			all = append(all, world{field.Name + " " + short(v), fortisim.Options{Behaviour: &b}})
		}
	}
	return all
}

// worlds are all of them; under the race detector the releases alone, since a
// contrary changes what is answered and not who runs beside whom.
func worlds(t *testing.T) []world {
	t.Helper()
	all := releases(t)
	if raceDetector {
		return all
	}
	return append(all, contraries(t)...)
}

func short(v any) string { return strings.ReplaceAll(fmt.Sprint(v), " ", "") }

// job is a plan of all kinds, and what it is done on.
func job() []request.Operation {
	return []request.Operation{
		{Op: "create", Resource: "firewall/address", Object: map[string]any{"name": "new/one", "subnet": "192.0.2.7/32", "comment": "x"}},
		{Op: "update", Resource: "firewall/addrgrp", Key: operation.TextKey("grp-servers"), Add: map[string][]any{"member": {"new/one"}}},
		{Op: "create", Resource: "firewall/policy", Object: map[string]any{
			"name": "to new", "srcintf": []any{"lan"}, "dstintf": []any{"wan1"}, "srcaddr": []any{"net-lan"}, "dstaddr": []any{"new/one"},
			"service": []any{"HTTPS"}, "schedule": "always", "action": "accept", "logtraffic": "all",
		}, Position: &request.Position{Before: operation.IntegerKey(99)}},
		{Op: "update", Resource: "firewall/policy", Key: operation.IntegerKey(2), Set: map[string]any{"comments": "seen"}, Position: &request.Position{After: operation.IntegerKey(3)}},
		{Op: "delete", Resource: "firewall/address", Key: operation.TextKey("old-scanner")},
		{Op: "update", Resource: "system/global", Set: map[string]any{"admintimeout": int64(17)}},
	}
}

func (l *lab) consent(eng *engine.Engine, v *engine.PlanView) {
	l.t.Helper()
	_, err := eng.Approve(l.t.Context(), engine.Caller{Program: "test", User: "alice"}, v.PlanID, v.Digest, engine.Evidence{
		Method: approval.Typed, Approver: approval.Approver{User: "alice"},
	})
	if err != nil {
		l.t.Fatalf("%v: %v", err, fault.From(err).Details)
	}
}

// ends are the worlds in which a guess that is wrong costs convenience: the job ends
// with this code, and the device has what the record says. All others succeed.
var ends = map[string]struct{ apply, rollback fault.Code }{
	// A name with a slash is not found again after it was created.
	"EncodedSlashMissed true": {apply: fault.VerifyFailed},
	// What was in use counts as in use for an hour.
	"DeleteSettles 1h0m0s": {rollback: fault.PartialFailure},
}

// hasty is the system's clock, without waiting.
type hasty struct{ system.Clock }

func (hasty) Sleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// TestThePlanIsDoneAndUndoneOnEachReleaseAndWhateverIsNotKnown: the whole job works
// where a release differs and where a guess about FortiOS is wrong, and the rollback
// gives the configuration back.
func TestThePlanIsDoneAndUndoneOnEachReleaseAndWhateverIsNotKnown(t *testing.T) {
	for _, w := range worlds(t) {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			l := newLabOf(t, profile.Guarded, &w.device)
			eng := build(t, fortifx.Options{Home: l.home}, fx.Decorate(func(port.Clock) port.Clock { return hasty{} }))
			before := l.sim.Snapshot()
			v, err := eng.Plan(t.Context(), engine.Caller{}, request.Plan{Operations: job()})
			if err != nil {
				t.Fatalf("%v %v", err, fault.From(err).Details)
			}
			end := ends[w.name]
			done := l.run(eng, v, end.apply)
			if end.apply != "" {
				return
			}
			if done.Verified != len(v.Operations) {
				t.Errorf("%d of %d operations are verified", done.Verified, len(v.Operations))
			}
			l.wantJob()
			back, err := eng.Show(t.Context(), engine.Caller{}, *done.Rollback.PlanID)
			if err != nil {
				t.Fatal(err)
			}
			l.run(eng, back, end.rollback)
			if diff := cmp.Diff(before, l.sim.Snapshot()); diff != "" && end.rollback == "" {
				t.Errorf("the rollback leaves (-before +after):\n%s", diff)
			}
		})
	}
}

// run approves and applies a plan, which ends with a code, and checks that every
// operation that was attempted was sent once, and no other.
func (l *lab) run(eng *engine.Engine, v *engine.PlanView, end fault.Code) *engine.Execution {
	l.t.Helper()
	l.consent(eng, v)
	l.sim.ForgetRequests()
	done, err := apply(l.t, eng, v.PlanID)
	if fault.CodeOf(err) != end {
		l.t.Fatalf("%v, want %q: %+v", err, end, fault.From(err))
	}
	shown, err := eng.Show(l.t.Context(), engine.Caller{}, v.PlanID)
	if err != nil {
		l.t.Fatal(err)
	}
	attempted := 0
	for _, o := range shown.Execution.Operations {
		if o.Status != "not_attempted" {
			attempted++
		}
	}
	if l.sim.Writes() != attempted {
		l.t.Errorf("%d writes for %d operations", l.sim.Writes(), attempted)
	}
	return done
}

// wantJob looks into the device.
func (l *lab) wantJob() {
	l.t.Helper()
	if row, ok := l.sim.Get("root", "firewall/address", "new/one"); !ok || row["subnet"] != "192.0.2.7 255.255.255.255" {
		l.t.Errorf("the new address is %v", row)
	}
	if _, ok := l.sim.Get("root", "firewall/address", "old-scanner"); ok {
		l.t.Error("the old address is there")
	}
	var order []any
	for _, row := range l.sim.Rows("root", "firewall/policy") {
		order = append(order, row["name"])
	}
	at := func(name string) int { return slices.Index(order, any(name)) }
	if at("to new") != at("deny-all")-1 || at("lan-to-servers") != at("internet-to-web")+1 {
		l.t.Errorf("the policies are %v", order)
	}
}

// TestTroubleIsToldTheSameOnEachReleaseAndWhateverIsNotKnown: what goes wrong with a
// write has one meaning, whatever FortiOS is like otherwise.
func TestTroubleIsToldTheSameOnEachReleaseAndWhateverIsNotKnown(t *testing.T) {
	const path = "cmdb/firewall/address/srv-web"
	for _, w := range worlds(t) {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			l := newLabOf(t, profile.Autonomous, &w.device)
			eng := build(t, fortifx.Options{Home: l.home}, fx.Decorate(func(port.Clock) port.Clock { return hasty{} }))
			l.trouble(eng, fault.StalePlan, 0, "", func() {
				if err := l.sim.Put("root", "firewall/address", "srv-web", map[string]any{"comment": "by another administrator"}); err != nil {
					t.Fatal(err)
				}
			})
			for _, tt := range []struct {
				do     fortisim.Fault
				code   fault.Code
				writes int
				status string
			}{
				{fortisim.Answer{Status: 500, ContentType: "application/json", Body: `{"http_status":500,"status":"error","error":-3}`}, fault.NotFound, 1, "failed"},
				{fortisim.Answer{Status: 403, ContentType: "text/html", Body: "<html>"}, fault.PermissionDenied, 1, "failed"},
				{fortisim.IgnoreWrite{}, fault.VerifyFailed, 1, "failed"},
				{fortisim.ResetAfter{}, fault.OutcomeUnknown, 1, "outcome_unknown"},
			} {
				l.trouble(eng, tt.code, tt.writes, tt.status, func() {
					if _, err := l.sim.Inject(fortisim.Rule{Match: fortisim.Match{Method: "PUT", Path: path, Count: 1}, Do: tt.do}); err != nil {
						t.Fatal(err)
					}
				})
			}
		})
	}
}

// trouble plans a change, lets something happen and applies.
func (l *lab) trouble(eng *engine.Engine, code fault.Code, writes int, status string, happen func()) {
	l.t.Helper()
	v, err := eng.Plan(l.t.Context(), engine.Caller{}, request.Plan{Operations: []request.Operation{
		{Op: "update", Resource: "firewall/address", Key: operation.TextKey("srv-web"), Set: map[string]any{"comment": "wanted"}},
	}})
	if err != nil {
		l.t.Fatal(err)
	}
	l.sim.ForgetRequests()
	happen()
	_, err = apply(l.t, eng, v.PlanID)
	if fault.CodeOf(err) != code || l.sim.Writes() != writes {
		l.t.Errorf("%v after %d writes, want %s after %d", err, l.sim.Writes(), code, writes)
	}
	shown, err := eng.Show(l.t.Context(), engine.Caller{}, v.PlanID)
	if err != nil {
		l.t.Fatal(err)
	}
	if status != "" && (shown.Execution == nil || string(shown.Execution.Operations[0].Status) != status) {
		l.t.Errorf("%s: the record says %+v", code, shown.Execution)
	}
}
