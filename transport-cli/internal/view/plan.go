package view

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/envelope"
	"github.com/forti-mcp/forti/core/plan"
)

// Plan shows a plan: what, for which device, how risky, each operation with its
// difference, with its request's body too where wire is set, and what became of it.
func (p *Page) Plan(v *engine.PlanView, wire bool) {
	if v.PlanID.IsZero() {
		p.Say("nothing would change; no plan was stored")
		p.notes(v.Notes)
		return
	}
	p.Title(own("plan " + v.PlanID.String()))
	p.planFacts(v)
	p.risk(v.Risk)
	for _, op := range v.Operations {
		p.operation(op, wire)
	}
	p.notes(v.Notes)
	for _, text := range v.NotReversible {
		p.Text("not reversible: ", text)
	}
	if v.Execution != nil {
		p.Say("")
		p.Execution(v.Execution)
		p.present(v.Present)
		return
	}
	p.commands(v)
}

func (p *Page) planFacts(v *engine.PlanView) {
	kind := string(v.Kind)
	if !v.Parent.IsZero() {
		kind += " of plan " + v.Parent.String()
	}
	p.Field("kind", kind)
	if v.State != "" {
		p.Field("state", string(v.State))
	}
	if v.CreatedAt != nil {
		p.Field("created", v.CreatedAt.UTC().Format(time.RFC3339))
	}
	if d := v.Device; d != nil {
		p.Field("profile", d.Profile)
		p.Field("device", fmt.Sprintf("%s %s:%d %s build %d, VDOM %s", d.Serial, d.Host, d.Port, d.Version, d.Build, d.VDOM))
	}
	p.Field("mode", string(v.Mode))
	p.Field("digest", v.Digest.String())
	if v.Reason != "" {
		p.Text("the requester claims: ", v.Reason)
	}
	if v.AuditError != "" {
		p.Text("audit: ", v.AuditError)
	}
}

func (p *Page) risk(r *plan.Risk) {
	if r == nil {
		return
	}
	p.Field("risk", string(r.Tier))
	for _, reason := range r.Reasons {
		about := ""
		if reason.Operation >= 0 {
			about = "operation " + strconv.Itoa(reason.Operation) + ": "
		}
		p.Text("  ", fmt.Sprintf("%s (%s) %s%s", reason.Rule, reason.Tier, about, reason.Text))
	}
}

// operation shows one operation with its difference.
func (p *Page) operation(op engine.OperationView, wire bool) {
	p.Say("")
	head := fmt.Sprintf("%s %s %s", op.Op, op.Resource, op.Key.String())
	p.Text(own(fmt.Sprintf("%3d   ", op.Index)), strings.TrimSpace(head)+" ("+string(op.Risk)+")")
	for _, d := range op.Diff {
		from, to := Word(plainOr(d.From)), Word(plainOr(d.To))
		if d.From != nil {
			p.Text("    - ", d.Attribute+": "+from)
		}
		if d.To != nil {
			p.Text("    + ", d.Attribute+": "+to)
		}
	}
	p.Text("      ", requestLine(op.Wire))
	if wire && op.Wire.Body != nil {
		body, err := envelope.JSON(op.Wire.Body)
		if err == nil {
			p.Text("      ", string(body))
		}
	}
}

// requestLine is the request as it goes out, with its query.
func requestLine(w engine.WireView) string {
	query := url.Values{}
	for name, value := range w.Query {
		query.Set(name, value)
	}
	if len(query) == 0 {
		return w.Method + " " + w.Path
	}
	return w.Method + " " + w.Path + "?" + query.Encode()
}

// plainOr is a value as JSON values; one that has none is shown by its kind.
func plainOr(v any) any {
	plain, err := Plain(v)
	if err != nil {
		return fmt.Sprintf("(%T)", v)
	}
	return plain
}

func (p *Page) notes(notes []string) {
	for _, n := range notes {
		p.Text("note: ", n)
	}
}

// present says what the device has now of what is not known.
func (p *Page) present(now *engine.Present) {
	if now == nil {
		return
	}
	p.Say("")
	p.Say("what the device has now of the operations whose outcome is unknown:")
	for _, state := range now.Operations {
		p.Text(own(fmt.Sprintf("  %d: ", state.Index)), state.Text)
	}
	if now.Problem != "" {
		p.Text("  not asked: ", now.Problem)
	}
	p.Text("next: ", now.Next)
}

// commands says what to do next.
func (p *Page) commands(v *engine.PlanView) {
	p.Say("")
	if v.Approve != "" {
		p.Field("approve", v.Approve)
	}
	if v.Apply != "" {
		p.Field("apply", v.Apply)
	}
}
