package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

// pastedKeys are two secrets that somebody may have pasted into a comment.
var pastedKeys = [2]string{"ENC Ab3d9Zk0/first+secret0==", "ENC Qx7w1Lm5/other+secret1=="}

// pasted adds addresses; those whose comment holds the secret are marked in which.
func pasted(secret string, which []bool) setting {
	return func(o *fake.WorldOptions) {
		for i, holds := range which {
			comment := fmt.Sprintf("desk %d", i%3)
			if holds {
				comment += " was " + secret
			}
			row("firewall/address", map[string]any{"name": fmt.Sprintf("h%02d", i), "subnet": "192.0.2.1/32", "comment": comment})(o)
		}
	}
}

// Two devices that differ in nothing but a secret within free texts answer every filter
// alike, whatever page, fields and operator: nothing of the secret can be guessed.
func TestNoFilterTellsOfASecretInAFreeText(t *testing.T) {
	conditions := []string{
		"comment=@desk 1", "comment!@desk 2", "name=@h0", "name==h07", "comment==desk 1 was " + pastedKeys[0], "comment!=desk 1 was " + pastedKeys[0],
		"comment=@ENC", "comment!@ENC", "comment<desk 2", "comment>=desk 1 was ENC B", "comment<=desk 1 was ENC B", "comment!=",
	}
	for _, secret := range pastedKeys {
		for _, n := range []int{5, 9, len(secret)} {
			conditions = append(conditions, "comment=@"+secret[:n], "comment!@"+secret[:n], "comment=@"+secret[4:n])
		}
	}
	rapid.Check(t, func(draw *rapid.T) {
		which := rapid.SliceOfN(rapid.Bool(), 1, 12).Draw(draw, "rows with a secret")
		clause := rapid.Custom(func(d *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(conditions), 1, 3).Draw(d, "alternatives"), ",")
		})
		q := request.Read{
			Resource: "firewall/address",
			Filter:   rapid.SliceOfN(clause, 1, 2).Draw(draw, "filter"),
			Fields:   rapid.SampledFrom([][]string{nil, {"name"}, {"name", "comment"}, {"subnet"}}).Draw(draw, "fields"),
			Start:    rapid.IntRange(0, 4).Draw(draw, "start"),
			Count:    rapid.IntRange(1, 6).Draw(draw, "count"),
		}
		var pages, tables [2]string
		for i, secret := range pastedKeys {
			r := newRig(t, pasted(secret, which))
			found, err := r.engine.Read(t.Context(), r.caller, q)
			pages[i] = encoded(found.Data, found.Meta, err)
			whole := q
			whole.Count = 0
			var rows []any
			done, err := r.engine.Each(t.Context(), r.caller, whole, func(row map[string]any) error { rows = append(rows, row); return nil })
			tables[i] = encoded([]any{rows, done}, nil, err)
		}
		if diff := cmp.Diff(pages[0], pages[1]); diff != "" {
			draw.Fatalf("a page tells the secrets apart:\n%s", diff)
		}
		if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
			draw.Fatalf("a whole table tells the secrets apart:\n%s", diff)
		}
	})
}

