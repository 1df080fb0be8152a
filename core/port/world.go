package port

import (
	"context"
	"time"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// Profiles gives the operator's configuration. Failures: config (file unusable),
// not_found with details.profiles listing the names.
type Profiles interface {
	// List gives all visible profiles, sorted by name, and the default's name or "".
	List(ctx context.Context) (profiles []profile.Profile, defaultName string, err error)
}

// NamedSecrets gives secrets that the operator listed by name for use in plans.
type NamedSecrets interface {
	// Names lists them, sorted.
	Names(ctx context.Context) ([]string, error)
	// Value fetches one; not_found when it is not listed, config when its source fails.
	Value(ctx context.Context, name string) (redact.Secret, error)
}

// Clock tells time. Boot is the time since the machine started, suspend
// included, with an id that changes at each start; "" where unknown.
type Clock interface {
	Now() time.Time
	Boot() (id string, since time.Duration)
	// Sleep waits, or returns the context's error early.
	Sleep(ctx context.Context, d time.Duration) error
}

// Random gives random bytes fit for keys.
type Random interface {
	Bytes(n int) ([]byte, error)
}

// Verifier checks the signature of a grant against the profile's signers.
// permission_denied when the signature is not by a permitted signer over message,
// config when the list cannot be used. The grant's Approver.Key must be the key
// that signed.
type Verifier interface {
	// Verify gives who signed, as the list names them: keys of one person are one signer.
	Verify(ctx context.Context, p profile.Profile, message []byte, g approval.Grant) (approval.Signer, error)
	// Signers is the profile's list as it is now.
	Signers(ctx context.Context, p profile.Profile) (approval.Signers, error)
}

// Progress hears how an apply goes. Its methods return quickly and never fail.
type Progress interface {
	Step(ctx context.Context, s Step)
}

// Step is one piece of news of an apply.
type Step struct {
	// Stage is one of the Stage constants.
	Stage Stage
	// Operation is the index, or -1 for stages of the whole plan; Of is their number.
	Operation, Of int
	// Text says what is happening, safe to print.
	Text string
	// Status is set with StageDone.
	Status string
}

// Stage names a step of an apply.
type Stage string

// The stages.
const (
	StageCheck  Stage = "check"
	StageBackup Stage = "backup"
	StageClaim  Stage = "claim"
	StageSend   Stage = "send"
	StageVerify Stage = "verify"
	StageProbe  Stage = "probe"
	StageDone   Stage = "done"
	StageEnd    Stage = "end"
)
