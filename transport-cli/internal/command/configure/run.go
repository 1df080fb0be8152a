package configure

import (
	"context"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// firstName is the name of a profile that nobody named.
const firstName = "default"

// Result is the answer of the command.
type Result struct {
	Profile string       `json:"profile"`
	Host    string       `json:"host"`
	Port    int          `json:"port"`
	Mode    profile.Mode `json:"mode"`
	// Trust is "pin", "ca_file" or "system".
	Trust string `json:"trust"`
	Pin   string `json:"pin_sha256,omitempty"`
	File  string `json:"file"`
	// Tested is what the device answered; left out where it was not asked.
	Tested any `json:"tested,omitempty"`
}

func run(ctx context.Context, o *Options) error {
	store, err := o.Store()
	if err != nil {
		return err
	}
	if o.Name == "" {
		o.Name = o.Profile
	}
	now, known, err := store.Profile(ctx, o.Name)
	if err != nil {
		return err
	}
	if now.Name == "" {
		now.Name = firstName
	}
	if err := o.ask(ctx, now); err != nil {
		return err
	}
	next, err := o.merge(now)
	if err != nil {
		return err
	}
	moved := known && (next.Host != now.Host || port(next) != port(now))
	if next, err = o.trust(ctx, next, known && !moved); err != nil {
		return err
	}
	if err := o.keep(ctx, next); err != nil {
		return err
	}
	path, err := o.save(ctx, store, next)
	if err != nil {
		return err
	}
	var tested any
	if !o.NoTest {
		tested, err = o.test(ctx, next.Name)
		if fault.CodeOf(err) == fault.TLS && !o.trustGiven() {
			next, tested, err = o.replaced(ctx, store, next, err)
		}
		if err != nil {
			o.Tell(func(p *view.Page) { p.Text("the profile is saved, but the test of the connection failed: ", path) })
			return err
		}
	}
	r := result(next, path, tested)
	return o.Answer(r, nil, func(p *view.Page) { draw(p, r) })
}

// save makes or replaces the profile and puts that on record.
func (o *Options) save(ctx context.Context, store Store, next Profile) (string, error) {
	path, err := store.Save(ctx, next)
	if err != nil {
		return "", asUsage(err)
	}
	if err := o.record(ctx, next); err != nil {
		o.Tell(func(p *view.Page) {
			p.Text("the profile is saved, but the audit log could not take the change: ", fault.From(err).Message)
		})
	}
	return path, nil
}

func result(p Profile, path string, tested any) Result {
	r := Result{Profile: p.Name, Host: p.Host, Port: port(p), Mode: p.Mode, Trust: "system", Pin: p.Trust.Pin, File: path, Tested: tested}
	switch {
	case p.Trust.Pin != "":
		r.Trust = "pin"
	case p.Trust.CAFile != "":
		r.Trust = "ca_file"
	}
	return r
}

func port(p Profile) int {
	if p.Port == 0 {
		return profile.DefaultPort
	}
	return p.Port
}

// record puts the change on record. The configuration is the operator's: where the
// log cannot be written, that is told and changes nothing else.
func (o *Options) record(ctx context.Context, p Profile) error {
	e, err := o.Open(ctx)
	if err != nil {
		return err
	}
	return e.RecordConfig(ctx, o.Caller, p.Name, p.Mode)
}

// test asks the device who it is, through the profile as it was saved.
func (o *Options) test(ctx context.Context, name string) (any, error) {
	e, err := o.Open(ctx)
	if err != nil {
		return nil, err
	}
	found, err := e.Discover(ctx, o.Caller, request.Discover{What: request.Capabilities, Profile: name})
	if err != nil {
		return nil, err
	}
	return view.Plain(found.Data)
}

// asUsage is a refusal of values as the caller's mistake: they came from flags.
func asUsage(err error) error {
	f := fault.From(err)
	if _, listed := f.Details["problems"]; f.Code != fault.Config || !listed {
		return err
	}
	return fault.Wrap(err, fault.Usage, "%s", f.Message).With("problems", f.Details["problems"])
}

func draw(p *view.Page, r Result) {
	p.Field("profile", r.Profile)
	p.Field("mode", string(r.Mode))
	p.Field("trust", r.Trust)
	if r.Pin != "" {
		p.Field("pin", r.Pin)
	}
	p.Field("saved in", r.File)
	tested, ok := r.Tested.(map[string]any)
	if !ok {
		p.Say("not tested")
		return
	}
	p.Field("device", view.Word(tested["serial"])+" "+view.Word(tested["model"])+" "+view.Word(tested["version"]))
	p.Field("hostname", view.Word(tested["hostname"]))
	p.Field("catalog", view.Word(tested["meaning"]))
}
