package demo

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// What the change is about: a third printer, which the telephones may use.
const (
	printer  = "printer-3"
	service  = "raw-printing"
	group    = "grp-printers"
	policy   = "voice-to-printers"
	catchAll = 99
)

func (s *story) discover(ctx context.Context) error {
	found, err := s.Engine.Discover(ctx, s.Caller, request.Discover{What: request.Capabilities, Profile: s.Profile})
	if err != nil {
		return err
	}
	plain, err := view.Plain(found.Data)
	if err != nil {
		return err
	}
	device, _ := plain.(map[string]any)
	if err := claim(device["serial"] == s.Serial && device["mode"] == "guarded", "the device is %s, in guarded mode", s.Serial); err != nil {
		return err
	}
	if err := s.say("%s %s, serial %s, FortiOS %s; mode %s", view.Word(device["model"]), view.Word(device["hostname"]),
		view.Word(device["serial"]), view.Word(device["version"]), view.Word(device["mode"])); err != nil {
		return err
	}
	return s.search(ctx)
}

func (s *story) search(ctx context.Context) error {
	found, err := s.Engine.Discover(ctx, s.Caller, request.Discover{What: request.Resources, Query: "firewall address", Kind: "table", Count: 3})
	if err != nil {
		return err
	}
	plain, err := view.Plain(found.Data)
	if err != nil {
		return err
	}
	paths := names(plain, "path")
	if err := claim(slices.Contains(paths, "firewall/address"), "a search for \"firewall address\" finds it"); err != nil {
		return err
	}
	return s.say("A search for \"firewall address\" in the catalog finds %s …", joined(paths))
}

func (s *story) read(ctx context.Context) error {
	policies, err := s.get(ctx, request.Read{Resource: "firewall/policy", Fields: []string{"policyid", "name"}})
	if err != nil {
		return err
	}
	members, err := s.members(ctx)
	if err != nil {
		return err
	}
	ids := names(policies, "policyid")
	if err := claim(len(ids) > 0 && ids[len(ids)-1] == strconv.Itoa(catchAll), "the last policy is %d", catchAll); err != nil {
		return err
	}
	if err := s.say("Policies, in the order in which they match: %s", joined(names(policies, "name"))); err != nil {
		return err
	}
	return s.say("Members of %s: %s", group, joined(members))
}

func (s *story) members(ctx context.Context) ([]string, error) {
	row, err := s.get(ctx, request.Read{Resource: "firewall/addrgrp", Key: operation.TextKey(group)})
	if err != nil {
		return nil, err
	}
	object, _ := row.(map[string]any)
	return names(object["member"], "name"), nil
}

// change is the request that a person or a model would make.
func (s *story) change() request.Plan {
	named := func(name string) []any { return []any{map[string]any{"name": name}} }
	return request.Plan{
		Profile: s.Profile,
		Reason:  "the telephones print on the new printer",
		Operations: []request.Operation{
			{Op: "create", Resource: "firewall/address", Object: map[string]any{
				"name": printer, "subnet": "192.168.10.203/32", "comment": "third floor",
			}},
			{Op: "create", Resource: "firewall.service/custom", Object: map[string]any{
				"name": service, "tcp-portrange": "9100", "comment": "printers",
			}},
			{Op: "update", Resource: "firewall/addrgrp", Key: operation.TextKey(group), Add: map[string][]any{"member": named(printer)}},
			{Op: "create", Resource: "firewall/policy", Object: map[string]any{
				"name": policy, "srcintf": named("inside"), "dstintf": named("lan"), "srcaddr": named("net-voice"),
				"dstaddr": named(group), "service": named(service), "schedule": "always", "action": "accept", "logtraffic": "all",
			}, Position: &request.Position{Before: operation.IntegerKey(catchAll)}},
		},
	}
}

func (s *story) makePlan(ctx context.Context) error {
	v, err := s.Engine.Plan(ctx, s.Caller, s.change())
	if err != nil {
		return err
	}
	s.plan = v
	var sources []string
	for _, op := range v.Operations {
		if !slices.Contains(sources, op.Source) {
			sources = append(sources, op.Source)
		}
	}
	if err := claim(len(sources) == 4, "the plan has what the four operations asked for, it has %v", sources); err != nil {
		return err
	}
	if err := s.untouched(); err != nil {
		return err
	}
	for _, line := range v.Summary {
		if err := s.say("%s", redact.Line(line, lineLimit)); err != nil {
			return err
		}
	}
	return s.say("Plan %s, risk %s. Nothing was sent to the device but reads.", v.PlanID, v.Risk.Tier)
}

// lineLimit is how much of a summary the story tells, in columns; the screen of
// the approval has all of it.
const lineLimit = 100

func (s *story) untouched() error {
	if err := claim(s.Writes() == 0, "no write has reached the device, it counts %d", s.Writes()); err != nil {
		return err
	}
	return claim(s.Snapshot() == s.before, "the configuration is untouched")
}

func (s *story) refused(ctx context.Context) error {
	_, err := s.Engine.Apply(ctx, s.Caller, request.Apply{PlanID: s.plan.PlanID.String()}, nil)
	f := fault.From(err)
	if err := claim(f != nil && f.Code == fault.ApprovalRequired && f.Details["reason"] == "missing",
		"an apply without an approval is refused, it gave %v", err); err != nil {
		return err
	}
	if err := s.untouched(); err != nil {
		return err
	}
	return s.say("%s", f.Message)
}

// progress tells of each operation that has ended.
type progress struct{ story *story }

// Step tells how an operation ended; the other news are left to the real command.
func (l progress) Step(_ context.Context, n port.Step) {
	if n.Stage == port.StageDone {
		what, _, _ := strings.Cut(n.Text, " (")
		_ = l.story.say("operation %d, %d of %d: %s: %s", n.Operation, n.Operation+1, n.Of, what, n.Status) // a broken output shows at the next line
	}
}
