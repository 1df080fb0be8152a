package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// profiles lists the profiles that callers may see.
func (e *Engine) profiles(ctx context.Context) (visible []profile.Profile, byDefault string, err error) {
	all, byDefault, err := e.ports.Profiles.List(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, p := range all {
		if len(e.options.Visible) == 0 || slices.Contains(e.options.Visible, p.Name) {
			visible = append(visible, p)
		}
	}
	return visible, byDefault, nil
}

// profile finds a profile by name; an empty name means the default, or the only one.
func (e *Engine) profile(ctx context.Context, name string) (profile.Profile, error) {
	visible, byDefault, err := e.profiles(ctx)
	if err != nil {
		return profile.Profile{}, err
	}
	if len(visible) == 0 {
		return profile.Profile{}, fault.New(fault.Config, "no profile is configured; run: forti configure%s", e.options.CommandSuffix)
	}
	names := make([]string, 0, len(visible))
	for _, p := range visible {
		names = append(names, p.Name)
	}
	if name == "" && slices.Contains(names, byDefault) {
		name = byDefault
	}
	if name == "" && len(visible) == 1 {
		return visible[0], nil
	}
	for _, p := range visible {
		if p.Name == name {
			return p, nil
		}
	}
	if name == "" {
		return profile.Profile{}, fault.New(fault.Usage, "/profile: several profiles exist and none is the default; name one of %s", strings.Join(names, ", ")).
			With("problems", []fault.Problem{{Pointer: "/profile", Problem: "name one of " + strings.Join(names, ", ")}})
	}
	return profile.Profile{}, fault.New(fault.NotFound, "there is no profile %q; the profiles are %s", name, strings.Join(names, ", ")).
		With("profiles", names)
}

// session is one conversation with one device.
type session struct {
	engine   *Engine
	profile  profile.Profile
	device   attributed
	identity port.Identity
	release  schema.Version
	vdom     string
}

// connect opens the device of a profile and asks who it is. The caller closes the
// session.
func (e *Engine) connect(ctx context.Context, p profile.Profile, vdom string) (*session, error) {
	if vdom != "" && !wire.IsVDOM(vdom) {
		return nil, problem("/vdom", "must be the name of one VDOM: up to 31 letters, digits, '.', '-' or '_'")
	}
	device, err := e.ports.Devices.Open(ctx, p)
	if err != nil {
		return nil, err
	}
	s := &session{engine: e, profile: p, device: attributed{device, p}, vdom: vdom}
	if s.vdom == "" {
		s.vdom = p.VDOM
	}
	if s.identity, err = s.device.Identity(ctx); err != nil {
		s.close()
		return nil, err
	}
	// What a device calls itself stands in plans and on screens: bounded and escaped.
	id := &s.identity
	id.Hostname, id.Model, id.Version = redact.Line(id.Hostname, 64), redact.Line(id.Model, 64), redact.Line(id.Version, 32)
	s.release = id.Release()
	return s, nil
}

// problem is a usage error with one problem.
func problem(at, text string) error {
	var problems fault.Problems
	problems.Add(at, text)
	return problems.Err()
}

// close ends the conversation. A failure to close a connection that is not needed
// any more changes nothing for anybody.
func (s *session) close() { _ = s.device.Close() }

// explain turns the refusal of a VDOM that the request named and the device does not
// have into an error that lists those it has.
func (s *session) explain(ctx context.Context, asked string, err error) error {
	if asked == "" || fault.CodeOf(err) != fault.PermissionDenied {
		return err
	}
	names, failed := s.vdoms(ctx)
	if failed != nil || len(names) == 0 || slices.Contains(names, asked) {
		return err
	}
	return fault.Wrap(err, fault.NotFound, "there is no VDOM %q; the VDOMs are %s", asked, shorten(strings.Join(names, ", "))).With("vdoms", names)
}

// vdomFor is the scope of requests to a resource: none for global ones.
func (s *session) vdomFor(r *schema.Resource) string {
	if r.Scope == "global" {
		return ""
	}
	return s.vdom
}

func (s *session) ref(r *schema.Resource) change.Ref {
	return change.Ref{Resource: r.Path, VDOM: s.vdomFor(r)}
}

// resource describes a path as this device's release has it.
func (s *session) resource(path string) (*schema.Resource, error) {
	if err := s.allowed(path); err != nil {
		return nil, err
	}
	return s.engine.ports.Catalog.Resource(path, s.release)
}

// allowed refuses what the operator put on the profile's deny list: a path, or a
// path with everything below it.
func (s *session) allowed(path string) error {
	return allowed(s.profile, path)
}

func allowed(p profile.Profile, path string) error {
	asked := strings.ToLower(path) // a device may not tell cases apart
	for _, denied := range p.Deny {
		denied = strings.ToLower(denied)
		if asked == denied || strings.HasPrefix(asked, denied+"/") {
			return fault.New(fault.PolicyDenied, "%s is on the deny list of profile %q", path, p.Name).With("reason", "denied_resource")
		}
	}
	return nil
}

func (s *session) meta(path string) *envelope.Meta {
	return &envelope.Meta{
		Profile: s.profile.Name, VDOM: s.vdom, Resource: path,
		Device: &envelope.Device{Serial: s.identity.Serial, Version: s.identity.Version, Build: s.identity.Build},
	}
}

func (s *session) budget() int { return s.profile.Budget(s.engine.options.ResultBytes) }
