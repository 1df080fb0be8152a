package faultfile_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/faultfile"
)

func TestTheReadmesFaultsAreRead(t *testing.T) {
	raw, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(raw), "```yaml\n")
	file, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("the README has no file of faults")
	}
	got, err := faultfile.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	want := []fortisim.Rule{
		{Match: fortisim.Match{Method: "PUT", Path: "cmdb/firewall/policy", Nth: 2}, Do: fortisim.ResetAfter{}},
		{Match: fortisim.Match{Path: "monitor", Query: "scope=global", After: 3, Count: 1}, Do: fortisim.Latency{Wait: 2 * time.Second}},
		{Do: fortisim.Refuse{}}, {Do: fortisim.ResetBefore{}}, {Do: fortisim.LoginPage{}}, {Do: fortisim.IgnoreWrite{}},
		{Do: fortisim.Truncate{Bytes: 100}},
		{Do: fortisim.Answer{Status: 503, Body: "busy", ContentType: "text/plain", Effect: true}},
		{Do: fortisim.Redirect{To: "https://192.0.2.9/", Status: 302}},
		{Do: fortisim.SlowDrip{Bytes: 64, Wait: 100 * time.Millisecond}},
		{Do: fortisim.Shorten{Attribute: "comment", Length: 10}},
		{Do: fortisim.DropEntry{Attribute: "member", Key: "srv-web"}},
		{Do: fortisim.Serial{Value: "FGVMSIM000000009"}},
		{Do: fortisim.NewHold(true)},
		{Match: fortisim.Match{After: 20}, Do: fortisim.Become{Serial: "FGVMSIM000000002", Version: catalog.Version{Major: 7, Minor: 6, Patch: 5}}},
		{Do: fortisim.LoseManagement{For: 20 * time.Second}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(fortisim.Hold{})); diff != "" {
		t.Error(diff)
	}
}

func TestAFileOfFaultsIsReadStrictlyAndErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", "not YAML"},
		{"not a mapping", "- refuse", "line 1: a mapping"},
		{"no list", "faults: refuse", "line 1: faults must be a list"},
		{"unknown at the top", "fault: []", `line 1: "fault" is not known`},
		{"unknown in a rule", "faults:\n- doo: refuse", `line 2: "doo" is not known`},
		{"unknown in a match", "faults:\n- match:\n    verb: GET\n  do: refuse", `line 3: "verb" is not known`},
		{"name twice", "faults:\n- do: refuse\n  do: refuse", "line 3"},
		{"no fault", "faults:\n- match: {nth: 1}", "line 2: a rule needs a fault"},
		{"unknown fault", "faults:\n- do: explode", `line 2: "explode" is not a fault`},
		{"two faults", "faults:\n- do: {latency: 1s, serial: X}", "line 2: do must name one fault"},
		{"bad method", "faults:\n- {match: {method: PATCH}, do: refuse}", `"PATCH" is not GET`},
		{"negative number", "faults:\n- {match: {nth: -1}, do: refuse}", `"-1" is not a whole number`},
		{"bad time", "faults:\n- do: {latency: soon}", `"soon" is not a time`},
		{"bad status", "faults:\n- do: {answer: {status: 99}}", `"99" is not an HTTP status`},
		{"redirect to nowhere", "faults:\n- do: {redirect: {status: 302}}", "line 2: the fault needs to"},
		{"empty become", "faults:\n- do: {become: {build: 0}}", "the fault needs serial or version"},
		{"bad release", "faults:\n- do: {become: {version: new}}", `"new" is not a release`},
		{"bad serial", "faults:\n- do: {become: {serial: x}}", `"x" is not a serial number`},
		{"unknown value", "faults:\n- do:\n    truncate:\n      byte: 1", `line 4: "byte" is not known`},
		{"two documents", "faults: []\n---\nfaults: []", "more than one document"},
		{"too large", strings.Repeat(" ", 1<<20+1), "larger than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := faultfile.Parse([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
