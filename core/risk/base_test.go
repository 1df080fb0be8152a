package risk

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/schema"
)

func TestEveryResourceAndCallHasExactlyOneBaseTier(t *testing.T) {
	counts := map[string]int{}
	for _, file := range []string{"cmdb.jsonl", "monitor.jsonl"} {
		for _, line := range truth(t, "catalog", file) {
			var r struct {
				Path  string
				Calls []struct{ Method, Action, Class string }
			}
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			if len(r.Calls) == 0 {
				counts[file]++
				exactlyOne(t, r.Path)
			}
			for _, c := range r.Calls {
				if c.Method != "POST" {
					continue
				}
				counts[file]++
				exactlyOne(t, r.Path+"/"+c.Action)
				if tier, _ := Base(r.Path + "/" + c.Action); tier.Rank() < classTier(c.Class).Rank() {
					t.Errorf("%s/%s: tier %s is below its class %s", r.Path, c.Action, tier, c.Class)
				}
			}
		}
	}
	if counts["cmdb.jsonl"] != 712 || counts["monitor.jsonl"] != 225 {
		t.Errorf("saw %v, want 712 resources and 225 calls", counts)
	}
}

func exactlyOne(t *testing.T, path string) {
	t.Helper()
	if m := Matches(path); len(m) != 1 {
		t.Errorf("%s: %d patterns match: %q", path, len(m), m)
	}
}

// truth gives the lines of a file of the truth data, or skips the test.
func truth(t *testing.T, elements ...string) [][]byte {
	t.Helper()
	root := os.Getenv("FORTI_TRUTH")
	if root == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	f, err := os.Open(filepath.Join(append([]string{root}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var lines [][]byte
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		lines = append(lines, append([]byte(nil), s.Bytes()...))
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestBaseTiers(t *testing.T) {
	tests := map[string]plan.Tier{
		"firewall/address": plan.Low, "firewall/policy": plan.Medium, "system/interface": plan.High, "system/admin": plan.Critical,
		// Each of these is a way to what is refused as an action.
		"system/automation-action": plan.Critical, "system/auto-script": plan.Critical, "system/api-user": plan.Critical,
		"system/accprofile": plan.Critical, "system/central-management": plan.Critical,
		"monitor/firewall/policy/reset": plan.Medium, "monitor/system/os/reboot": plan.Critical,
		"monitor/system/change-password/select": plan.Critical, "monitor/system/change-password": plan.Critical,
	}
	for path, want := range tests {
		if got, known := Base(path); got != want || !known {
			t.Errorf("Base(%q) = %s, %v, want %s", path, got, known, want)
		}
	}
}

func TestWhatIsUnknownIsNeverLow(t *testing.T) {
	if tier, known := Base("system/new-thing"); tier != plan.High || known {
		t.Errorf("an unknown resource is %s, known %v", tier, known)
	}
	if tier, known := Base("monitor/new/thing/start"); tier != plan.Critical || known {
		t.Errorf("an unknown action is %s, known %v", tier, known)
	}
	if tier := BaseAction("monitor/firewall/policy/reset", "device"); tier != plan.Critical {
		t.Errorf("an action of a class above its entry is %s", tier)
	}
	if tier := BaseAction("monitor/firewall/policy/reset", "a new class"); tier != plan.High {
		t.Errorf("an action of an unknown class is %s", tier)
	}
	c := change("firewall/address", "lan", lan, "new-attribute", "x")
	c.Schema = &schema.Resource{Key: "name", Attributes: []schema.Attribute{{Name: "subnet"}}}
	if v := newBox().assess(c); v.Tier != plan.Medium || tierOf(v, baseRule) != plan.Medium {
		t.Errorf("an unknown attribute: %+v", v)
	}
	c = change("firewall/address", "lan", lan, "name", "lan2")
	c.Schema = &schema.Resource{Key: "name", Attributes: []schema.Attribute{{Name: "name"}}}
	if v := newBox().assess(c); v.Tier != plan.High {
		t.Errorf("a renamed object: %+v", v)
	}
	if v := newBox().assess(create("system/new-thing", "x", object{"name": "x"})); v.Tier != plan.High || tierOf(v, baseRule) != plan.High {
		t.Errorf("a row of an unknown table: %+v", v)
	}
}

func TestFamiliesOfActionsAreRefused(t *testing.T) {
	refused := []string{
		"monitor/system/config-script/run", "monitor/system/config-script/upload", "monitor/system/config/restore",
		"monitor/system/firmware/upgrade", "monitor/system/os/reboot", "monitor/system/os/shutdown",
		"monitor/switch-controller/managed-switch/factory-reset", "monitor/system/api-user/generate-key",
		"monitor/system/change-password", "monitor/system/change-password/select", "monitor/user/local/change-password",
		"monitor/system/admin/change-vdom-mode", "monitor/system/admin/toggle-vdom-mode",
		"monitor/system/automation-stitch/test", "monitor/system/automation-stitch/webhook",
	}
	for _, path := range refused {
		if name, ok := Refused(path); !ok || name == "" {
			t.Errorf("%s is not refused", path)
		}
	}
	for _, path := range []string{
		"monitor/firewall/session/close", "monitor/firewall/policy/reset", "monitor/system/config/save", "monitor/vpn/ipsec/tunnel_down",
	} {
		if name, ok := Refused(path); ok {
			t.Errorf("%s is refused as %q", path, name)
		}
	}
}

func TestRefusedActionsAreCriticalOrUnknown(t *testing.T) {
	for _, line := range truth(t, "catalog", "monitor.jsonl") {
		var r struct {
			Path  string
			Calls []struct{ Method, Action string }
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Calls {
			path := r.Path + "/" + c.Action
			if _, refused := Refused(path); c.Method == "POST" && refused {
				if tier, _ := Base(path); tier.Rank() < plan.High.Rank() {
					t.Errorf("%s is refused by default and yet %s", path, tier)
				}
			}
		}
	}
}

func TestPatterns(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/bc", false}, {"a/*", "a/b", true}, {"a/*", "a/b/c", false}, {"a/*", "a", false},
		{"a/{b,c}", "a/c", true}, {"a/{b,c}", "a/d", false}, {"a/{b,bc}", "a/bc", true}, {"a/{b*,c}d", "a/bxxd", true},
		{"*-x", "a-x", true}, {"*-x", "a-x-y", false}, {"a/{b", "a/b", false}, {"", "", true}, {"*", "", true},
	}
	for _, test := range tests {
		if got := matches(test.pattern, test.path); got != test.want {
			t.Errorf("matches(%q, %q) = %v", test.pattern, test.path, got)
		}
	}
}
