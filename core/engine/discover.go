package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

// Discover answers the four look-ups of request.Discover.
func (e *Engine) Discover(ctx context.Context, _ Caller, r request.Discover) (Found, error) {
	if err := e.decoder.Check(&r); err != nil {
		return Found{}, err
	}
	if err := misplacedArguments(r); err != nil {
		return Found{}, err
	}
	switch r.What {
	case request.Devices:
		return e.discoverDevices(ctx, r.Profile)
	case request.Capabilities:
		return e.discoverCapabilities(ctx, r)
	case request.Resources:
		return e.discoverResources(ctx, r)
	case request.Resource:
		return e.discoverResource(ctx, r)
	}
	return Found{}, fault.New(fault.Usage, "/what: unknown look-up %q", r.What)
}

// misplacedArguments refuses arguments that the look-up would silently ignore.
func misplacedArguments(r request.Discover) error {
	var problems fault.Problems
	only := func(given bool, name string, with ...request.What) {
		if given && !slices.Contains(with, r.What) {
			words := make([]string, 0, len(with))
			for _, w := range with {
				words = append(words, string(w))
			}
			problems.Add("/"+name, "belongs to what="+strings.Join(words, " and what="))
		}
	}
	only(r.Query != "", "query", request.Resources)
	only(r.Kind != "", "kind", request.Resources)
	only(r.Start != 0, "start", request.Resources)
	only(r.Count != 0, "count", request.Resources)
	only(r.Resource != "", "resource", request.Resource)
	only(len(r.Fields) > 0, "fields", request.Resource)
	only(r.Live, "live", request.Resource)
	if r.What == request.Resource && r.Resource == "" {
		problems.Add("/resource", "is required for what=resource")
	}
	return problems.Err()
}

type deviceLine struct {
	Name    string       `json:"name"`
	Host    string       `json:"host"`
	Port    int          `json:"port"`
	VDOM    string       `json:"vdom"`
	Mode    profile.Mode `json:"mode"`
	Default bool         `json:"default,omitempty"`
}

// discoverDevices lists the profiles, or one that is named.
func (e *Engine) discoverDevices(ctx context.Context, name string) (Found, error) {
	profiles, byDefault, err := e.profiles(ctx)
	if err == nil && name != "" {
		profiles = make([]profile.Profile, 1)
		profiles[0], err = e.profile(ctx, name)
	}
	if err != nil {
		return Found{}, err
	}
	lines := make([]deviceLine, 0, len(profiles))
	for _, p := range profiles {
		lines = append(lines, deviceLine{p.Name, p.Host, p.Port, p.VDOM, p.Mode, p.Name == byDefault})
	}
	kept, err := envelope.Fit(lines, profile.Profile{}.Budget(e.options.ResultBytes))
	if err != nil {
		return Found{}, err
	}
	meta := &envelope.Meta{}
	if total := len(lines); kept < total {
		meta.Returned, meta.Total, meta.Truncated = &kept, &total, "byte_budget"
		meta.Notes = []string{"there are more profiles than fit; name one in profile"}
	}
	return Found{Data: lines[:kept], Meta: meta}, nil
}

type capabilities struct {
	Profile  string       `json:"profile"`
	Mode     profile.Mode `json:"mode"`
	Hostname string       `json:"hostname"`
	Model    string       `json:"model"`
	Serial   string       `json:"serial"`
	Version  string       `json:"version"`
	Build    int          `json:"build"`
	Catalog  string       `json:"catalog_version"`
	Compared string       `json:"compared"`
	Meaning  string       `json:"meaning"`
	VDOM     string       `json:"vdom"`
	// VDOMs is left out where the token may not see the list.
	VDOMs []string `json:"vdoms,omitempty"`
	// HA is left out where the token may not see it.
	HA        *clusterRole   `json:"ha,omitempty"`
	Resources map[string]int `json:"known_resources"`
}

