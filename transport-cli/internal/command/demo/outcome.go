package demo

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/request"
)

func (s *story) approve(ctx context.Context) error {
	a, err := s.consent(ctx, s.plan.PlanID)
	if err != nil {
		return err
	}
	return s.approved(a, s.plan.PlanID)
}

func (s *story) approved(a *engine.Approved, id plan.ID) error {
	if err := claim(a.PlanID == id && a.Have >= a.Need, "plan %s is approved, %d of %d", id, a.Have, a.Need); err != nil {
		return err
	}
	return s.say("Approved until %s. Audit record %d holds the consent.", a.Expires.UTC().Format("2006-01-02 15:04 UTC"), a.Audit.Seq)
}

func (s *story) apply(ctx context.Context) error {
	x, err := s.execute(ctx, s.plan.PlanID)
	if err != nil {
		return err
	}
	s.result = x
	if err := claim(s.Writes() == len(x.Operations), "each operation was sent once: %d operations, %d writes", len(x.Operations), s.Writes()); err != nil {
		return err
	}
	if err := claim(x.Rollback != nil && x.Rollback.PlanID != nil && x.Rollback.Complete, "a complete rollback plan was stored"); err != nil {
		return err
	}
	s.rollback = *x.Rollback.PlanID
	return s.say("Applied; %d of %d verified. Rollback plan %s was stored.", x.Verified, len(x.Operations), s.rollback)
}

func (s *story) readBack(ctx context.Context) error {
	row, err := s.get(ctx, request.Read{Resource: "firewall/address", Key: operation.TextKey(printer)})
	if err != nil {
		return err
	}
	object, _ := row.(map[string]any)
	if err := claim(object["subnet"] == "192.168.10.203 255.255.255.255", "%s has its address, it has %v", printer, object["subnet"]); err != nil {
		return err
	}
	members, err := s.members(ctx)
	if err != nil {
		return err
	}
	if err := claim(slices.Contains(members, printer), "%s is a member of %s", printer, group); err != nil {
		return err
	}
	if err := s.say("%s is %s; members of %s: %s", printer, object["subnet"], group, joined(members)); err != nil {
		return err
	}
	return s.order(ctx)
}

func (s *story) order(ctx context.Context) error {
	policies, err := s.get(ctx, request.Read{Resource: "firewall/policy", Fields: []string{"policyid", "name"}})
	if err != nil {
		return err
	}
	list := names(policies, "name")
	at, last := slices.Index(list, policy), slices.Index(names(policies, "policyid"), strconv.Itoa(catchAll))
	if err := claim(at >= 0 && at == last-1, "%s stands directly before policy %d: %v", policy, catchAll, list); err != nil {
		return err
	}
	return s.say("Policies now: %s", joined(list))
}

func (s *story) audit(ctx context.Context) error {
	report, err := s.Engine.VerifyAudit(ctx)
	if err != nil {
		return err
	}
	if err := claim(!report.Broken() && !report.Torn && len(report.Incomplete) == 0 && report.Head != nil,
		"the audit log is whole: %s %v", report.Problem, report.Incomplete); err != nil {
		return err
	}
	return s.say("%d records, each with the hash of the one before; the newest is %s", report.Records, report.Head.Hash)
}

func (s *story) rollBack(ctx context.Context) error {
	v, err := s.Engine.Show(ctx, s.Caller, s.rollback)
	if err != nil {
		return err
	}
	if err := claim(v.Kind == plan.Rollback && v.Parent == s.plan.PlanID && len(v.NotReversible) == 0,
		"plan %s undoes plan %s completely", s.rollback, s.plan.PlanID); err != nil {
		return err
	}
	if err := s.say("Plan %s undoes it, in %d operations. It needs an approval of its own.", s.rollback, len(v.Operations)); err != nil {
		return err
	}
	a, err := s.consent(ctx, s.rollback)
	if err != nil {
		return err
	}
	if err := s.approved(a, s.rollback); err != nil {
		return err
	}
	_, err = s.execute(ctx, s.rollback)
	return err
}

func (s *story) asBefore(ctx context.Context) error {
	if err := claim(s.Snapshot() == s.before, "the configuration is the one that was found"); err != nil {
		return err
	}
	report, err := s.Engine.VerifyAudit(ctx)
	if err != nil {
		return err
	}
	if err := claim(!report.Broken() && !report.Torn && len(report.Incomplete) == 0, "the audit log is whole: %s", report.Problem); err != nil {
		return err
	}
	return s.say("%s", fmt.Sprintf("Compared in full with what was there at the start. The audit log has %d records of how it got here.", report.Records))
}
