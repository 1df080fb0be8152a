package porttest

import (
	"slices"
	"testing"
)

// Ability is something that a fixture offers beyond the port itself.
type Ability string

// The abilities.
const (
	// Storage: rows can be looked at behind the port, secrets in clear.
	Storage Ability = "storage"
	// Counting: the write requests that reach the device are counted.
	Counting Ability = "counting"
	// TwoVDOMs: the device refuses a virtual domain that is not the token's.
	TwoVDOMs Ability = "two vdoms"
	// Damage: the stored bytes can be changed behind the port.
	Damage Ability = "damage"
	// Listing: what is stored can be looked at behind the port.
	Listing Ability = "listing"
	// Killing: the process that holds a lock can be ended.
	Killing Ability = "killing"
	// Breaking: the source behind the port can be made unusable.
	Breaking Ability = "breaking"
	// Chance: two draws differ.
	Chance Ability = "chance"
	// RealTime: time passes by itself.
	RealTime Ability = "real time"
	// Windows: a resource is known that some release lacks.
	Windows Ability = "windows"
)

// Without lists what a fixture does not offer.
type Without []Ability

// need skips a subtest whose ability was declared missing, and fails one whose
// ability is neither offered nor declared.
func (w Without) need(t *testing.T, a Ability, offered bool) {
	t.Helper()
	if slices.Contains(w, a) {
		t.Skipf("the harness is without %s", a)
	}
	if !offered {
		t.Fatalf("the harness neither offers %s nor declares it missing", a)
	}
}
