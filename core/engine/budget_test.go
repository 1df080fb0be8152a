package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

func budget(n int) setting { return owner(func(p *profile.Profile) { p.ResultBytes = n }) }

// within wants an answer that fits the budget as it is encoded.
func (r *rig) within(n int, found engine.Found, err error) {
	r.Helper()
	if size := len(encoded(found.Data, found.Meta, err)); size > n {
		r.Fatalf("%d bytes, the budget is %d: %.300s", size, n, encoded(found.Data, found.Meta, err))
	}
}

// Results are cut at whole objects to the byte budget, and a page is never empty while
// objects remain.
func TestEveryPageFitsTheByteBudget(t *testing.T) {
	for _, n := range []int{4000, 7777, 40_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := newRig(t, budget(n), rowsOf(200))
			seen, pages := 0, 0
			for start := 0; ; pages++ {
				found, err := r.read(fmt.Sprintf(`{"resource":"firewall/address","start":%d,"count":10000}`, start))
				r.within(n, found, err)
				list := rows(found)
				for _, each := range list {
					if want := keysOf(r)[seen]; each.(object)["name"] != want {
						t.Fatalf("row %d is %v, want %s", seen, each.(object)["name"], want)
					}
					seen++
				}
				if len(list) == 0 || *found.Meta.Returned != len(list) {
					t.Fatalf("an empty page: %s", show(found.Meta))
				}
				if found.Meta.NextStart == nil {
					break
				}
				if found.Meta.Truncated != "byte_budget" {
					t.Fatalf("%s", show(found.Meta))
				}
				start = *found.Meta.NextStart
			}
			if seen != 202 || pages == 0 {
				t.Fatalf("%d rows on %d pages", seen, pages+1)
			}
		})
	}
}

// crowd is a group with many members; users hold a secret each.
func crowd(n int) setting {
	return func(o *fake.WorldOptions) {
		members := make([]any, n)
		for i := range members {
			name := fmt.Sprintf("member-%04d", i)
			row("firewall/address", map[string]any{"name": name})(o)
			members[i] = map[string]any{"name": name}
		}
		row("firewall/addrgrp", map[string]any{"name": "crowd", "member": members})(o)
	}
}

func keyring(n int) setting {
	return func(o *fake.WorldOptions) {
		knows(schema.Resource{
			Path: "user/keyring", Kind: schema.Table, Key: "name", KeyType: "string", Scope: "vdom", Attributes: []schema.Attribute{{Name: "name", Type: "string"},
				{Name: "keys", Type: "table", Key: "name", KeyType: "string", Attributes: []schema.Attribute{{Name: "name", Type: "string"}, {Name: "passwd", Type: "password", Secret: true}}}},
		})(o)
		keys := make([]any, n)
		for i := range keys {
			keys[i] = map[string]any{"name": fmt.Sprintf("key-%04d", i), "passwd": "secret"}
		}
		row("user/keyring", map[string]any{"name": "ring", "keys": keys})(o)
	}
}

// An object larger than the budget has its longest lists cut, with meta.cut naming
// pointer, kept and total.
func TestAnObjectThatIsTooLargeHasItsLongestListsCut(t *testing.T) {
	tests := []struct {
		arguments, pointer string
		total              int
	}{
		{`{"resource":"firewall/addrgrp","key":"crowd"}`, "/member", 700},
		{`{"resource":"firewall/addrgrp","filter":["name==crowd"]}`, "/0/member", 700},
		{`{"resource":"user/keyring","key":"ring"}`, "/keys", 700},
		{`{"resource":"user/keyring"}`, "/0/keys", 700},
	}
	for _, test := range tests {
		for _, n := range []int{4000, 12_345} {
			r := newRig(t, budget(n), crowd(700), keyring(700))
			found, err := r.read(test.arguments)
			r.within(n, found, err)
			m := found.Meta
			if len(m.Cut) != 1 || m.Cut[0].Pointer != test.pointer || m.Cut[0].Total != test.total || m.Cut[0].Kept == 0 {
				t.Errorf("%s: %s", test.arguments, show(m))
			}
			if strings.Contains(test.arguments, "keyring") && (len(m.Redacted) != 1 || !strings.HasSuffix(m.Redacted[0], "/keys/*/passwd")) {
				t.Errorf("%s: %v", test.arguments, m.Redacted)
			}
		}
	}
}

