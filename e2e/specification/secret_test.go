package specification

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// said is a device's refusal in words that hold a secret of each form, and a value
// behind the name of a secret. marked are what must not be seen of it.
var (
	said = []string{
		"current vf=root:0\nnode_check_object fail! for comment ENC Mk3dEncAb3+/9Zk0wXyZ0123==",
		"the hash is SH2Mk3dHashAb39Zk0wXyZ0123Ab39Zk0wXyZ0123Ab39Zk0wXyZ0123=",
		"-----BEGIN RSA PRIVATE KEY-----\nMIIEMk3dKeyBlock0123\nMk3dSecondLine\n-----END RSA PRIVATE KEY-----",
		"set psksecret Mk3dPlain", "the end",
	}
	marked = []string{"Mk3dEnc", "Mk3dHash", "Mk3dKey", "Mk3dSecond", "Mk3dPlain"}
)

// refusal is a device's error answer with a text, in one of the shapes that releases
// have for it.
func refusal(t *testing.T, status int, words any) fortisim.Answer {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"http_method": "GET", "status": "error", "http_status": status, "error": -651, "vdom": "root", "cli_error": words,
	})
	if err != nil {
		t.Fatal(err)
	}
	return fortisim.Answer{Status: status, Body: string(body)}
}

// silent checks that nothing of the secrets stands in what was shown.
func silent(t *testing.T, what, text string) {
	t.Helper()
	for _, mark := range marked {
		if strings.Contains(text, mark) {
			t.Errorf("%s shows %s", what, mark)
		}
	}
}

// The device refuses reads and writes in words that hold secrets. Neither protocol, log
// and terminal nor the files that are kept have them, in any format, and the harmless
// words beside them are passed on.
func TestNoSecretInADevicesWordsIsShownLoggedOrKept(t *testing.T) {
	t.Parallel()
	for shape, words := range map[string]any{"one text": strings.Join(said, "\n"), "a list": said} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, &harness.Options{Mode: "autonomous"}, "--log-level", "debug")
			if err := d.Device.Put("root", "firewall/address", "LAN", map[string]any{"subnet": "192.0.2.0 255.255.255.0"}); err != nil {
				t.Fatal(err)
			}
			ids := []string{d.planned(example), d.planned(example)}
			d.Inject(fortisim.Match{Method: "POST", Path: "cmdb/firewall/address"}, refusal(t, http.StatusInternalServerError, words))
			d.Inject(fortisim.Match{Path: "cmdb/firewall/policy"}, refusal(t, http.StatusInternalServerError, words))
			d.Inject(fortisim.Match{Path: "cmdb/firewall/addrgrp"}, refusal(t, http.StatusForbidden, words))
			d.Inject(fortisim.Match{Path: "monitor/license/status"}, refusal(t, http.StatusFailedDependency, words))
			for _, call := range [][2]string{
				{"forti_apply", `{"plan_id":"` + ids[0] + `"}`},
				{"forti_read", `{"resource":"firewall/policy"}`}, {"forti_read", `{"resource":"firewall/policy","key":1}`},
				{"forti_read", `{"resource":"firewall/addrgrp"}`}, {"forti_read", `{"resource":"monitor/license/status"}`},
				{"forti_discover", `{"what":"resource","resource":"firewall/policy","live":true}`},
				{"forti_plan", `{"operations":[{"op":"delete","resource":"firewall/policy","key":1}]}`},
			} {
				r := d.session.Call(call[0], call[1])
				if !r.IsError {
					t.Errorf("%s %s was not refused", call[0], call[1])
				}
				text := r.Content[0].Text
				silent(t, call[0], text)
				if !strings.Contains(text, "fail! for comment <redacted>") {
					t.Errorf("%s %s does not tell the device's words: %s", call[0], call[1], text)
				}
			}
			p := d.session.Close()
			silent(t, "stdout", p.Stdout)
			silent(t, "stderr", p.Stderr)
			for _, format := range []string{"table", "json", "yaml"} {
				for _, args := range []string{"read firewall/policy", "read firewall/policy 1", "read firewall/policy --all", "read firewall/addrgrp", "apply " + ids[1], "plan show " + ids[0]} {
					r := d.Forti(append(strings.Fields(args), "-v", "-o", format)...)
					silent(t, args+" -v -o "+format, r.Stdout+r.Stderr)
				}
			}
			silent(t, "the home", kept(t, d.Home))
		})
	}
}

// kept is all that is written below a directory.
func kept(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path) //nolint:gosec // the test's own home
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// The same with nothing but programs: forti simulate with a file of faults, and forti-mcp
// over pipes, whose stderr gets rare diagnostics and never a secret.
func TestStderrAndStdoutHoldNoSecretThatASimulatedDeviceSays(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	body, err := json.Marshal(map[string]any{
		"http_method": "POST", "status": "error", "http_status": 500, "error": -651, "vdom": "root", "serial": "FGVMSIM000000001", "revision_changed": false, "cli_error": said,
	})
	if err != nil {
		t.Fatal(err)
	}
	page, err := json.Marshal("<html>" + strings.Join(said, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	quoted, err := json.Marshal(string(body)) // JSON is YAML
	if err != nil {
		t.Fatal(err)
	}
	faults := lab.Write("faults.yaml", "faults:\n"+
		"- match: {method: POST, path: cmdb/firewall/address}\n  do: {answer: {status: 500, body: "+string(quoted)+"}}\n"+
		"- match: {path: cmdb/firewall/policy}\n  do: {answer: {status: 500, body: "+string(quoted)+"}}\n"+
		"- match: {path: cmdb/user/group}\n  do: {answer: {status: 200, body: "+string(page)+", content-type: text/html}}\n")
	device := lab.Simulate("--faults", faults)
	lab.Forti("configure", "sim", "--host", device.Host, "--port", strconv.Itoa(device.Port), "--mode", "autonomous",
		"--token-file", lab.Write("token", device.Token+"\n"), "--pin", device.Pin, "--default").Must(0)
	s := lab.Serve("--log-level", "debug")
	plan := s.Call("forti_plan", `{"operations":[{"op":"create","resource":"firewall/address","object":{"name":"printer","subnet":"192.0.2.50 255.255.255.255"}}]}`)
	var planned struct {
		ID string `json:"plan_id"`
	}
	plan.Structured.Into(t, &planned)
	write := s.Call("forti_apply", `{"plan_id":"`+planned.ID+`"}`)
	read := s.Call("forti_read", `{"resource":"firewall/policy"}`)
	for what, r := range map[string]harness.ToolResult{"the write": write, "the read": read} {
		if !r.IsError || !strings.Contains(r.Content[0].Text, "fail! for comment <redacted>") {
			t.Errorf("%s does not tell the device's words: %s", what, r.Content[0].Text)
		}
	}
	_ = s.Call("forti_read", `{"resource":"user/group"}`).Structured.Failed(t, "not_fortios")
	ended := s.Close()
	silent(t, "stdout", ended.Stdout)
	silent(t, "stderr", ended.Stderr)
	silent(t, "the home", kept(t, lab.Home))
}
