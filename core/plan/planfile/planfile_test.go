package planfile

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
)

var update = flag.Bool("update", false, "write the golden files anew")

var same = cmp.Options{
	cmp.Comparer(func(a, b canon.Digest) bool { return a == b }), cmp.Comparer(func(a, b plan.ID) bool { return a == b }),
	cmp.Comparer(func(a, b operation.Key) bool { return a == b }), cmpopts.EquateEmpty(),
}

func encode(t *testing.T, p *plan.Plan) ([]byte, canon.Digest) {
	t.Helper()
	data, digest, err := Encode(p)
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	return data, digest
}

// The stored form is for years: a change of this file is a change of the format.
func TestTheStoredFormIsTheOneOnRecord(t *testing.T) {
	data, digest := encode(t, sample())
	got := append(data, "\n"+digest.String()+"\n"...)
	const golden = "testdata/plan.golden"
	if *update {
		if err := os.WriteFile(golden, got, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAPlanIsReadAsItWasWritten(t *testing.T) {
	data, digest := encode(t, sample())
	p, err := Decode(data, digest)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sample(), p, same); diff != "" {
		t.Errorf("read (-written +read):\n%s", diff)
	}
	again, digestAgain := encode(t, p)
	if !bytes.Equal(again, data) || digestAgain != digest {
		t.Error("written again it is another file")
	}
}

func TestTheDigestIsThatOfTheBytesInItsOwnDomain(t *testing.T) {
	data, digest := encode(t, sample())
	if digest != canon.SumIn("forti-plan-v1", data) || digest == canon.Sum(data) || Digest(data) != digest {
		t.Error(digest)
	}
}

// Every change of a single byte is found out; with its own digest it is refused as
// well, or it is another plan in the one form in which that plan is written.
func TestEveryChangeOfAByteIsFoundOut(t *testing.T) {
	data, digest := encode(t, small())
	accepted := 0
	for i := range data {
		for _, b := range []byte{data[i] ^ 1, data[i] ^ 0x20, ' ', '"', '0', 0} {
			changed := bytes.Clone(data)
			changed[i] = b
			if b == data[i] {
				continue
			}
			if _, err := Decode(changed, digest); fault.CodeOf(err) != fault.TamperedPlan {
				t.Fatalf("byte %d as %q: %v", i, b, err)
			}
			if b != data[i]^1 && b != '0' {
				continue
			}
			p, err := Decode(changed, Digest(changed))
			if code := fault.CodeOf(err); err != nil && code != fault.TamperedPlan && code != fault.Config {
				t.Fatalf("byte %d as %q: %v", i, b, err)
			}
			if err != nil {
				continue
			}
			accepted++
			if again, _, err := Encode(p); err != nil || !bytes.Equal(again, changed) {
				t.Fatalf("byte %d as %q is read and written otherwise: %v\n%s", i, b, err, again)
			}
		}
	}
	if accepted == 0 {
		t.Fatal("no other plan was met: the test tries too little")
	}
}

// small is a plan of two operations.
func small() *plan.Plan {
	p := sample()
	p.Operations = p.Operations[:2]
	p.Operations[0].Rules, p.Risk.Reasons = nil, p.Risk.Reasons[:1]
	return p
}

func TestBytesLeftOutOrAddedAreFoundOut(t *testing.T) {
	data, digest := encode(t, small())
	for i := range data {
		shorter := append(bytes.Clone(data[:i]), data[i+1:]...)
		for _, d := range []canon.Digest{digest, Digest(shorter)} {
			p, err := Decode(shorter, d)
			if err == nil {
				if again, _, _ := Encode(p); !bytes.Equal(again, shorter) {
					t.Fatalf("without byte %d it is read and written otherwise", i)
				}
			}
		}
		if _, err := Decode(data[:i], Digest(data[:i])); fault.CodeOf(err) != fault.TamperedPlan {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	if _, err := Decode(data, canon.Digest{}); fault.CodeOf(err) != fault.TamperedPlan {
		t.Errorf("no digest: %v", err)
	}
}

// One value has one form.
func TestNoOtherFormOfAPlanIsRead(t *testing.T) {
	data, _ := encode(t, sample())
	tests := []struct {
		name string
		edit func(text string) string
		code fault.Code
	}{
		{"trailing bytes", func(s string) string { return s + "\n" }, fault.TamperedPlan},
		{"a second value", func(s string) string { return s + "{}" }, fault.TamperedPlan},
		{"a blank", func(s string) string { return strings.Replace(s, ":", ": ", 1) }, fault.TamperedPlan},
		{"a key twice", func(s string) string { return `{"v":1,` + s[1:] }, fault.TamperedPlan},
		{"a key in another case", func(s string) string { return strings.Replace(s, `"kind":`, `"Kind":`, 1) }, fault.TamperedPlan},
		{"a key in both cases", func(s string) string { return `{"V":2,` + s[1:] }, fault.TamperedPlan},
		{"an unknown key", func(s string) string { return `{"aaa":1,` + s[1:] }, fault.TamperedPlan},
		{"an unknown key deep down", func(s string) string { return strings.Replace(s, `"anchor":`, `"aaa":1,"anchor":`, 1) }, fault.TamperedPlan},
		{"a key left out", func(s string) string { return strings.Replace(s, `"engine":"0.1.0",`, "", 1) }, fault.TamperedPlan},
		{"keys in another order", func(s string) string {
			return strings.Replace(strings.Replace(s, `"rules":"1",`, "", 1), `"v":1}`, `"v":1,"rules":"1"}`, 1)
		}, fault.TamperedPlan},
		{"another spelling of a time", func(s string) string { return strings.Replace(s, "123456789Z", "123456789+00:00", 1) }, fault.TamperedPlan},
		{"another spelling of a number", func(s string) string { return strings.Replace(s, `"port":443`, `"port":4.43e2`, 1) }, fault.TamperedPlan},
		{"an escape that is not needed", func(s string) string { return strings.Replace(s, `"home"`, `"\u0068ome"`, 1) }, fault.TamperedPlan},
		{"null for an empty list", func(s string) string { return strings.Replace(s, `"lost":[]`, `"lost":null`, 1) }, fault.TamperedPlan},
		{"a later version", func(s string) string { return strings.Replace(s, `"v":1}`, `"v":2}`, 1) }, fault.Config},
		{"a version in text", func(s string) string { return strings.Replace(s, `"v":1}`, `"v":"1"}`, 1) }, fault.Config},
		{"no version", func(s string) string { return strings.Replace(s, `,"v":1}`, `}`, 1) }, fault.Config},
		{"a list", func(s string) string { return "[" + s + "]" }, fault.TamperedPlan},
		{"nothing", func(string) string { return "" }, fault.TamperedPlan},
		{"not UTF-8", func(s string) string { return strings.Replace(s, "home", "h\xffme", 1) }, fault.TamperedPlan},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changed := []byte(test.edit(string(data)))
			if bytes.Equal(changed, data) {
				t.Fatal("the test changes nothing")
			}
			if _, err := Decode(changed, Digest(changed)); fault.CodeOf(err) != test.code {
				t.Errorf("%v, want %s", err, test.code)
			}
		})
	}
}

// A plan that contradicts itself is not written, and not read with a digest of its own.
func TestAPlanThatContradictsItselfIsNotStored(t *testing.T) {
	op := func(i int, change func(op *plan.Operation)) func(p *plan.Plan) {
		return func(p *plan.Plan) { change(&p.Operations[i]) }
	}
	pre := func(list ...plan.Precondition) func(p *plan.Plan) {
		return op(0, func(op *plan.Operation) { op.Pre = list })
	}
	tests := []struct {
		name   string
		change func(p *plan.Plan)
	}{
		{"no id", func(p *plan.Plan) { p.ID = plan.ID{} }},
		{"an unknown kind", func(p *plan.Plan) { p.Kind = "other" }},
		{"a rollback of nothing", func(p *plan.Plan) { p.Parent = plan.ID{} }},
		{"a change with a parent", func(p *plan.Plan) { p.Kind = plan.Change }},
		{"no serial", func(p *plan.Plan) { p.Device.Serial = "" }},
		{"no profile", func(p *plan.Plan) { p.Device.Profile = "" }},
		{"no operations", func(p *plan.Plan) { p.Operations = nil }},
		{"an unknown tier", func(p *plan.Plan) { p.Risk.Tier = "none" }},
		{"an operation above the plan's tier", func(p *plan.Plan) { p.Risk.Tier = plan.Medium }},
		{"an operation without a tier", op(0, func(o *plan.Operation) { o.Tier = "" })},
		{"an operation in another place", op(1, func(o *plan.Operation) { o.Index = 0 })},
		{"no precondition", pre()},
		{"a precondition of nothing", pre(plan.Precondition{Then: plan.Send})},
		{"a precondition of two things", pre(plan.Precondition{Then: plan.Send, Absent: true, None: true})},
		{"a precondition without a consequence", pre(plan.Precondition{Absent: true})},
		{"a precondition on a later operation", pre(plan.Precondition{Then: plan.Send, After: 1})},
		{"a precondition below the first", pre(plan.Precondition{Then: plan.Send, After: -1, Absent: true})},
		{"a move without an order", op(3, func(o *plan.Operation) { o.Order = nil })},
		{"another path", op(1, func(o *plan.Operation) { o.Wire.Path = "/api/v2/cmdb/vpn.ipsec/phase1-interface/other" })},
		{"another resource", op(1, func(o *plan.Operation) { o.Resource = "vpn.ipsec/phase2-interface" })},
		{"another key", op(2, func(o *plan.Operation) { o.Key = operation.IntegerKey(9) })},
		{"another VDOM", op(2, func(o *plan.Operation) { o.VDOM = "edge" })},
		{"another method", op(0, func(o *plan.Operation) { o.Wire.Method = "PUT" })},
		{"another op", op(2, func(o *plan.Operation) { o.Op = plan.OpUpdate })},
		{"an unknown op", op(2, func(o *plan.Operation) { o.Op = "purge" })},
		{"another anchor", op(3, func(o *plan.Operation) { o.Order.Position.Anchor = operation.IntegerKey(9) })},
		{"the other side of the anchor", op(3, func(o *plan.Operation) { o.Order.Position.Before = false })},
		{"a delete of the whole table", op(2, func(o *plan.Operation) { o.Key = operation.Key{}; o.Wire.Path = "/api/v2/cmdb/firewall/policy" })},
		{"a delete of the parent", op(2, func(o *plan.Operation) {
			o.Key, o.Wire.Path = operation.TextKey(".."), "/api/v2/cmdb/firewall/policy/.."
		})},
		{"one more query parameter", op(2, func(o *plan.Operation) { o.Wire.Query = append(o.Wire.Query, o.Wire.Query...) })},
		{"a body that a delete does not have", op(2, func(o *plan.Operation) { o.Wire.Body = map[string]any{"a": "b"} })},
		{"something else sent than verified", op(0, func(o *plan.Operation) { o.Expect = map[string]any{"name": "a/b ü"} })},
		{"a reference that is not listed", op(1, func(o *plan.Operation) { o.Secrets = o.Secrets[:1] })},
		{"a listed secret without a reference", op(0, func(o *plan.Operation) { o.Secrets = []plan.SecretRef{{Ref: "s0", Pointer: "/name", Name: "n"}} })},
		{"a reference in another place", op(1, func(o *plan.Operation) { o.Secrets[0].Pointer = "/comments" })},
		{"another reference", op(1, func(o *plan.Operation) { o.Secrets[0].Ref = "s7" })},
		{"a secret without a commitment", op(1, func(o *plan.Operation) { o.Secrets[0].Commitment = "" })},
		{"a secret with both a name and a value", op(1, func(o *plan.Operation) { o.Secrets[1].Commitment = "00" })},
		{"a reference to a secret where none belongs", op(5, func(o *plan.Operation) {
			o.Expect = map[string]any{"x": []any{map[string]any{"$secret": "s0"}}}
			o.Wire.Body = o.Expect
		})},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := sample()
			test.change(p)
			if _, _, err := Encode(p); fault.CodeOf(err) != fault.Internal {
				t.Errorf("written: %v", err)
			}
		})
	}
}

