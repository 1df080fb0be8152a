package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/engine"
)

// Execution shows what an apply did.
func (p *Page) Execution(x *engine.Execution) {
	p.Field("plan", x.PlanID.String())
	p.Field("status", x.Status)
	rows := make([][]string, 0, len(x.Operations))
	for _, r := range x.Operations {
		rows = append(rows, []string{
			strconv.Itoa(r.Index), string(r.Op), r.Resource, r.Key.String(), string(r.Status),
		})
	}
	p.Table([]string{"#", "op", "resource", "key", "status"}, rows)
	for _, r := range x.Operations {
		if text := remark(r); text != "" {
			p.Text(own(fmt.Sprintf("  %d: ", r.Index)), text)
		}
	}
	if x.ReachableAt != "" {
		p.Field("reachable", "at "+x.ReachableAt)
	}
	p.undo(x.Rollback)
	if x.Backup != nil {
		p.Field("backup", x.Backup.Name+" "+x.Backup.Digest.String())
	}
	if x.Audit != nil {
		p.Field("audit", strconv.FormatUint(x.Audit.Seq, 10)+" "+x.Audit.Hash.String())
	}
	if x.AuditError != "" {
		p.Text("audit: ", x.AuditError)
	}
	p.notes(x.Notes)
}

// remark is what is worth saying about one operation's end.
func remark(r engine.OperationResult) string {
	var words []string
	if len(r.Mismatch) > 0 {
		words = append(words, "differs: "+strings.Join(r.Mismatch, ", "))
	}
	if len(r.Unverified) > 0 {
		words = append(words, "not verified: "+strings.Join(r.Unverified, ", "))
	}
	if len(r.SideEffects) > 0 {
		words = append(words, strings.Join(r.SideEffects, ", "))
	}
	if r.Message != "" {
		words = append(words, r.Message)
	}
	if r.DeviceText != "" {
		words = append(words, "device says: "+r.DeviceText)
	}
	if r.HTTPStatus >= 400 {
		words = append(words, fmt.Sprintf("HTTP %d", r.HTTPStatus))
	}
	return strings.Join(words, "; ")
}

func (p *Page) undo(r *engine.RollbackRef) {
	if r == nil {
		return
	}
	text := "none: nothing can be reversed"
	if r.PlanID != nil {
		text = "plan " + r.PlanID.String()
	}
	p.Field("rollback", text)
	for _, text := range r.NotReversible {
		p.Text("not reversible: ", text)
	}
}
