package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

const pin = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// full uses every key.
const full = `{
  "version": 1,
  "default_profile": "home",
  "profiles": {
    "home": {
      "host": "192.0.2.1",
      "port": 8443,
      "vdom": "edge",
      "mode": "guarded",
      "token": {
        "keyring": true
      },
      "tls": {
        "pin_sha256": "` + pin + `"
      },
      "timeout": "45s",
      "backup_before_critical": false,
      "max_result_bytes": 50000,
      "max_operations": 20,
      "alt_hosts": [
        "192.0.2.2",
        "fw.example.net"
      ],
      "management_interface": "mgmt",
      "api_user": "forti",
      "allow_actions": [
        "monitor/system/os/reboot"
      ],
      "deny": [
        "system/admin"
      ],
      "proxy": "http://proxy.example.net:3128",
      "approval": {
        "signers": "signers",
        "required": 2
      }
    },
    "lab": {
      "host": "fw.lab.example.net",
      "mode": "autonomous",
      "token": {
        "command": [
          "pass",
          "show",
          ""
        ]
      },
      "tls": {
        "ca_file": "ca.pem"
      }
    }
  },
  "secrets": {
    "psk": {
      "env": "PSK"
    },
    "radius": {
      "file": "radius.secret"
    }
  },
  "state": {
    "allow_network_filesystem": true
  }
}
`

