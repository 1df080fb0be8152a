package approval

import (
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

// Facts is everything that the test of an approval looks at.
type Facts struct {
	// Claimed: the plan's journal exists, whatever is in it.
	Claimed bool
	// File is the stored approval, nil when there is none.
	File []byte
	// FileError is set where the file exists and cannot be trusted or read.
	FileError error
	Revoked   bool
	// Recorded: the audit log says that somebody gave exactly this file for this plan.
	Recorded bool
	// Plan and Digest are the plan as it was just loaded and checked.
	Plan   *plan.Plan
	Digest canon.Digest
	// Need is how many different grants the profile asks for; Signed whether
	// each must carry a signature.
	Need   int
	Signed bool
	// Verify checks a grant's signature and says whose it is; nil where none can be
	// checked.
	Verify func(a *Approval, g Grant) (Signer, error)
	// Now, BootID and BootTime are the clock; HighWater the newest time on record.
	Now       time.Time
	BootID    string
	BootTime  time.Duration
	HighWater time.Time
}

// Unrecorded is the detail of an approval that the audit log knows nothing of: it was
// written by hand, or its record was lost.
const Unrecorded = "unrecorded"

// Relisted is the detail of an approval whose list of signers is another one now.
const Relisted = "signers"

// WrongClock is the detail of an approval whose age cannot be told: it is dated in the
// future, or the clock is behind what is on record.
const WrongClock = "clock"

// Verdict is the outcome of the test.
type Verdict struct {
	Reason Reason
	// Detail says more, such as "clock"; Have and Need count grants.
	Detail     string
	Have, Need int
	// Approval is the parsed file, where it could be parsed.
	Approval *Approval
}

// Test decides whether an approval holds. The order of the questions is fixed:
// use first, so that a replay never depends on the approval file surviving, and then
// revocation, since an approval that is missing could not be given any more.
func Test(f Facts) Verdict {
	switch {
	case f.Claimed:
		return Verdict{Reason: Used}
	case f.Revoked:
		return Verdict{Reason: Revoked}
	case f.File == nil && f.FileError == nil:
		return Verdict{Reason: Missing, Need: f.Need}
	case f.FileError != nil:
		return Verdict{Reason: Invalid, Detail: "file"}
	}
	a, err := Parse(f.File)
	if err != nil || a.V != Format || len(a.Grants) == 0 {
		return Verdict{Reason: Invalid, Detail: "form"}
	}
	v := Verdict{Approval: a, Need: f.Need}
	have, relisted := approvers(f, a)
	v.Have = have
	switch detail, expired := expired(f, a); {
	case v.Have == 0:
		v.Reason, v.Detail = Invalid, "signature"
	case a.Digest.IsZero() || a.Digest != f.Digest || a.PlanID != f.Plan.ID ||
		a.Serial != f.Plan.Device.Serial || a.Profile != f.Plan.Device.Profile:
		v.Reason = Changed
	case relisted:
		v.Reason, v.Detail = Changed, Relisted
	case expired:
		v.Reason, v.Detail = Expired, detail
	case !f.Recorded: // before the count: no grant is ever added to a file that nobody gave
		v.Reason, v.Detail = Invalid, Unrecorded
	case v.Have < f.Need:
		v.Reason = Missing
	}
	return v
}

// approvers counts the different humans who granted; 0 where a single grant cannot
// be trusted. A signed grant counts by its signer and only with a good signature, a
// typed one by its user and only where no signatures are asked for. relisted: the list
// of signers is not the one that somebody was shown.
func approvers(f Facts, a *Approval) (have int, relisted bool) {
	different := map[string]bool{}
	for _, g := range a.Grants {
		switch {
		case g.Method == Signed && f.Verify != nil:
			signer, err := f.Verify(a, g)
			if err != nil {
				return 0, false
			}
			relisted = relisted || signer.List != g.Signers
			different["signer "+signer.Name] = true
		case g.Method == Typed && !f.Signed:
			different["user "+g.Approver.User] = true
		default:
			return 0, false
		}
	}
	return len(different), relisted
}

// expired looks at the clock before it looks at the age: on a clock that cannot be
// right the age means nothing.
func expired(f Facts, a *Approval) (detail string, yes bool) {
	if !f.HighWater.IsZero() && f.HighWater.Sub(f.Now) > Skew {
		return WrongClock, true
	}
	for _, g := range a.Grants {
		if g.At.Sub(f.Now) > Skew {
			return WrongClock, true
		}
	}
	for _, g := range a.Grants {
		elapsed := f.Now.Sub(g.At)
		if g.BootID != "" && g.BootID == f.BootID {
			elapsed = max(elapsed, f.BootTime-time.Duration(g.BootTime)*time.Microsecond)
		}
		if elapsed >= Lifetime {
			return "", true
		}
	}
	return "", false
}
