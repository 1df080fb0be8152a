package audit_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
)

func TestARecordIsOneCanonicalLine(t *testing.T) {
	line, head, err := audit.Seal(audit.Entry{Event: audit.ApplyEnd, At: start, UID: 7, Reason: "<b>\u2028"}, audit.First(install))
	if err != nil {
		t.Fatal(err)
	}
	body, whole := bytes.CutSuffix(line, []byte("\n"))
	if !whole || bytes.ContainsAny(body, "\n") {
		t.Fatalf("not one line: %q", line)
	}
	v, err := canon.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := canon.Encode(v); err != nil || !bytes.Equal(again, body) {
		t.Errorf("not canonical: %s, %v", body, err)
	}
	object, _ := v.(map[string]any)
	if object["seq"] != int64(0) || object["hash"] != head.Hash.String() || object["prev"] != audit.Genesis(install).String() || object["v"] != int64(1) {
		t.Errorf("%v", object)
	}
}

// The hash is SHA-256 in the domain forti-audit-v1 over the record without it.
func TestTheHashCanBeComputedWithoutThisPackage(t *testing.T) {
	line, head, err := audit.Seal(audit.Entry{Event: audit.PlanCreated, At: start}, audit.First(install))
	if err != nil {
		t.Fatal(err)
	}
	v, err := canon.Decode(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil {
		t.Fatal(err)
	}
	object, _ := v.(map[string]any)
	delete(object, "hash")
	body, err := canon.Encode(object)
	if err != nil {
		t.Fatal(err)
	}
	if got := canon.SumIn("forti-audit-v1", body); got != head.Hash {
		t.Errorf("%s, want %s", got, head.Hash)
	}
}

func TestParseLineGivesBackWhatWasSealed(t *testing.T) {
	want := audit.Entry{
		Event: audit.ApplyEnd, At: start, Boot: "b", BootTime: 5, Program: "forti", PID: 1, UID: 0, User: "u", Host: "h", Client: "c",
		Digest: canon.Sum([]byte("plan")), Approval: &audit.ApprovalRef{Method: "typed", Approver: "u", File: canon.Sum(nil)},
		Ops: []audit.Op{{Op: "create", Resource: "firewall/address", Key: "a", HTTP: 200}}, Recovered: true, Note: "n",
	}
	line, head, err := audit.Seal(want, audit.Link{Seq: 9, Prev: canon.Sum([]byte("before"))})
	if err != nil {
		t.Fatal(err)
	}
	r, err := audit.ParseLine(bytes.TrimSuffix(line, []byte("\n")))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(r.Entry, want) {
		t.Error(cmp.Diff(want.Reason, r.Reason), r.Entry)
	}
	if r.Seq != 9 || r.Hash != head.Hash || r.Prev != canon.Sum([]byte("before")) {
		t.Errorf("%+v", r)
	}
}

func TestParseLineRefuses(t *testing.T) {
	line, _, err := audit.Seal(audit.Entry{Event: audit.PlanCreated, At: start}, audit.First(install))
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.TrimSuffix(line, []byte("\n"))
	r, err := audit.ParseLine(body)
	if err != nil {
		t.Fatal(err)
	}
	r.Hash = canon.Digest{}
	unsealed, err := canon.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	r.V = 2
	later, err := canon.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"nothing":                {},
		"a newline at the end":   line,
		"a record without hash":  unsealed,
		"an unknown format":      later,
		"a key in another case":  bytes.Replace(body, []byte(`"event"`), []byte(`"Event"`), 1),
		"a member more":          bytes.Replace(body, []byte(`{`), []byte(`{"a":1,`), 1),
		"the last byte cut":      body[:len(body)-1],
		"a list":                 []byte(`[]`),
		"the digits of a number": bytes.Replace(body, []byte(`"seq":0`), []byte(`"seq":-0`), 1),
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := audit.ParseLine(text); err == nil {
				t.Errorf("taken: %+v", got)
			}
		})
	}
}

func FuzzParseLine(f *testing.F) {
	for _, line := range chain(f, 2) {
		f.Add(bytes.TrimSuffix(line, []byte("\n")))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := audit.ParseLine(line)
		if err != nil {
			return
		}
		again, head, err := audit.Seal(r.Entry, audit.Link{Seq: r.Seq, Prev: r.Prev})
		if err != nil || !bytes.Equal(bytes.TrimSuffix(again, []byte("\n")), line) || head.Hash != r.Hash {
			t.Fatalf("%q was taken and seals as %q, %v", line, again, err)
		}
	})
}
