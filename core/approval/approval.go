// Package approval is a human's consent to one plan's digest: its record and
// the test of whether it still holds.
package approval

import (
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

// Format is the version of the stored form.
const Format = 1

// Lifetime is how long an approval holds: exactly 24 hours after its oldest
// grant it has expired.
const Lifetime = 24 * time.Hour

// Skew is how far the clock may disagree with what was recorded.
const Skew = 5 * time.Minute

// Approval is the stored consent: one or more grants for one digest.
type Approval struct {
	V       int          `json:"v"`
	PlanID  plan.ID      `json:"plan_id"`
	Digest  canon.Digest `json:"plan_digest"`
	Serial  string       `json:"serial"`
	Profile string       `json:"profile"`
	Grants  []Grant      `json:"grants"`
}

// Grant is one human's consent.
type Grant struct {
	Method Method `json:"method"`
	// At is the wall clock in UTC, RFC 3339 with nanoseconds; BootID and
	// BootTime (microseconds) are the boot-time clock of the same moment.
	At       time.Time `json:"approved_at"`
	BootID   string    `json:"boot_id"`
	BootTime int64     `json:"boottime_us"`
	Approver Approver  `json:"approver"`
	// Screen is the hash of the text that was shown; Challenge the code typed.
	Screen    canon.Digest `json:"screen_sha256"`
	Challenge string       `json:"challenge"`
	// Signature is an armoured SSH signature where Method is Signed, else "".
	Signature string `json:"sig"`
	// Signers is the list of signers that was shown to who consented; a signature
	// counts only while the list is still that one. Zero for typed grants.
	Signers canon.Digest `json:"signers_sha256,omitzero"`
}

// Signer is who made a signature, by the list with this digest.
type Signer struct {
	Name string
	List canon.Digest
}

// Signers is a list of signers: its digest, and whose keys are on it, each once.
type Signers struct {
	Digest canon.Digest
	Names  []string
}

// Method says how consent was given.
type Method string

// The methods.
const (
	Typed  Method = "typed"
	Signed Method = "signed"
)

// Approver says who consented, as far as the operating system tells.
type Approver struct {
	UID        int          `json:"uid"`
	User       string       `json:"user"`
	Host       string       `json:"host"`
	TTY        string       `json:"tty"`
	Executable canon.Digest `json:"exe_sha256"`
	// Key is the fingerprint of the signing key, "" for typed grants.
	Key string `json:"key"`
}

// Reason says why an apply needs an approval. The zero Reason means that the
// approval holds.
type Reason string

// The reasons.
const (
	Valid   Reason = ""
	Missing Reason = "missing"
	Expired Reason = "expired"
	Used    Reason = "used"
	Revoked Reason = "revoked"
	Changed Reason = "changed"
	Invalid Reason = "invalid"
)

// Parse reads the stored form strictly.
func Parse(data []byte) (*Approval, error) {
	var a Approval
	if err := canon.Unmarshal(data, &a); err != nil {
		return nil, err
	}
	return &a, nil
}

// Encode writes the stored form.
func (a *Approval) Encode() ([]byte, error) { return canon.Marshal(a) }

// Oldest is the time of the oldest grant, zero when there are none.
func (a *Approval) Oldest() time.Time {
	var oldest time.Time
	for _, g := range a.Grants {
		if oldest.IsZero() || g.At.Before(oldest) {
			oldest = g.At
		}
	}
	return oldest
}

// Expires is when the approval stops holding.
func (a *Approval) Expires() time.Time { return a.Oldest().Add(Lifetime) }
