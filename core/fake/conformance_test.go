package fake_test

import (
	"testing"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

func TestDeviceConforms(t *testing.T) {
	porttest.RunDevice(t, porttest.DeviceHarness{New: deviceFixture})
}

func deviceFixture(t *testing.T) porttest.DeviceFixture {
	d, err := fake.NewDevice(fake.DeviceOptions{Rows: fake.Office(), VDOMs: []string{"root", "edge"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Put(fake.At("system/global"), map[string]any{"hostname": "fgt-demo"}); err != nil {
		t.Fatal(err)
	}
	return porttest.DeviceFixture{
		Devices: d, Profile: profile.Profile{Name: "demo", VDOM: "root"}, ForeignVDOM: "none",
		Identity: port.Identity{Serial: "FGT60FTK20000001", Hostname: "fgt-demo", Model: "FGT60F", Version: "v7.4.8", Build: 2795},
		Stored:   func(at port.Location, key operation.Key) (map[string]any, bool) { return d.Row(at, key) },
		Arrived:  func() int { return len(d.Writes()) },
		Arrange: func(_ *testing.T, trouble porttest.Trouble) (func(), bool) {
			f, ok := troubles()[trouble]
			d.Fail(fake.Rule{Fault: f})
			return d.Heal, ok
		},
	}
}

func troubles() map[porttest.Trouble]fake.Fault {
	withoutStatus := fake.Reply(200, exchange.BodyObject, false)
	whole := withoutStatus.Facts
	withoutStatus.Facts = func(e *exchange.Exchange) {
		whole(e)
		e.APIStatus, e.Serial = "", ""
	}
	return map[porttest.Trouble]fake.Fault{
		porttest.RefusedConnection: fake.Refused(),
		porttest.BadCertificate:    fake.BadCertificate(),
		porttest.ResetBefore:       fake.ResetBefore(),
		porttest.ResetAfter:        fake.ResetAfter(),
		porttest.NoAnswer:          fake.HeaderTimeout(false),
		porttest.CutBody:           fake.Truncated(true),
		porttest.LoginPage:         fake.HTML(200, false),
		porttest.RedirectTo:        fake.Redirected(false),
		porttest.Unauthorized:      fake.HTML(401, false),
		porttest.Forbidden:         fake.HTML(403, false),
		porttest.LockedOut:         fake.HTML(429, false),
		porttest.BadGateway:        fake.HTML(502, false),
		porttest.NoStatus:          withoutStatus,
		porttest.AnotherSerial:     fake.OtherSerial(porttest.OtherSerial),
	}
}

// processes opens one state directory as one process after another.
func processes[P any](take func(*fake.State) P) porttest.State[P] {
	return porttest.State[P]{New: func(*testing.T) func() P {
		s := fake.NewState()
		return func() P { return take(s.Another()) }
	}}
}

func TestPlansConform(t *testing.T) {
	porttest.RunPlans(t, processes(func(s *fake.State) port.Plans { return s.Plans() }))
}

func TestPlanSecretsConform(t *testing.T) {
	porttest.RunPlanSecrets(t, processes(func(s *fake.State) port.PlanSecrets { return s.Secrets() }))
}

func TestApprovalsConform(t *testing.T) {
	porttest.RunApprovals(t, processes(func(s *fake.State) port.Approvals { return s.Approvals() }))
}

func TestJournalsConform(t *testing.T) {
	porttest.RunJournals(t, processes(func(s *fake.State) port.Journals { return s.Journals() }))
}

func TestAuditLogConforms(t *testing.T) {
	porttest.RunAuditLog(t, porttest.AuditHarness{New: func(*testing.T) porttest.AuditFixture {
		s := fake.NewState()
		return porttest.AuditFixture{
			Open: func() port.AuditLog { return s.Another().Audit() },
			Damage: func(t *testing.T, change func([]byte) []byte) {
				if err := s.Audit().Tamper(change); err != nil {
					t.Fatal(err)
				}
			},
		}
	}})
}

func TestBackupsConform(t *testing.T) {
	porttest.RunBackups(t, porttest.BackupsHarness{New: func(*testing.T) porttest.BackupsFixture {
		b := fake.NewState().Backups()
		return porttest.BackupsFixture{Backups: b, Kept: func(*testing.T) map[string][]byte {
			kept := map[string][]byte{}
			for _, name := range b.Names() {
				kept[name], _ = b.Content(name)
			}
			return kept
		}}
	}})
}

func TestLocksConform(t *testing.T) {
	porttest.RunLocks(t, porttest.LocksHarness{New: func(*testing.T) porttest.LocksFixture {
		s := fake.NewState()
		return porttest.LocksFixture{
			Open: func() port.Locks { return s.Another().Locks() },
			HoldAndDie: func(t *testing.T, name string) {
				holder := s.Another()
				if _, err := holder.Locks().Lock(t.Context(), name); err != nil {
					t.Fatal(err)
				}
				holder.Crash()
			},
		}
	}})
}

func TestClockConforms(t *testing.T) {
	porttest.RunClock(t, porttest.ClockHarness{
		New:     func(*testing.T) port.Clock { return fake.NewClock(fake.Start) },
		Without: porttest.Without{porttest.RealTime},
	})
}

func TestRandomConforms(t *testing.T) {
	porttest.RunRandom(t, porttest.RandomHarness{New: func(*testing.T) port.Random { return fake.NewRandom(7) }})
}

func TestConstantRandomConforms(t *testing.T) {
	porttest.RunRandom(t, porttest.RandomHarness{
		New: func(*testing.T) port.Random {
			r := fake.NewRandom(7)
			r.Constant(1, 2, 3)
			return r
		},
		Without: porttest.Without{porttest.Chance},
	})
}

func TestProfilesConform(t *testing.T) {
	porttest.RunProfiles(t, porttest.ProfilesHarness{
		New: func(_ *testing.T, defaultName string, list []profile.Profile) port.Profiles {
			return fake.NewProfiles(defaultName, list...)
		},
		Broken: func(*testing.T) port.Profiles {
			p := fake.NewProfiles("")
			p.Break("the file cannot be read")
			return p
		},
	})
}

func TestNamedSecretsConform(t *testing.T) {
	porttest.RunNamedSecrets(t, porttest.NamedSecretsHarness{
		New: func(_ *testing.T, values map[string]string) port.NamedSecrets { return fake.NewNamedSecrets(values) },
		Broken: func(_ *testing.T, name string) port.NamedSecrets {
			n := fake.NewNamedSecrets(map[string]string{name: "x"})
			n.Break(name)
			return n
		},
	})
}

func TestCatalogConforms(t *testing.T) {
	porttest.RunCatalog(t, porttest.CatalogHarness{
		New: func(t *testing.T) port.Catalog {
			c, err := fake.NewCatalog()
			if err != nil {
				t.Fatal(err)
			}
			c.Only("firewall.schedule/recurring", schema.Version{Major: 7, Minor: 2}, schema.Version{})
			return c
		},
		Table: "firewall/address", Singleton: "system/global", Monitor: "monitor/system/status", At: schema.Version{Major: 7, Minor: 4, Patch: 8},
		Gone: "firewall.schedule/recurring", GoneAt: schema.Version{Major: 7, Minor: 0, Patch: 12},
	})
}