// One row that does not fit and has no lists is an error that says how to ask for less.
func TestARowThatCannotBeCutIsTooLarge(t *testing.T) {
	long := knows(schema.Resource{Path: "test/long", Kind: schema.Table, Key: "name", KeyType: "string", Scope: "vdom", Attributes: []schema.Attribute{
		{Name: "name", Type: "string"}, {Name: "text", Type: "var-string"},
	}})
	r := newRig(t, budget(4000), long, row("test/long", map[string]any{"name": "a", "text": strings.Repeat("x", 5000)}))
	for _, arguments := range []string{`{"resource":"test/long"}`, `{"resource":"test/long","key":"a"}`} {
		_, err := r.read(arguments)
		if f := r.wantCode(err, fault.ResultTooLarge); !strings.Contains(f.Message, "fields") {
			t.Errorf("%s: %v", arguments, f)
		}
	}
	found, err := r.read(`{"resource":"test/long","fields":["name"]}`)
	r.within(4000, found, err)
}

// What comes from an endpoint that nobody described is bounded as well.
func TestUntypedDataFitsTheByteBudget(t *testing.T) {
	secrets, lists := object{}, object{}
	for i := range 3000 {
		secrets[fmt.Sprintf("user-%d-with-a-name-that-is-long_password", i)] = "x"
		lists[fmt.Sprintf("list-%d", i%40)] = make([]any, 300)
	}
	for name, answer := range map[string]any{"secrets": object{"all": []any{secrets}}, "lists": lists, "list": make([]any, 50_000)} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, budget(5000))
			r.start(func(p *engine.Ports) { p.Devices = untyped{r.world.Device, answer} })
			found, err := r.read(`{"resource":"monitor/vendor/thing"}`)
			r.within(5000, found, err)
			if err != nil || len(found.Meta.Cut) == 0 {
				t.Fatalf("%v %s", err, show(found.Meta))
			}
		})
	}
	t.Run("what has no list to cut", func(t *testing.T) {
		r := newRig(t, budget(5000))
		r.start(func(p *engine.Ports) { p.Devices = untyped{r.world.Device, object{"text": strings.Repeat("x", 6000)}} })
		_, err := r.read(`{"resource":"monitor/vendor/thing"}`)
		if f := r.wantCode(err, fault.ResultTooLarge); !strings.Contains(f.Message, "params") {
			t.Error(f.Message)
		}
	})
}

