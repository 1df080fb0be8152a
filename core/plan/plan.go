// Package plan is the immutable record of what would be sent to a device, to
// whom, how it is judged, and under which conditions it may still be sent.
//
// A plan is worked out once and never edited. Its stored form is package
// planfile's business; every field of it is covered by the digest, except where
// a field's comment says otherwise.
package plan

import (
	"slices"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/wire"
)

// Kind tells planned changes from generated rollbacks.
type Kind string

// The kinds of plan.
const (
	Change   Kind = "change"
	Rollback Kind = "rollback"
)

// Tier is how much a mistake could cost.
type Tier string

// The tiers, from least to most.
const (
	Low      Tier = "low"
	Medium   Tier = "medium"
	High     Tier = "high"
	Critical Tier = "critical"
)

var tiers = []Tier{Low, Medium, High, Critical}

// Tiers lists the tiers from least to most.
func Tiers() []Tier { return slices.Clone(tiers) }

// Rank orders tiers; an unknown tier counts as critical.
func (t Tier) Rank() int {
	if i := slices.Index(tiers, t); i >= 0 {
		return i
	}
	return len(tiers) - 1
}

// Max is the higher of two tiers.
func (t Tier) Max(u Tier) Tier {
	if u.Rank() > t.Rank() {
		return u
	}
	return t
}

// Op names what a stored operation does. The first four are the operations a
// caller asks for; Move is what planning makes of their position.
type Op string

// The operations of a stored plan.
const (
	OpCreate Op = "create"
	OpUpdate Op = "update"
	OpDelete Op = "delete"
	OpAction Op = "action"
	OpMove   Op = "move"
)

// Plan is one plan. Apply reads every field but Risk's texts and Engine.
type Plan struct {
	ID        ID
	Kind      Kind
	CreatedAt time.Time
	// Engine is the version of the program that planned; for the reader only.
	Engine string
	// Catalog and Rules name the facts and the rule set that judged the plan.
	Catalog canon.Digest
	Rules   string
	// Parent is the plan that a rollback undoes, else zero.
	Parent     ID
	Device     Target
	Management Management
	Risk       Risk
	Operations []Operation
	// Irreversible names effects of the parent that a rollback cannot undo.
	Irreversible []string
}

// Target is the device, as it answered when the plan was made.
type Target struct {
	Profile string `json:"profile"`
	Host    string `json:"host"`
	Port    int    `json:"port"`
	VDOM    string `json:"vdom"`
	Serial  string `json:"serial"`
	Version string `json:"version"`
	Build   int    `json:"build"`
	Model   string `json:"model"`
	// Trust is what authenticated the device, such as "spki-sha256:<hex>".
	Trust string `json:"tls"`
}

// Management is the path this product's own connection takes into the device.
// Empty members are unknown.
type Management struct {
	Local     string `json:"local"`
	Remote    string `json:"remote"`
	Interface string `json:"interface"`
	APIUser   string `json:"api_user"`
	// Save is the device's cfg-save setting: automatic, manual or revert.
	Save string `json:"cfg_save"`
}

// Risk is the verdict over the whole plan.
type Risk struct {
	Tier Tier `json:"tier"`
	// Reasons are in the order of the operations; plan-level ones have index -1.
	Reasons []Reason `json:"reasons"`
}

// Reason is one rule that fired.
type Reason struct {
	Rule      string `json:"rule"`
	Tier      Tier   `json:"tier"`
	Operation int    `json:"operation"`
	Text      string `json:"text"`
}

// Operation is one request of the plan with its conditions and expectations.
type Operation struct {
	Index int
	Op    Op
	// Source is the JSON pointer of the request's operation it came from.
	Source   string
	Resource string
	// VDOM is the scope of the request; "" for global resources.
	VDOM string
	// Key is zero for singletons, actions, and rows whose key the device chooses.
	Key operation.Key
	// Wire is the exact request; secrets stand in it as references.
	Wire wire.Request
	// Pre lists the states in which the operation may go on. At least one must hold.
	Pre []Precondition
	// Before is the pre-image: the object as it was when planned, without secrets
	// and metadata; nil where there was none.
	Before map[string]any
	// Expect are the attributes that a read-back must show.
	Expect map[string]any
	// Order is set for moves, and for deletes from ordered tables.
	Order *Order
	// Lost names attributes that a rollback cannot restore (secrets).
	Lost []string
	// Users is how many objects referred to this one when the plan was made; nil
	// where that is not known or does not matter.
	Users *int
	Tier  Tier
	Rules []string
	// Secrets names the secret references in Wire, with their commitments.
	Secrets []SecretRef
}

// Order is the order of a table's keys around a move.
type Order struct {
	Position operation.Position
	// Before is the order in which the move may go on, After the wanted one.
	Before []operation.Key
	After  []operation.Key
}

// Then says what a matching precondition leads to.
type Then string

// What to do when a state matches.
const (
	Send Then = "send"
	Skip Then = "skip"
)

// Precondition is one state of the touched object in which an operation may go
// on. Exactly one of Absent, Object, Match, After and None is set.
type Precondition struct {
	Then Then `json:"then"`
	// Absent: there is no such object.
	Absent bool `json:"absent,omitempty"`
	// Object: the object's comparable image has this hash.
	Object canon.Digest `json:"sha256,omitzero"`
	// Match: the object has these attributes, compared by type. It is used where
	// the whole image is not known, after a write without a trustworthy answer.
	Match map[string]any `json:"match,omitempty"`
	// After: the object is as it was read back after this earlier operation; the
	// number is the operation's index plus one.
	After int `json:"after,omitempty"`
	// None: there is no object to compare. For actions nothing is compared; for
	// moves the order is: Order.Before to send, Order.After to skip.
	None bool `json:"none,omitempty"`
}

// SecretRef is a secret value that a request will carry.
type SecretRef struct {
	// Ref is the name used in the request: {"$secret": "s0"}.
	Ref string `json:"ref"`
	// Pointer is the place in the body.
	Pointer string `json:"pointer"`
	// Length is the length of the value in bytes.
	Length int `json:"length"`
	// Commitment is HMAC-SHA256(salt, value) in hex; empty for named secrets.
	Commitment string `json:"commitment,omitempty"`
	// Name is the operator's name of the secret, where one was used.
	Name string `json:"name,omitempty"`
}

// SecretKey is the only member of an object that stands for a secret value.
const SecretKey = "$secret"

// SecretCount is the number of secrets that the plan carries.
func (p *Plan) SecretCount() int {
	n := 0
	for _, op := range p.Operations {
		n += len(op.Secrets)
	}
	return n
}

// IsCritical reports whether the plan needs a backup and probes.
func (p *Plan) IsCritical() bool { return p.Risk.Tier.Rank() >= Critical.Rank() }
