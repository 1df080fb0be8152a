package schema

import "testing"

func TestTheSecretsThatANameReaches(t *testing.T) {
	r := &Resource{Attributes: []Attribute{
		{Name: "name"}, {Name: "switch_id"}, {Name: "pre-shared_key", Secret: true},
		{Name: "snmp-community", Attributes: []Attribute{
			{Name: "id"}, {Name: "name", Secret: true},
			{Name: "hosts", Attributes: []Attribute{{Name: "ip"}, {Name: "Auth-Pwd", Secret: true}}},
		}},
		{Name: "ports", Attributes: []Attribute{{Name: "port"}}},
	}}
	for name, want := range map[string]string{
		"pre-shared_key": "pre-shared_key", "PRE_SHARED-KEY": "pre-shared_key", " pre-shared-key ": "pre-shared_key",
		"name": "snmp-community/name", "NAME": "snmp-community/name", "ports.name": "snmp-community/name",
		"snmp-community": "snmp-community/name", "snmp_community": "snmp-community/name", "snmp-community.name": "snmp-community/name",
		"snmp-community/hosts": "snmp-community/hosts/Auth-Pwd", "hosts": "snmp-community/hosts/Auth-Pwd",
		"auth_pwd": "snmp-community/hosts/Auth-Pwd", "snmp-community.hosts.auth-pwd": "snmp-community/hosts/Auth-Pwd",
		"switch_id": "", "snmp-community.id": "", "ports": "", "port": "", "ip": "", "none": "", "": "",
	} {
		if got := r.NamesSecret(name); got != want {
			t.Errorf("%q reaches %q, want %q", name, got, want)
		}
	}
}
