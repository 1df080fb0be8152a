// Package screen renders a stored plan for the human who is asked to approve it.
//
// The text is made from the plan alone, never from what a model says about it.
// Every string that a plan, a device or a client chose is escaped and stands
// behind a gutter, on wrapped lines too, so that no value can draw a line of its
// own: only the program's own words begin in the first column. There is no other
// way to write: text of others has to pass through package redact to become a
// line, and the compiler sees to it.
package screen

import (
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
)

// Widths in columns.
const (
	DefaultWidth = 80
	MinWidth     = 40
)

// Backup says what happens to the configuration before the plan runs.
type Backup string

// The states of a backup.
const (
	// BackupTaken: it is saved first, and the plan does not run if that fails.
	BackupTaken Backup = "taken"
	// BackupOff: the operator switched it off.
	BackupOff Backup = "off"
	// BackupUnneeded: the plan is below critical.
	BackupUnneeded Backup = "unneeded"
)

// Sheet is everything that a screen shows.
type Sheet struct {
	Plan   *plan.Plan
	Digest canon.Digest
	Mode   profile.Mode
	// Now is the time of showing, for ages.
	Now time.Time
	// Reason is what the requester claims; it is shown last, as a claim.
	Reason string
	Backup Backup
	// Need and Have count approvals; Signed ones carry a signature each.
	Need, Have int
	Signed     bool
	// Signers is the list of those who may sign.
	Signers approval.Signers
	// Audit is the newest record of the audit log; the zero value is not shown.
	Audit audit.Head
	// Recent names the plans applied to the device within 24 hours, Unresolved
	// those whose outcome is unknown; Pending counts other plans that wait.
	Recent     []string
	Unresolved []string
	Pending    int
	// Schema describes a resource; nil, or a nil answer, where that is unknown.
	Schema func(path string) *schema.Resource
	// Wide adds the bodies of the requests and full texts of long values.
	Wide bool
}

// Page is a rendered screen.
type Page struct {
	// Text is the whole, lines ended by LF, no other control character.
	Text string
	// Header is the device again, to be shown above the prompt.
	Header string
	// Operations counts the operations shown.
	Operations int
}

// Render draws a sheet for a terminal of width columns; 0 stands for 80, and
// nothing is drawn narrower than 40. It is a function of its arguments.
func Render(s Sheet, width int) Page {
	if width == 0 {
		width = DefaultWidth
	}
	r := &renderer{Sheet: s, writer: writer{width: max(width, MinWidth)}}
	r.device()
	header := r.text.String()
	r.title()
	r.findings()
	r.deletes()
	r.operations()
	r.limits()
	r.surroundings()
	r.notices()
	r.consent()
	r.claim()
	return Page{Text: r.text.String(), Header: header, Operations: len(s.Plan.Operations)}
}

type renderer struct {
	Sheet
	writer
}

// resource is the description of an operation's resource, nil where unknown.
func (r *renderer) resource(path string) *schema.Resource {
	if r.Schema == nil {
		return nil
	}
	return r.Schema(path)
}
