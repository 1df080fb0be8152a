package engine_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// fullBackups is a state that takes no more data.
type fullBackups struct{ port.Backups }

func (fullBackups) Save(context.Context, plan.ID, func(w io.Writer) error) (port.Backup, error) {
	return port.Backup{}, fault.New(fault.Config, "the disk is full")
}

// Each thing that can be wrong is found under its name, with what to do about it, and
// nothing else is blamed.
func TestWhatIsWrongIsFoundWithItsRemedy(t *testing.T) {
	stored := func(r *rig) { r.mustPlan("[" + address("one") + "]") }
	denied := func(path string) func(r *rig) {
		return func(r *rig) {
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Resource: path}, Fault: fake.Reply(403, exchange.BodyJSON, false)})
		}
	}
	tests := []struct {
		name    string
		set     []setting
		prepare func(r *rig)
		check   string
		status  engine.Health
		code    fault.Code
		says    string // of text and remedy
	}{
		{"nothing", nil, stored, "", "", "", ""},
		{"nothing, and nothing stored", nil, nil, "", "", "", ""},
		{"the device is down", nil, func(r *rig) { r.world.Device.Fail(fake.Rule{Fault: fake.Refused()}) }, "device", engine.Bad, fault.DeviceUnreachable, "allow HTTPS administration"},
		{"another certificate", nil, func(r *rig) { r.world.Device.Fail(fake.Rule{Fault: fake.BadCertificate()}) }, "device", engine.Bad, fault.TLS, ""},
		{"the token is refused", nil, func(r *rig) { r.world.Device.Fail(fake.Rule{Fault: fake.Reply(401, exchange.BodyHTML, false)}) }, "device", engine.Bad, fault.Auth, "make a new token"},
		{"a table may not be read", nil, denied("firewall/policy"), "permissions", engine.Warning, "", "may not read firewall/policy"},
		{"the access profile may not write", []setting{knows(
			schema.Resource{Path: "system/api-user", Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{{Name: "name", Type: "string"}, {Name: "accprofile", Type: "string"}}},
			schema.Resource{Path: "system/accprofile", Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{{Name: "name", Type: "string"}, {Name: "fwgrp", Type: "string"}}}),
			row("system/api-user", object{"name": "forti", "accprofile": "viewer"}), row("system/accprofile", object{"name": "viewer", "fwgrp": "read"}),
			owner(func(p *profile.Profile) { p.APIUser = "forti" })}, nil, "write access", engine.Warning, "", "access profile viewer may not write: fwgrp read"},
		{"an API user that is not there", []setting{owner(func(p *profile.Profile) { p.APIUser = "nobody" }), knows(
			schema.Resource{Path: "system/api-user", Kind: schema.Table, Key: "name", KeyType: "string", Attributes: []schema.Attribute{{Name: "name", Type: "string"}}})},
			nil, "write access", engine.Warning, "", "correct api_user"},
		{"changes do not last", []setting{func(o *fake.WorldOptions) {
			o.Device.Rows = append(o.Device.Rows, fake.Row{At: fake.At("system/global"), Object: map[string]any{"cfg-save": "manual"}})
		}}, nil, "cfg-save", engine.Warning, "", "save on the device"},
		{"the log is broken", nil, func(r *rig) {
			stored(r)
			if err := r.world.State.Audit().Tamper(func(data []byte) []byte {
				return []byte(strings.Replace(string(data), "plan.created", "plan.CREATED", 1))
			}); err != nil {
				r.Fatal(err)
			}
		}, "audit log", engine.Bad, fault.Config, "forti audit verify"},
		{"the clock was set back", nil, func(r *rig) { stored(r); r.world.Clock.Set(r.world.Clock.Now().Add(-time.Hour)) }, "clock", engine.Bad, fault.Config, "set the clock"},
		{"the disk is full", nil, func(r *rig) {
			stored(r)
			r.start(func(p *engine.Ports) { p.Backups = fullBackups{p.Backups} })
		}, "state", engine.Bad, fault.Config, "nothing can be planned"},
		{"an outcome is unknown", []setting{mode(profile.Autonomous)}, func(r *rig) {
			id := r.mustPlan("[" + address("one") + "]").PlanID
			r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallSend, Times: 1}, Fault: fake.ResetAfter()})
			_, err := r.apply(id)
			_ = r.wantCode(err, fault.OutcomeUnknown)
		}, "audit log", engine.Warning, "", "outcome of plan"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, tt.set...)
			if tt.prepare != nil {
				tt.prepare(r)
			}
			sent := r.writes()
			var blamed []engine.Finding
			for _, f := range r.engine.Diagnose(t.Context(), "") {
				if f.Status != engine.Good {
					blamed = append(blamed, f)
				}
			}
			if tt.check == "" {
				if len(blamed) != 0 {
					t.Errorf("blamed: %s", show(blamed))
				}
				return
			}
			if len(blamed) != 1 || blamed[0].Check != tt.check || blamed[0].Status != tt.status || blamed[0].Code != tt.code || !strings.Contains(blamed[0].Text+" "+blamed[0].Remedy, tt.says) {
				t.Errorf("want %s %s %s: %s", tt.check, tt.status, tt.code, show(blamed))
			}
			if r.writes() != sent {
				t.Errorf("%d writes", r.writes())
			}
		})
	}
}

func TestAProfileThatIsNotThereIsFound(t *testing.T) {
	r := newRig(t)
	found := r.engine.Diagnose(t.Context(), "nobody")
	last := found[len(found)-1]
	if last.Check != "configuration" || last.Status != engine.Bad || last.Code != fault.NotFound {
		t.Errorf("%s", show(found))
	}
}
