// Package audit is the hash-chained account of everything that was planned,
// approved, refused and applied.
package audit

import (
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

// Format is the version of the records.
const Format = 1

// Event names what a record tells.
type Event string

// The events.
const (
	PlanCreated     Event = "plan.created"
	ApprovalGranted Event = "approval.granted"
	ApprovalRefused Event = "approval.refused"
	ApprovalRevoked Event = "approval.revoked"
	ApplyBegin      Event = "apply.begin"
	ApplyEnd        Event = "apply.end"
	ApplyRefused    Event = "apply.refused"
	ApplyAborted    Event = "apply.aborted"
	ApplyRecovered  Event = "apply.recovered"
	ConfigChanged   Event = "config.changed"
	StatePruned     Event = "state.pruned"
	BackupSaved     Event = "backup.saved"
	BackupRemoved   Event = "backup.removed"
	Rotated         Event = "audit.rotated"
	Repaired        Event = "audit.repaired"
	Gap             Event = "audit.gap"
)

// Entry is what a caller tells the log; the log adds its place in the chain.
type Entry struct {
	Event Event `json:"event"`
	// At is UTC; Boot and BootTime (microseconds: nanoseconds would not fit into a
	// canonical number after 104 days) are the boot-time clock.
	At       time.Time `json:"ts"`
	Boot     string    `json:"boot,omitempty"`
	BootTime int64     `json:"bt,omitempty"`
	// Program wrote the record; Client is what an MCP client calls itself, not
	// verified; User and Host are the operating system's.
	Program string `json:"prog,omitempty"`
	PID     int    `json:"pid,omitempty"`
	UID     int    `json:"uid"`
	User    string `json:"user,omitempty"`
	Host    string `json:"host,omitempty"`
	Client  string `json:"client,omitempty"`

	PlanID  plan.ID      `json:"plan_id,omitzero"`
	Digest  canon.Digest `json:"digest,omitzero"`
	Kind    plan.Kind    `json:"kind,omitempty"`
	Parent  plan.ID      `json:"parent,omitzero"`
	Profile string       `json:"profile,omitempty"`
	Serial  string       `json:"serial,omitempty"`
	VDOM    string       `json:"vdom,omitempty"`
	Mode    profile.Mode `json:"mode,omitempty"`
	Risk    plan.Tier    `json:"risk,omitempty"`
	// Reason is the requester's own words, escaped and capped. Untrusted.
	Reason string `json:"reason,omitempty"`

	Approval *ApprovalRef `json:"approval,omitempty"`
	Ops      []Op         `json:"ops,omitempty"`

	// State and Code are the result of an apply or the cause of a refusal.
	State    apply.State  `json:"outcome,omitempty"`
	Code     string       `json:"code,omitempty"`
	Journal  canon.Digest `json:"journal_sha256,omitzero"`
	Rollback plan.ID      `json:"rollback,omitzero"`
	Backup   canon.Digest `json:"backup_sha256,omitzero"`
	// Recovered: written by a later start, not by the apply itself.
	Recovered bool `json:"recovered,omitempty"`
	// Note is ours, for repairs and gaps.
	Note string `json:"note,omitempty"`
}

// ApprovalRef names the approval that an apply used.
type ApprovalRef struct {
	Method   string       `json:"method"`
	Approver string       `json:"approver"`
	File     canon.Digest `json:"sha256"`
}

// Op is one operation in a record.
type Op struct {
	Op       plan.Op      `json:"op"`
	Resource string       `json:"resource"`
	Key      string       `json:"key,omitempty"`
	Wire     canon.Digest `json:"wire_sha256,omitzero"`
	Status   string       `json:"status,omitempty"`
	Class    string       `json:"class,omitempty"`
	HTTP     int          `json:"http,omitempty"`
	Changed  string       `json:"changed,omitempty"`
	Observed string       `json:"observed,omitempty"`
}

// Record is a sealed entry: one line of the log.
type Record struct {
	V    int          `json:"v"`
	Seq  uint64       `json:"seq"`
	Prev canon.Digest `json:"prev"`
	Hash canon.Digest `json:"hash,omitzero"`
	Entry
}

// Head is the newest record's place in the chain.
type Head struct {
	Seq  uint64       `json:"seq"`
	Hash canon.Digest `json:"hash"`
}
