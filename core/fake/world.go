package fake

import (
	"sync/atomic"
	"time"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// WorldOptions say how a world begins. The zero value is a guarded profile
// "demo" of an empty office FortiGate.
type WorldOptions struct {
	// Profile is the one profile; a zero Name, Host, Port, VDOM, Mode, Trust or
	// Timeout is filled in.
	Profile profile.Profile
	// Device describes the device; Rows that are nil become [Office].
	Device DeviceOptions
	// Named are the operator's listed secrets.
	Named map[string]string
	// Signers may sign approvals.
	Signers []string
	// Start is the time at the beginning; zero means [Start].
	Start time.Time
}

// World is a matching set of all fakes: one device, one profile, one process.
type World struct {
	Profiles *Profiles
	Device   *Device
	Catalog  port.Catalog
	State    *State
	Named    *NamedSecrets
	Verifier *Verifier
	Clock    *Clock
	Random   *Random
	Progress *Progress
	process  *process
}

// process is the one that the device listens to.
type process struct{ state atomic.Pointer[State] }

// Ports are the fakes as ports. The type has the same fields as the engine's, so
// that engine.Ports(world.Ports()) converts it.
type Ports struct {
	Profiles  port.Profiles
	Devices   port.Devices
	Catalog   port.Catalog
	Plans     port.Plans
	Secrets   port.PlanSecrets
	Approvals port.Approvals
	Journals  port.Journals
	Audit     port.AuditLog
	Backups   port.Backups
	Locks     port.Locks
	Named     port.NamedSecrets
	Verifier  port.Verifier
	Clock     port.Clock
	Random    port.Random
}

// NewWorld makes a set. It fails where the device's first rows do not fit.
func NewWorld(o WorldOptions) (*World, error) {
	p := &process{}
	p.state.Store(NewState())
	if o.Device.Rows == nil {
		o.Device.Rows = Office()
	}
	o.Device.Halted = func() bool { return p.state.Load().Crashed() }
	device, err := NewDevice(o.Device)
	if err != nil {
		return nil, err
	}
	one := filledProfile(o.Profile)
	return &World{
		Profiles: NewProfiles(one.Name, one), Device: device, Catalog: device.Catalog(), State: p.state.Load(),
		Named: NewNamedSecrets(o.Named), Verifier: NewVerifier(o.Signers...),
		Clock: NewClock(o.Start), Random: NewRandom(1), Progress: &Progress{}, process: p,
	}, nil
}

func filledProfile(p profile.Profile) profile.Profile {
	p.Name, p.Host, p.VDOM = or(p.Name, "demo"), or(p.Host, "192.0.2.1"), or(p.VDOM, profile.DefaultVDOM)
	p.Trust = or(p.Trust, "spki-sha256:0000000000000000000000000000000000000000000000000000000000000000")
	if p.Mode == "" {
		p.Mode = profile.Guarded
	}
	if p.Port == 0 {
		p.Port = profile.DefaultPort
	}
	if p.Timeout == 0 {
		p.Timeout = profile.DefaultTimeout
	}
	if p.MaxOperations == 0 {
		p.MaxOperations = profile.MaxOperations
	}
	return p
}

// Ports are the world's ports.
func (w *World) Ports() Ports {
	return Ports{
		Profiles: w.Profiles, Devices: w.Device, Catalog: w.Catalog, Plans: w.State.Plans(), Secrets: w.State.Secrets(),
		Approvals: w.State.Approvals(), Journals: w.State.Journals(), Audit: w.State.Audit(), Backups: w.State.Backups(),
		Locks: w.State.Locks(), Named: w.Named, Verifier: w.Verifier, Clock: w.Clock, Random: w.Random,
	}
}

// Restart ends the process and starts the next one: the device, the clock and
// what was durable stay. Ports taken before are dead; the result and w are the same.
func (w *World) Restart() *World {
	w.State = w.State.Restart()
	w.process.state.Store(w.State)
	return w
}

// Office is the first rows of a small office's device: two interfaces, the
// objects that every FortiGate has, a default route and one policy.
func Office() []Row {
	at := func(path string) port.Location { return port.Location{Resource: path} }
	return []Row{
		{at("system/interface"), map[string]any{"name": "port1", "vdom": "root", "type": "physical", "ip": "192.0.2.1 255.255.255.0", "allowaccess": "ping https ssh", "role": "lan"}},
		{at("system/interface"), map[string]any{"name": "port2", "vdom": "root", "type": "physical", "ip": "198.51.100.2 255.255.255.252", "role": "wan"}},
		{at("firewall/address"), map[string]any{"name": "all"}},
		{at("firewall/address"), map[string]any{"name": "lan", "subnet": "192.0.2.0 255.255.255.0"}},
		{at("firewall.service/custom"), map[string]any{"name": "ALL", "protocol": "IP"}},
		{at("firewall.service/custom"), map[string]any{"name": "HTTPS", "tcp-portrange": "443"}},
		{at("firewall.schedule/recurring"), map[string]any{"name": "always", "day": "sunday monday tuesday wednesday thursday friday saturday"}},
		{at("router/static"), map[string]any{"seq-num": 1, "gateway": "198.51.100.1", "device": "port2"}},
		{at("firewall/policy"), map[string]any{
			"policyid": 1, "name": "out", "srcintf": rowsOf("port1"), "dstintf": rowsOf("port2"), "srcaddr": rowsOf("lan"), "dstaddr": rowsOf("all"),
			"action": "accept", "schedule": "always", "service": rowsOf("ALL"), "nat": "enable",
		}},
	}
}

func rowsOf(list ...string) []any {
	rows := make([]any, len(list))
	for i, n := range list {
		rows[i] = map[string]any{"name": n}
	}
	return rows
}

// At is a location in the management domain.
func At(resource string) port.Location { return port.Location{Resource: resource} }

// Key is a text key; ID an integer key.
func Key(text string) operation.Key { return operation.TextKey(text) }

// ID is an integer key.
func ID(n int64) operation.Key { return operation.IntegerKey(n) }