// What is hidden leaves no gap: pages go on without one, and the total is of what is seen.
func TestAFilteredListingIsWalkedWithoutTheHiddenRows(t *testing.T) {
	which := make([]bool, 40)
	for i := range which {
		which[i] = i%3 == 1 || i > 30
	}
	r := newRig(t, pasted(pastedKeys[0], which))
	var names []any
	for start, pages := 0, 0; ; pages++ {
		found := r.mustRead(fmt.Sprintf(`{"resource":"firewall/address","fields":["name"],"filter":["comment=@desk"],"start":%d,"count":4}`, start))
		for _, row := range rows(found) {
			names = append(names, row.(object)["name"])
		}
		if found.Meta.NextStart == nil {
			if found.Meta.Total == nil || *found.Meta.Total != len(names) {
				t.Errorf("total %v, %d rows were seen", found.Meta.Total, len(names))
			}
			break
		}
		if start = *found.Meta.NextStart; start != len(names) || pages > 40 {
			t.Fatalf("page %d goes on at %d, %d rows were seen", pages, start, len(names))
		}
	}
	var want []any
	for i, holds := range which {
		if !holds {
			want = append(want, fmt.Sprintf("h%02d", i))
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// Rows are hidden only where the filter looks at the text that holds a secret.
func TestAFilterOnAnotherAttributeHidesNothing(t *testing.T) {
	r := newRig(t, pasted(pastedKeys[0], []bool{true, false, true}))
	for _, filter := range []string{`"name=@h0"`, `"type==ipmask","name=@h0"`, `"subnet=@192.0.2.1","name=@h"`} {
		found := r.mustRead(`{"resource":"firewall/address","fields":["name","comment"],"filter":[` + filter + `]}`)
		if n := len(rows(found)); n != 3 {
			t.Errorf("%s: %d rows", filter, n)
		}
		r.silent(encoded(found.Data, found.Meta, nil))
	}
	found := r.mustRead(`{"resource":"firewall/address","fields":["name","comment"]}`)
	if !strings.Contains(encoded(found.Data, found.Meta, nil), `"comment":"desk 0 was <redacted>"`) {
		t.Error("the rest of the comment is lost")
	}
}

// FortiOS looks for the name of a filter in nested rows too.
func TestAFilterOnTheNameOfANestedSecretIsRefused(t *testing.T) {
	r := newRig(t, knows(schema.Resource{Path: "switch-controller/demo-switch", Kind: schema.Table, Key: "switch-id", KeyType: "string", Attributes: []schema.Attribute{
		{Name: "switch-id", Type: "string"}, {Name: "name", Type: "string"}, {Name: "ports", Type: "table", Key: "name", Attributes: []schema.Attribute{{Name: "name", Type: "string"}}},
		{Name: "snmp-community", Type: "table", Key: "id", Attributes: []schema.Attribute{{Name: "id", Type: "integer"}, {Name: "name", Type: "string", Secret: true}}},
	}}))
	for _, filter := range []string{"name=@p", "ports.name=@p", "snmp-community.name=@p", "snmp-community=@p", "switch-id==x,name==y", "NAME=@p", "snmp_community.name=@p", "id==1,name!=x"} {
		_, err := r.read(`{"resource":"switch-controller/demo-switch","filter":["` + filter + `"]}`)
		_ = r.wantCode(err, fault.Usage)
	}
	_, err := r.read(`{"resource":"switch-controller/demo-switch","filter":["name=@p"]}`)
	r.wantProblems(err, fault.Usage, `/filter/0: "name" is also the name of a secret (snmp-community/name)`)
	if _, err := r.read(`{"resource":"switch-controller/demo-switch","filter":["switch-id=@s"]}`); err != nil {
		t.Error(err)
	}
	if n := len(r.world.Device.Writes()); n != 0 {
		t.Errorf("%d writes", n)
	}
}

// The place at which a listing begins is one among the rows that are seen: a hidden row
// before it would tell by shifting the others.
func TestAHiddenRowShiftsNoOther(t *testing.T) {
	for _, secret := range pastedKeys {
		r := newRig(t, pasted(secret, []bool{true, false, false, false}))
		q := request.Read{Resource: "firewall/address", Filter: []string{"comment=@" + pastedKeys[0][:9] + ",name==h01,name==h02,name==h03"}, Fields: []string{"name"}, Start: 1}
		want := `[{"name":"h02"},{"name":"h03"}]`
		found, err := r.engine.Read(t.Context(), r.caller, q)
		if err != nil || show(found.Data) != show([]any{object{"name": "h02"}, object{"name": "h03"}}) {
			t.Errorf("a page: %s (%v), want %s", show(found.Data), err, want)
		}
		var rows []any
		done, err := r.engine.Each(t.Context(), r.caller, q, func(row map[string]any) error { rows = append(rows, row); return nil })
		if err != nil || show(rows) != show([]any{object{"name": "h02"}, object{"name": "h03"}}) || done.Rows != 2 {
			t.Errorf("all rows: %s, %+v (%v), want %s", show(rows), done, err, want)
		}
	}
}
