package clients

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheTerraformProvidersSDKWorksWithTheSimulator(t *testing.T) {
	t.Parallel()
	program := build(t, "terraformsdk")
	s := simulate(t, "--release", "7.2.8")
	wantSteps(t, s.run(t, program), []step{
		{Step: "connect"},
		{Step: "version", Value: "v7.2.8"},
		{Step: "create address", Value: "web 10/8"},
		{Step: "create address again", Error: "A duplicate entry already exists"},
		{Step: "read address", Value: values{"comment": "made by Terraform", "name": "web 10/8", "subnet": "10.20.0.0 255.255.0.0", "type": "ipmask"}},
		{Step: "update address"},
		{Step: "update address badly", Error: "value parse error before 'nonsense'"},
		{Step: "read changed address", Value: values{"comment": "changed", "subnet": "10.20.0.0 255.255.0.0"}},
		{Step: "create group"},
		{Step: "delete address in use", Error: "Return code -23"},
		{Step: "delete group"},
		{Step: "delete address"},
		{Step: "read deleted address"},
		{Step: "list addresses", Value: []any{"srv-web", "srv-mail", "srv-files"}},
		{Step: "create policy", Value: true},
		{Step: "create policy", Value: true},
		{Step: "move policy", Value: []any{"100", "101"}},
		{Step: "read policy", Value: values{"action": "accept", "name": "second by Terraform", "schedule": "always", "srcintf": []any{"lan"}}},
		{Step: "update global"},
		{Step: "read global", Value: values{"admintimeout": 33.0, "hostname": "fortisim"}},
		{Step: "monitor status", Value: values{"serial": "FGVMSIM000000001", "status": "success", "version": "v7.2.8"}},
	})

	if diff := cmp.Diff([]string{"1", "2", "3", "4", "5", "99", "101", "100"}, s.keys(t, "firewall/policy", "policyid")); diff != "" {
		t.Errorf("the order of the policies: %s", diff)
	}
	if got := s.keys(t, "firewall/address", "name"); strings.Contains(strings.Join(got, " "), "10/8") {
		t.Errorf("the deleted address is there: %q", got)
	}
	if n := s.sent(t, "PUT", "cmdb/firewall/policy/101"); n != 1 {
		t.Errorf("%d moves reached the device", n)
	}
}

// A release that takes no token in the URL refuses this client, as users saw.
func TestTheTerraformProvidersSDKIsRefusedWhereTokensInURLsAre(t *testing.T) {
	t.Parallel()
	program := build(t, "terraformsdk")
	steps := simulate(t, "--release", "7.6.5").run(t, program)
	if len(steps) != 1 || steps[0].Error == "" {
		t.Errorf("it saw %+v", steps)
	}
}

// kinds are what the SDK makes, changes and deletes, and the tables that hold them.
var kinds = []struct{ name, table string }{
	{"service", "firewall.service/custom"},
	{"pool", "firewall/ippool"},
	{"vip", "firewall/vip"},
	{"group", "firewall/addrgrp"},
	{"vlan", "system/interface"},
	{"profile", "system/accprofile"},
	{"API user", "system/api-user"},
	{"selector", "vpn.ipsec/phase2-interface"},
}

// tourOf is what the SDK sees of a kind that the device takes as it was sent.
func tourOf(kind string) []step {
	return []step{
		{Step: "create " + kind},
		{Step: "read " + kind, Value: values{}},
		{Step: "update " + kind},
		{Step: "read changed " + kind, Value: values{}},
		{Step: "delete " + kind},
		{Step: "read deleted " + kind, Value: false},
	}
}

func TestTheTerraformProvidersSDKMakesChangesAndDeletesEachKind(t *testing.T) {
	t.Parallel()
	program := build(t, "terraformsdk")
	for _, release := range []string{"6.4.14", "7.2.8"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			s := simulate(t, "--release", release)
			before := s.tables(t)
			want := []step{{Step: "connect"}, {Step: "version", Value: "v" + release}}
			for _, k := range kinds[:len(kinds)-1] {
				want = append(want, tourOf(k.name)...)
			}
			want = append(want, step{Step: "create tunnel"}, step{Step: "read tunnel", Value: values{"psksecret": "ENC XXXX"}})
			want = append(want, tourOf("selector")...)
			want = append(want, step{Step: "delete tunnel"},
				step{Step: "update DNS"}, step{Step: "read DNS", Value: values{}},
				step{Step: "update syslog"}, step{Step: "read syslog", Value: values{}})
			wantSteps(t, s.run(t, program, "FORTI_TOUR=objects"), want)

			if diff := cmp.Diff(before, s.tables(t)); diff != "" {
				t.Errorf("the tables after all was deleted: %s", diff)
			}
			for _, k := range kinds {
				for _, method := range []string{"POST", "PUT", "DELETE"} {
					if n := s.sent(t, method, "cmdb/"+k.table); n != 1 {
						t.Errorf("%s: %d requests %s reached the device", k.name, n, method)
					}
				}
			}
			dns, syslog := results[values](t, s, "cmdb/system/dns"), results[values](t, s, "cmdb/log.syslogd/setting")
			if dns["primary"] != "192.0.2.53" || syslog["port"] != 1514.0 || syslog["format"] != "csv" {
				t.Errorf("the settings are %v and %v", dns["primary"], syslog)
			}
		})
	}
}

// tables are the keys of what each kind's table holds, in their order.
func (s *simulator) tables(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, k := range kinds {
		out[k.name] = s.keys(t, k.table, "name")
	}
	return out
}

func TestTheTerraformProvidersSDKSortsPolicies(t *testing.T) {
	t.Parallel()
	program := build(t, "terraformsdk")
	s := simulate(t, "--release", "7.2.8")
	order := []any{"voice-to-lan", "lan-to-servers", "lan-to-internet", "lan-to-hq", "internet-to-web", "deny-all"}
	wantSteps(t, s.run(t, program, "FORTI_TOUR=sorting"), []step{
		{Step: "connect"},
		{Step: "version", Value: "v7.2.8"},
		{Step: "sort policies"},
		{Step: "read the order", Value: true},
		{Step: "list policies", Value: order},
	})
	var want []string
	for _, name := range order {
		want = append(want, name.(string))
	}
	if diff := cmp.Diff(strings.Join(want, " "), strings.Join(s.keys(t, "firewall/policy", "name"), " ")); diff != "" {
		t.Errorf("the order of the policies: %s", diff)
	}
	if n := s.sent(t, "PUT", "cmdb/firewall/policy/"); n != len(order)-1 {
		t.Errorf("%d moves reached the device", n)
	}
}
