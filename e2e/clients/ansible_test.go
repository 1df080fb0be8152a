package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const byPassword = "ansible_user=admin ansible_password=made-up-admin-password"

// ansible needs the collection too, not only the program.
func ansible(t *testing.T) {
	t.Helper()
	fromDebian(t, "ansible-playbook", "ansible-galaxy")
	if out := output(t, nil, "ansible-galaxy", "collection", "list", "fortinet.fortios"); !strings.Contains(out, "fortinet.fortios") {
		t.Skip("Ansible has no collection fortinet.fortios: it did not run")
	}
}

// playbook plays a file against the device and gives what Ansible printed. The variables
// are those of the host.
func (s *simulator) playbook(t *testing.T, file, variables string) (string, error) {
	t.Helper()
	// Not the test's folder: the path of a socket may be only so long.
	home, err := os.MkdirTemp("", "ans") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	inventory := filepath.Join(home, "inventory")
	host := fmt.Sprintf("ansible_host=%s ansible_connection=httpapi ansible_network_os=fortinet.fortios.fortios ansible_httpapi_use_ssl=true ansible_httpapi_validate_certs=false", s.Host)
	text := fmt.Sprintf("[fortigate]\nfgt %s %s\n[fortigates]\nfgt\n", host, variables)
	if err := os.WriteFile(inventory, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// The port as the strongest kind of variable: an exported playbook names 443.
	cmd := exec.CommandContext(t.Context(), "ansible-playbook", "-i", inventory, "-e", fmt.Sprintf("ansible_httpapi_port=%d", s.Port), file)
	// What holds the connection ends some seconds after the last task.
	cmd.Env = append(os.Environ(), "ANSIBLE_HOME="+home, "ANSIBLE_LOCAL_TEMP="+filepath.Join(home, "tmp"), "ANSIBLE_NOCOLOR=1", "ANSIBLE_PERSISTENT_CONNECT_TIMEOUT=10")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// play is a playbook that must succeed.
func (s *simulator) play(t *testing.T, file, variables string) string {
	t.Helper()
	out, err := s.playbook(t, file, variables)
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return out
}

func TestAnsiblesCollectionWorksWithTheSimulator(t *testing.T) {
	t.Parallel()
	ansible(t)
	s := simulate(t, "--release", "7.2.8")
	s.play(t, "testdata/ansible/work.yml", "token="+s.Token)

	if diff := cmp.Diff([]string{"1", "2", "3", "4", "5", "99", "202"}, s.keys(t, "firewall/policy", "policyid")); diff != "" {
		t.Errorf("the order of the policies: %s", diff)
	}
	if got := s.rows(t, "firewall/address/by-ansible")[0]["comment"]; got != "changed" {
		t.Errorf("the comment is %v", got)
	}
	if got := results[values](t, s, "cmdb/system/global")["admintimeout"]; got != 44.0 {
		t.Errorf("the idle time is %v", got)
	}
	if n := s.sent(t, "PUT", "cmdb/firewall/policy/202\",\"query\":\"action=move"); n != 1 {
		t.Errorf("%d moves reached the device", n)
	}
}

func TestAnsiblesCollectionExportsWhatItCanPlayAgain(t *testing.T) {
	t.Parallel()
	ansible(t)
	s := simulate(t, "--release", "7.6.0")
	made := t.TempDir()
	s.play(t, "testdata/ansible/more.yml", "token="+s.Token+" made="+made)

	group := s.rows(t, "firewall/addrgrp/by-ansible")[0]
	if diff := cmp.Diff([]any{values{"name": "two", "q_origin_key": "two"}}, group["member"]); diff != "" {
		t.Errorf("the members of the group: %s", diff)
	}
	if got := results[values](t, s, "cmdb/system/global")["admintimeout"]; got != 66.0 {
		t.Errorf("the idle time is %v", got)
	}
	route := s.rows(t, "router/static/77")[0]
	if route["dst"] != "10.99.0.0 255.255.0.0" || route["gateway"] != "192.168.10.254" || route["distance"] != 20.0 {
		t.Errorf("the route is %v", route)
	}
	for path, want := range map[string]int{"POST cmdb/firewall/addrgrp/by-ansible/member": 1, "DELETE cmdb/firewall/addrgrp/by-ansible/member/one": 1, "POST monitor/system/config-revision/save": 1} {
		method, path, _ := strings.Cut(path, " ")
		if n := s.sent(t, method, path); n != want {
			t.Errorf("%d requests %s %s reached the device, want %d", n, method, path, want)
		}
	}

	exported := filepath.Join(made, "firewall_addrgrp_playbook.yml")
	again := s.play(t, exported, "fortios_access_token="+s.Token)
	if !strings.Contains(again, "changed=0") || !strings.Contains(again, "ok=1 ") {
		t.Errorf("what was exported changes the device that it came from:\n%s", again)
	}
	s.ask(t, "DELETE", "cmdb/firewall/addrgrp/by-ansible", "")
	if again = s.play(t, exported, "fortios_access_token="+s.Token); !strings.Contains(again, "changed=1") {
		t.Errorf("what was exported does not make the group again:\n%s", again)
	}
	if diff := cmp.Diff(group, s.rows(t, "firewall/addrgrp/by-ansible")[0]); diff != "" {
		t.Errorf("the group that was made again: %s", diff)
	}
}

func TestAnsiblesCollectionWorksWithAPassword(t *testing.T) {
	t.Parallel()
	ansible(t)
	for _, release := range []string{"6.4.14", "7.2.8"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			s := simulate(t, "--release", release)
			s.play(t, "testdata/ansible/session.yml", byPassword)
			names := strings.Join(s.keys(t, "firewall/address", "name"), " ")
			if !strings.Contains(names, "in-a-session") || strings.Contains(names, "old-scanner") {
				t.Errorf("the addresses are %s", names)
			}
		})
	}
}

// From 7.6 a session has cookies by new names, which this collection does not know:
// its users were told to take a token.
func TestAnsiblesCollectionWithAPasswordIsRefusedFrom76(t *testing.T) {
	t.Parallel()
	ansible(t)
	s := simulate(t, "--release", "7.6.5")
	before := s.rows(t, "firewall/address")
	out, err := s.playbook(t, "testdata/ansible/session.yml", byPassword)
	if err == nil || !strings.Contains(out, "401") {
		t.Errorf("%v\n%s", err, out)
	}
	if diff := cmp.Diff(before, s.rows(t, "firewall/address")); diff != "" {
		t.Errorf("the device changed: %s", diff)
	}
}