func TestDiscoverFitsTheByteBudget(t *testing.T) {
	r := newRig(t, budget(4000))
	for i := range 200 {
		r.world.Profiles.Set(profile.Profile{Name: fmt.Sprintf("profile-%03d", i), Host: "192.0.2.1", VDOM: "root", Mode: profile.Guarded})
	}
	e, err := engine.New(engine.Ports(r.world.Ports()), &engine.Options{ResultBytes: 4000})
	if err != nil {
		t.Fatal(err)
	}
	r.engine = e
	for _, arguments := range []string{`{"what":"devices"}`, `{"what":"resources"}`, `{"what":"resource","resource":"firewall/policy"}`, `{"what":"capabilities","profile":"demo"}`} {
		found, err := r.discover(arguments)
		r.within(4000, found, err)
		if err != nil {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	wide := schema.Resource{Path: "system/wide", Kind: schema.Singleton}
	for i := range 300 {
		wide.Attributes = append(wide.Attributes, schema.Attribute{Name: fmt.Sprintf("attribute-%d", i), Type: "string"})
	}
	r = newRig(t, budget(4000), knows(wide))
	_, err = r.discover(`{"what":"resource","profile":"demo","resource":"system/wide"}`)
	_ = r.wantCode(err, fault.ResultTooLarge)
}

// The smaller of the profile's and the program's budget holds.
func TestTheSmallerBudgetHolds(t *testing.T) {
	r := newRig(t, budget(40_000), rowsOf(200))
	e, err := engine.New(engine.Ports(r.world.Ports()), &engine.Options{ResultBytes: 5000})
	if err != nil {
		t.Fatal(err)
	}
	r.engine = e
	found, err := r.read(`{"resource":"firewall/address"}`)
	r.within(5000, found, err)
}

// hundred is a plan of many operations, each with a list.
func hundred(n int) string {
	ops := make([]string, n)
	for i := range ops {
		ops[i] = fmt.Sprintf(`{"op":"create","resource":"firewall/addrgrp","object":{"name":"group-%03d","member":["lan","all"],"comment":"%s"}}`, i, strings.Repeat("x", 60))
	}
	return "[" + strings.Join(ops, ",") + "]"
}

// The results of plan and apply are bounded too; what was cut is named, and the stored
// plan has it all.
func TestTheResultsOfPlanAndApplyFitTheByteBudget(t *testing.T) {
	for _, n := range []int{4000, 20_000, 40_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := newRig(t, budget(n), mode(profile.Autonomous))
			v := r.mustPlan(hundred(200))
			r.within(n, engine.Found{Data: v}, nil)
			if len(v.Operations) == 0 || len(v.Cut) == 0 || v.Cut[0].Total != 200 {
				t.Fatalf("%d operations, cut %s", len(v.Operations), show(v.Cut))
			}
			r.wantNote(v.Notes, "forti plan show "+v.PlanID.String())
			if all := r.shown(v.PlanID); len(all.Operations) != 200 {
				t.Fatalf("%d are stored", len(all.Operations))
			}
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Skip: 150}, Fault: fake.CLIError(-651, false)})
			_, err := r.apply(v.PlanID)
			f := r.wantCode(err, fault.PartialFailure)
			r.within(n, engine.Found{}, err)
			text := show(f.Details["operations"])
			if f.Details["verified"] != int64(150) || f.Details["status"] != "partial" || f.Details["rollback"] == nil || !strings.Contains(text, `"failed"`) {
				t.Fatalf("%.2000s", show(f.Details))
			}
			_, err = r.apply(v.PlanID)
			r.within(n, engine.Found{}, err)
			_ = r.wantCode(err, fault.Conflict)
		})
	}
}

func TestOneOperationThatIsTooLargeIsCutWithinItsLists(t *testing.T) {
	r := newRig(t, budget(4000), crowd(400))
	v := r.mustPlan(`[{"op":"delete","resource":"firewall/addrgrp","key":"crowd"}]`)
	r.within(4000, engine.Found{Data: v}, nil)
	if len(v.Operations) != 1 || len(v.Cut) == 0 {
		t.Fatalf("%s", show(v))
	}
}

// The problems of a request are bounded as well: as many as fit, and how many more.
func TestManyProblemsFitTheByteBudget(t *testing.T) {
	ops := make([]string, 400)
	for i := range ops {
		ops[i] = fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":"lan","set":{"unknown-%d":"x"}}`, i)
	}
	for _, n := range []int{4000, 40_000} {
		r := newRig(t, budget(n))
		_, err := r.plan("[" + strings.Join(ops, ",") + "]")
		r.within(n, engine.Found{}, err)
		f := r.wantCode(err, fault.Usage)
		kept, _ := f.Details["problems"].([]fault.Problem)
		if more, _ := f.Details["more_problems"].(int); len(kept) == 0 || len(kept)+more != 400 || !strings.Contains(f.Message, fmt.Sprintf("and %d more", more)) {
			t.Errorf("%d problems: %s", len(kept), show(f.Details["more_problems"]))
		}
	}
	t.Run("arguments that nobody knows", func(t *testing.T) {
		arguments := make([]string, 3000)
		for i := range arguments {
			arguments[i] = fmt.Sprintf(`"%s-%d":1`, strings.Repeat("x", 400), i)
		}
		r := newRig(t)
		_, err := r.planWith("{" + strings.Join(arguments, ",") + "}")
		r.within(40_000, engine.Found{}, err)
		_ = r.wantCode(err, fault.Usage)
	})
}