func (e *Engine) discoverCapabilities(ctx context.Context, r request.Discover) (Found, error) {
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return Found{}, err
	}
	s, err := e.connect(ctx, p, "")
	if err != nil {
		return Found{}, err
	}
	defer s.close()
	info, id := e.ports.Catalog.Info(), s.identity
	compared, meaning := compareReleases(s.release, info.Newest)
	vdoms, err := s.vdoms(ctx)
	if err != nil {
		return Found{}, err
	}
	role, err := s.clusterRole(ctx)
	if err != nil {
		return Found{}, err
	}
	meta := s.meta("")
	if role == nil {
		meta.Notes = append(meta.Notes, "the token may not see whether the device is a member of a high-availability cluster")
	}
	c := capabilities{
		Profile: p.Name, Mode: p.Mode, Hostname: id.Hostname, Model: id.Model, Serial: id.Serial, Version: id.Version,
		Build: id.Build, Catalog: info.Newest.String(), Compared: compared, Meaning: meaning, VDOM: s.vdom, VDOMs: vdoms, HA: role,
		Resources: map[string]int{"table": info.Tables, "singleton": info.Singletons, "monitor": info.Monitors},
	}
	return Found{Data: c, Meta: meta}, nil
}

func compareReleases(device, newest schema.Version) (compared, meaning string) {
	switch c := device.Compare(newest); {
	case device.IsZero():
		return "unknown", "the device's version is of an unusual form; everything that the catalog knows is offered"
	case c == 0:
		return "same", "the catalog describes this release"
	case c > 0:
		return "device_newer", "the catalog is older than the device: what this release added is not known and cannot be planned"
	}
	return "device_older", "the catalog covers this release: attributes and options that it lacks are refused when planning"
}

// vdoms lists the virtual domains; nil where the token may not see them.
func (s *session) vdoms(ctx context.Context) ([]string, error) {
	var names []string
	_, err := s.device.List(ctx, port.ListQuery{At: port.Location{Resource: "system/vdom"}, Fields: []string{"name"}}, func(row map[string]any) bool {
		if name, ok := row["name"].(string); ok {
			names = append(names, name)
		}
		return len(names) < 1000
	})
	return names, tolerate(err)
}

func (e *Engine) discoverResources(ctx context.Context, r request.Discover) (Found, error) {
	hits := e.ports.Catalog.Search(r.Query, schema.Kind(r.Kind))
	total := len(hits)
	count := r.Count
	if count == 0 {
		count = request.DefaultCount
	}
	start := min(r.Start, total)
	page := hits[start:min(start+count, total)]
	budget, err := e.localBudget(ctx, r.Profile)
	if err != nil {
		return Found{}, err
	}
	kept, err := envelope.Fit(page, budget)
	if err != nil {
		return Found{}, err
	}
	meta := &envelope.Meta{Start: &r.Start, Returned: &kept, Total: &total}
	if end := start + kept; end < total {
		meta.NextStart = &end
		meta.Truncated = "count"
		if kept < len(page) {
			meta.Truncated = "byte_budget"
		}
	}
	return Found{Data: page[:kept], Meta: meta}, nil
}

// localBudget is the byte budget of answers that need no device: a named profile's,
// else the default.
func (e *Engine) localBudget(ctx context.Context, name string) (int, error) {
	if name == "" {
		return profile.Profile{}.Budget(e.options.ResultBytes), nil
	}
	p, err := e.profile(ctx, name)
	if err != nil {
		return 0, err
	}
	return p.Budget(e.options.ResultBytes), nil
}

func (e *Engine) discoverResource(ctx context.Context, r request.Discover) (Found, error) {
	if !r.Live {
		return e.describeFromCatalog(ctx, r)
	}
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return Found{}, err
	}
	s, err := e.connect(ctx, p, "")
	if err != nil {
		return Found{}, err
	}
	defer s.close()
	resource, err := s.resource(r.Resource)
	if err != nil {
		return Found{}, err
	}
	live, err := s.device.Schema(ctx, port.Location{Resource: resource.Path, VDOM: s.vdomFor(resource)})
	if err != nil {
		return Found{}, err
	}
	return describe(resource, r.Fields, hideLive(s.whole(resource), live), s.meta(resource.Path), s.budget())
}

// describeFromCatalog answers without a device: the newest release, or all of them
// where the newest has no such resource any more.
func (e *Engine) describeFromCatalog(ctx context.Context, r request.Discover) (Found, error) {
	budget, err := e.localBudget(ctx, r.Profile)
	if err != nil {
		return Found{}, err
	}
	resource, err := e.ports.Catalog.Resource(r.Resource, e.ports.Catalog.Info().Newest)
	if f := fault.From(err); f != nil && f.Details["releases"] != nil {
		resource, err = e.ports.Catalog.Resource(r.Resource, schema.Version{})
	}
	if err != nil {
		return Found{}, err
	}
	return describe(resource, r.Fields, nil, &envelope.Meta{Resource: r.Resource}, budget)
}
