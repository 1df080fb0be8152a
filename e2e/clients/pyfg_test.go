package clients

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// python is Debian's own, which has pyFG; another may come first in the path.
const python = "/usr/bin/python3"

// pyfg runs pyFG on a backup.
func pyfg(t *testing.T, backup []byte) (saw struct {
	Blocks, Policies              []string
	Hostname, LAN, Same, Commands string
	Address                       map[string]string
}) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), python, "testdata/pyfg/config.py")
	cmd.Stdin = bytes.NewReader(backup)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &saw); err != nil {
		t.Fatal(err)
	}
	return saw
}

func TestPyFGReadsABackupAndItsChangesLoad(t *testing.T) {
	t.Parallel()
	fromDebian(t, python)
	if err := exec.CommandContext(t.Context(), python, "-c", "import pyFG").Run(); err != nil {
		t.Skip("pyFG is absent: it did not run")
	}
	s := simulate(t, "--release", "7.2.8")
	saw := pyfg(t, s.ask(t, http.MethodGet, "monitor/system/config/backup?scope=global", ""))
	if diff := cmp.Diff(s.keys(t, "firewall/policy", "policyid"), saw.Policies); diff != "" {
		t.Errorf("the order of the policies: %s", diff)
	}
	address := s.rows(t, "firewall/address/srv-web")[0]
	want := map[string]string{"subnet": address["subnet"].(string), "comment": `"` + address["comment"].(string) + `"`}
	if diff := cmp.Diff(want, saw.Address); diff != "" {
		t.Errorf("the address: %s", diff)
	}
	if saw.Hostname != `"fortisim"` || saw.LAN != s.rows(t, "system/interface/lan")[0]["ip"] || saw.Same != "" || len(saw.Blocks) < 20 {
		t.Errorf("it saw %+v", saw)
	}

	file := filepath.Join(t.TempDir(), "changes.conf")
	if err := os.WriteFile(file, []byte(saw.Commands), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := simulate(t, "--release", "7.2.8", "--config", file)
	if diff := cmp.Diff(s.keys(t, "firewall/policy", "policyid"), changed.keys(t, "firewall/policy", "policyid")); diff != "" {
		t.Errorf("what was not changed: %s", diff)
	}
	got := changed.rows(t, "firewall/address/srv-web")[0]
	added := changed.rows(t, "firewall/address/from-pyfg")[0]
	if got["comment"] != "kept by pyFG" || got["subnet"] != address["subnet"] || added["subnet"] != "10.50.0.0 255.255.0.0" {
		t.Errorf("the addresses: %v, %v", got, added)
	}
	if got := results[values](t, changed, "cmdb/system/global"); got["admintimeout"] != 77.0 || got["hostname"] != "fortisim" {
		t.Errorf("the idle time is %v on %v", got["admintimeout"], got["hostname"])
	}
}