func TestAValueThatCannotBeStoredExactlyIsTheCallers(t *testing.T) {
	for name, v := range map[string]any{"a fraction": 1.5, "beyond 2^53": int64(1) << 53, "not UTF-8": "\xff", "NUL": "\x00"} {
		p := sample()
		p.Operations[0].Expect = map[string]any{"x": v}
		p.Operations[0].Wire.Body = p.Operations[0].Expect
		if _, _, err := Encode(p); fault.CodeOf(err) != fault.Usage {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Keys that need escapes come back from the path as they went in.
func TestBuildEscapesEveryKey(t *testing.T) {
	for _, key := range []string{"a/b", "a b", "ü", "a?vdom=x", "a#b", "%2e%2e", "a&b=c", strings.Repeat("x", 255)} {
		p := sample()
		op := &p.Operations[0]
		op.Op, op.Key, op.Expect = plan.OpDelete, operation.TextKey(key), nil
		w, err := Build(*op)
		if err != nil {
			t.Fatal(err)
		}
		if op.Wire = w; strings.ContainsAny(strings.TrimPrefix(w.Path, "/api/v2/cmdb/firewall/address/"), "/?#& ") {
			t.Errorf("%q: %s", key, w.Path)
		}
		data, digest := encode(t, p)
		back, err := Decode(data, digest)
		if err != nil || back.Operations[0].Key != op.Key {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func FuzzAPlanIsReadInOneFormOrRefused(f *testing.F) {
	data, _, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"v":1}`))
	f.Add([]byte(`{"v":2}`))
	f.Add([]byte(fmt.Sprintf(`[%s]`, data)))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data, Digest(data))
		if err != nil {
			if code := fault.CodeOf(err); code != fault.TamperedPlan && code != fault.Config {
				t.Fatalf("%v", err)
			}
			return
		}
		again, _, err := Encode(p)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%v\n%s\n%s", err, data, again)
		}
	})
}
