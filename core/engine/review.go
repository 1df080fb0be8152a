package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/screen"
)

// Review gives the approval screen of a plan for a terminal of width columns
// (0: 80; nothing is drawn narrower than 40) and the digest that an approval must
// name. wide adds the bodies of the requests. What is shown, hashed and approved
// comes from one reading of the plan.
func (e *Engine) Review(ctx context.Context, c Caller, id plan.ID, width int, wide bool) (*Review, error) {
	s, p, err := e.approvable(ctx, c, id)
	if err != nil {
		return nil, err
	}
	v, _, err := e.consent(ctx, s, p)
	if err != nil {
		return nil, err
	}
	recent, unresolved, pending, err := e.recent(ctx, s)
	if err != nil {
		return nil, err
	}
	var list approval.Signers
	if p.Approval.Signers != "" && e.ports.Verifier != nil {
		if list, err = e.ports.Verifier.Signers(ctx, p); err != nil {
			return nil, err
		}
	}
	head, _, err := e.ports.Audit.Head(ctx)
	if err != nil {
		return nil, err
	}
	have := 0
	if v.Reason == approval.Missing {
		have = v.Have
	}
	page := screen.Render(screen.Sheet{
		Plan: s.Plan, Digest: s.digest, Mode: p.Mode, Now: e.ports.Clock.Now(), Reason: s.remarks.Reason,
		Backup: backupState(s.Plan, p), Need: p.Approval.Need(), Have: have, Signed: p.Approval.Signers != "", Signers: list, Audit: head,
		Recent: recent, Unresolved: unresolved, Pending: pending, Schema: e.schemaFor(s), Wide: wide,
	}, width)
	return &Review{
		PlanID: id, Digest: s.digest, Screen: page.Text, Header: page.Header, Tier: s.Risk.Tier, Profile: p.Name,
		Serial: s.Device.Serial, Mode: p.Mode, Need: p.Approval.Need(), Signers: p.Approval.Signers, List: list,
		Lockout: lockout(s.Plan), Operations: page.Operations,
	}, nil
}

// resourceLookup describes a path, or gives nil.
type resourceLookup func(path string) *schema.Resource

func (e *Engine) schemaFor(s *stored) resourceLookup {
	release, _ := schema.ParseVersion(s.Device.Version)
	return func(path string) *schema.Resource {
		r, err := e.ports.Catalog.Resource(path, release)
		if err != nil {
			return nil
		}
		return r
	}
}

func backupState(p *plan.Plan, owner profile.Profile) screen.Backup {
	switch {
	case !p.IsCritical():
		return screen.BackupUnneeded
	case owner.NoBackup:
		return screen.BackupOff
	}
	return screen.BackupTaken
}