func fullDocument() config.Document {
	return config.Document{
		DefaultProfile: "home",
		Profiles: map[string]config.Entry{
			"home": {
				Host: "192.0.2.1", Port: 8443, VDOM: "edge", Mode: profile.Guarded, Token: config.Source{Keyring: true},
				TLS: config.TLS{PinSHA256: pin}, Timeout: 45 * time.Second, NoBackup: true, MaxResultBytes: 50_000, MaxOperations: 20,
				AltHosts: []string{"192.0.2.2", "fw.example.net"}, ManagementInterface: "mgmt", APIUser: "forti",
				AllowActions: []string{"monitor/system/os/reboot"}, Deny: []string{"system/admin"},
				Proxy: "http://proxy.example.net:3128", Approval: config.Approval{Signers: "signers", Required: 2},
			},
			"lab": {
				Host: "fw.lab.example.net", Mode: profile.Autonomous, TLS: config.TLS{CAFile: "ca.pem"},
				Token: config.Source{Command: []string{"pass", "show", ""}},
			},
		},
		Secrets: map[string]config.Source{"psk": {Env: "PSK"}, "radius": {File: "radius.secret"}},
		State:   config.State{AllowNetworkFilesystem: true},
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	got, err := config.Decode([]byte(full))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fullDocument(), got); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsWrittenIsWhatWasRead(t *testing.T) {
	got, err := fullDocument().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(full, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestNothingIsWrittenThatCouldNotBeRead(t *testing.T) {
	d := fullDocument()
	home := d.Profiles["home"]
	home.Mode = ""
	d.Profiles["home"] = home
	if _, err := d.Encode(); fault.CodeOf(err) != fault.Config {
		t.Errorf("got %v", err)
	}
}

// with is a file whose profile has one more or another member.
func with(member string) string {
	return `{"version":1,"profiles":{"a":{"host":"192.0.2.1","mode":"guarded","token":{"env":"T"}` + member + `}}}`
}

func TestProblemsNameTheirPlace(t *testing.T) {
	const host = `"host":"192.0.2.1",`
	for name, c := range map[string]struct{ file, pointer, says string }{
		"unknown key":                  {`{"version":1,"mode":"autonomous"}`, "/mode", "default_profile, profiles, secrets, state, version"},
		"unknown key of a profile":     {with(`,"modes":"x"`), "/profiles/a/modes", "unknown key"},
		"unknown key below":            {with(`,"tls":{"insecure":true}`), "/profiles/a/tls/insecure", "ca_file, pin_sha256"},
		"a key with a slash":           {with(`,"a/b~c":1`), "/profiles/a/a~1b~0c", "unknown key"},
		"no version":                   {`{"profiles":{}}`, "/version", "must be 1"},
		"another version":              {`{"version":2}`, "/version", "must be 1"},
		"not an object":                {`[]`, "", "must be an object"},
		"profiles is a list":           {`{"version":1,"profiles":[]}`, "/profiles", "must be an object"},
		"the default names no profile": {`{"version":1,"default_profile":"x"}`, "/default_profile", "names no profile"},
		"profile name":                 {`{"version":1,"profiles":{"../x":{}}}`, "/profiles/..~1x", "letters, digits"},
		"no mode":                      {`{"version":1,"profiles":{"a":{` + host + `"token":{"env":"T"}}}}`, "/profiles/a/mode", "is required"},
		"no host":                      {`{"version":1,"profiles":{"a":{"mode":"guarded","token":{"env":"T"}}}}`, "/profiles/a/host", "is required"},
		"no token":                     {`{"version":1,"profiles":{"a":{` + host + `"mode":"guarded"}}}`, "/profiles/a/token", "is required"},
		"unknown mode":                 {`{"version":1,"profiles":{"a":{` + host + `"token":{"env":"T"},"mode":"Autonomous"}}}`, "/profiles/a/mode", "read_only, guarded or autonomous"},
		"empty mode":                   {`{"version":1,"profiles":{"a":{` + host + `"token":{"env":"T"},"mode":""}}}`, "/profiles/a/mode", "read_only, guarded or autonomous"},
		"host with a scheme":           {`{"version":1,"profiles":{"a":{"host":"https://192.0.2.1","mode":"guarded","token":{"env":"T"}}}}`, "/profiles/a/host", "bare host name"},
		"host with a port":             {`{"version":1,"profiles":{"a":{"host":"192.0.2.1:443","mode":"guarded","token":{"env":"T"}}}}`, "/profiles/a/host", "bare host name"},
		"port":                         {with(`,"port":0`), "/profiles/a/port", "1 to 65535"},
		"port as text":                 {with(`,"port":"443"`), "/profiles/a/port", "whole number"},
		"vdom":                         {with(`,"vdom":"*"`), "/profiles/a/vdom", "VDOM"},
		"pin":                          {with(`,"tls":{"pin_sha256":"abc"}`), "/profiles/a/tls/pin_sha256", "64 hex digits"},
		"pin and ca_file":              {with(`,"tls":{"pin_sha256":"` + pin + `","ca_file":"x"}`), "/profiles/a/tls", "not both"},
		"timeout":                      {with(`,"timeout":"1h"`), "/profiles/a/timeout", "1s to 10m"},
		"timeout without a unit":       {with(`,"timeout":30`), "/profiles/a/timeout", "30s"},
		"result bytes":                 {with(`,"max_result_bytes":10`), "/profiles/a/max_result_bytes", "4000 to 1000000"},
		"operations":                   {with(`,"max_operations":501`), "/profiles/a/max_operations", "1 to 500"},
		"alt host":                     {with(`,"alt_hosts":["ok","a b"]`), "/profiles/a/alt_hosts/1", "bare host name"},
		"action":                       {with(`,"allow_actions":["system/os/reboot"]`), "/profiles/a/allow_actions/0", "monitor/"},
		"deny":                         {with(`,"deny":["system admin"]`), "/profiles/a/deny/0", "path of a resource"},
		"proxy":                        {with(`,"proxy":"socks5://user:hunter2secret@x"`), "/profiles/a/proxy", "HTTP proxy"},
		"backup as text":               {with(`,"backup_before_critical":"no"`), "/profiles/a/backup_before_critical", "true or false"},
		"two approvers, no signers":    {with(`,"approval":{"required":2}`), "/profiles/a/approval/required", "needs signers"},
		"the token itself":             {`{"version":1,"profiles":{"a":{` + host + `"mode":"guarded","token":"hunter2secret"}}}`, "/profiles/a/token", "where the secret comes from"},
		"two sources":                  {`{"version":1,"secrets":{"s":{"env":"A","keyring":true}}}`, "/secrets/s", "exactly one"},
		"no source":                    {`{"version":1,"secrets":{"s":{}}}`, "/secrets/s", "exactly one"},
		"keyring false":                {`{"version":1,"secrets":{"s":{"keyring":false}}}`, "/secrets/s", "exactly one"},
		"a command as one text":        {`{"version":1,"secrets":{"s":{"command":"echo hunter2secret"}}}`, "/secrets/s/command", "a list"},
		"an empty command":             {`{"version":1,"secrets":{"s":{"command":[]}}}`, "/secrets/s", "exactly one"},
		"variable":                     {`{"version":1,"secrets":{"s":{"env":"A=hunter2secret"}}}`, "/secrets/s/env", "environment variable"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Decode([]byte(c.file))
			f := fault.From(err)
			if fault.CodeOf(err) != fault.Config {
				t.Fatalf("got %v", err)
			}
			problems, _ := f.Details["problems"].([]fault.Problem)
			if len(problems) != 1 || problems[0].Pointer != c.pointer || !strings.Contains(problems[0].Problem, c.says) {
				t.Errorf("problems are %v", problems)
			}
			if !strings.Contains(f.Message, c.says) || strings.Contains(f.Message, "hunter2") {
				t.Errorf("the message is %s", f.Message)
			}
		})
	}
}

func TestAllProblemsAreReportedTogether(t *testing.T) {
	_, err := config.Decode([]byte(`{"version":1,"x":1,"profiles":{"a":{"port":"1","mode":"m"}}}`))
	problems, _ := fault.From(err).Details["problems"].([]fault.Problem)
	if len(problems) != 5 {
		t.Errorf("got %v", problems)
	}
}

func TestJSONThatCouldBeReadInTwoWaysIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{
		"a key that stands twice": {`{"version":1,"profiles":{},"profiles":{}}`, `"profiles" stands twice`},
		"another case":            {`{"version":1,"Profiles":{}}`, "unknown key"},
		"trailing bytes":          {`{"version":1}{}`, "follow"},
		"a fraction":              {`{"version":1.0}`, "1.0"},
		"empty":                   {``, "JSON"},
		"a comment":               {"{\"version\":1} // x", "follow"},
		"not UTF-8":               {"{\"version\":1,\"default_profile\":\"\xff\"}", "UTF-8"},
		"a byte order mark":       {"\ufeff{\"version\":1}", "JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Decode([]byte(c.file))
			if fault.CodeOf(err) != fault.Config || !strings.Contains(fault.From(err).Message, c.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(with(`,"tls":{}`)))
	f.Add([]byte(`{"version":1,"secrets":{"s":{"command":["a"]}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := config.Decode(data)
		if err != nil {
			if fault.CodeOf(err) != fault.Config {
				t.Errorf("code %s", fault.CodeOf(err))
			}
			return
		}
		written, err := d.Encode()
		if err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		again, err := config.Decode(written)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := again.Encode(); err != nil || string(second) != string(written) {
			t.Errorf("written twice, it differs: %v", err)
		}
	})
}
