// Package profile holds what the operator decided about one FortiGate: where it
// is, how far the product may go with it, and the limits. Nothing a model sends
// changes any of it.
package profile

import (
	"regexp"
	"sync"
	"time"

	"github.com/forti-mcp/forti/core/fault"
)

// Mode says how far an apply may go. The zero Mode is invalid and permits nothing.
type Mode string

// The modes.
const (
	// ReadOnly refuses every apply.
	ReadOnly Mode = "read_only"
	// Guarded needs a human approval for every plan.
	Guarded Mode = "guarded"
	// Autonomous applies at once.
	Autonomous Mode = "autonomous"
)

// ParseMode reads a mode; anything but the three texts is an error.
func ParseMode(text string) (Mode, error) {
	switch m := Mode(text); m {
	case ReadOnly, Guarded, Autonomous:
		return m, nil
	}
	return "", fault.New(fault.Config, "mode %q is unknown; use read_only, guarded or autonomous", text)
}

// Limits and defaults of a profile.
const (
	DefaultPort        = 443
	DefaultVDOM        = "root"
	DefaultTimeout     = 30 * time.Second
	DefaultResultBytes = 40_000
	MinResultBytes     = 4_000
	MaxResultBytes     = 1_000_000
	MaxOperations      = 500
)

// Profile is one configured FortiGate. It holds no secret.
type Profile struct {
	Name string
	Host string
	Port int
	// VDOM is the default virtual domain of requests.
	VDOM string
	Mode Mode
	// Trust names what authenticates the device: "spki-sha256:<hex>", "ca:<hex>"
	// or "system". It is part of a plan's digest.
	Trust   string
	Timeout time.Duration
	// NoBackup is set where the operator switched the backup before critical plans off.
	NoBackup bool
	// ResultBytes is the byte budget of one result; MaxOperations bounds a plan.
	ResultBytes   int
	MaxOperations int
	// AltHosts are further management addresses that a probe may try.
	AltHosts []string
	// ManagementInterface names the interface that carries the management path
	// where it cannot be worked out; APIUser is the API administrator in use.
	ManagementInterface string
	APIUser             string
	// AllowActions are monitor actions that the operator permits although their
	// family is refused by default; Deny are resources that are refused.
	AllowActions []string
	Deny         []string
	Approval     Approval
}

// Approval is what an approval needs. The zero value asks for one typed approval.
type Approval struct {
	// Signers is the file of permitted SSH signers; empty: no signature needed.
	Signers string
	// Required is the number of different signers; 0 counts as 1.
	Required int
}

// Need is the number of grants an approval must have.
func (a Approval) Need() int { return max(1, a.Required) }

var name = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`) })

// CheckName refuses names that are empty, long or hold anything but letters,
// digits, dot, dash and underscore.
func CheckName(text string) error {
	if !name().MatchString(text) {
		return fault.New(fault.Config, "profile name %q: use 1 to 64 letters, digits, '.', '-' or '_'", text)
	}
	return nil
}

// Budget is the byte budget in force: the smaller of the profile's and the
// caller's, where 0 means none given.
func (p Profile) Budget(caller int) int {
	budget := p.ResultBytes
	if budget == 0 {
		budget = DefaultResultBytes
	}
	if caller > 0 {
		budget = min(budget, caller)
	}
	return budget
}
