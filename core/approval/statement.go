package approval

import (
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

// Namespace is that of an SSH signature over a [Statement]. A signature that was
// made for anything else, such as a commit or a file, has another one.
const Namespace = "forti-plan-approval-v1"

// Statement is what a signer signs: one plan, for one device of one profile. It
// can be made on another machine from an exported plan alone.
type Statement struct {
	V       int          `json:"v"`
	PlanID  plan.ID      `json:"plan_id"`
	Digest  canon.Digest `json:"plan_digest"`
	Serial  string       `json:"serial"`
	Profile string       `json:"profile"`
	// SignedAt is the signer's clock, in UTC; the 24 hours count from it.
	SignedAt time.Time `json:"signed_at"`
}

// Statement is what is signed for a grant of this approval.
func (a *Approval) Statement(signed time.Time) Statement {
	return Statement{V: Format, PlanID: a.PlanID, Digest: a.Digest, Serial: a.Serial, Profile: a.Profile, SignedAt: signed.UTC()}
}

// Encode is the canonical form, which is the message of the signature.
func (s Statement) Encode() ([]byte, error) { return canon.Marshal(s) }

// ParseStatement reads a statement that was made elsewhere: the canonical form,
// and nothing else but one line feed at its end. The error is usage.
func ParseStatement(data []byte) (Statement, error) {
	var s Statement
	err := canon.Unmarshal(trimNewline(data), &s)
	if err != nil {
		return s, fault.Wrap(err, fault.Usage, "this is not a statement as forti plan export makes it: %v", err)
	}
	if s.V != Format {
		return s, fault.New(fault.Usage, "the statement has format %d; this version knows %d", s.V, Format)
	}
	return s, nil
}

func trimNewline(data []byte) []byte {
	if n := len(data); n > 0 && data[n-1] == '\n' {
		return data[:n-1]
	}
	return data
}
