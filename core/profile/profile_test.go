package profile

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
)

func TestOnlyThreeTextsAreModes(t *testing.T) {
	for _, text := range []string{"read_only", "guarded", "autonomous"} {
		if mode, err := ParseMode(text); err != nil || string(mode) != text {
			t.Errorf("%q: %q, %v", text, mode, err)
		}
	}
	for _, text := range []string{"", "Guarded", "guarded ", "auto", "readonly"} {
		mode, err := ParseMode(text)
		if fault.CodeOf(err) != fault.Config || mode != "" {
			t.Errorf("%q: mode %q, error %v", text, mode, err)
		}
	}
}

func TestNamesOfProfilesAreSafeInPathsAndCommands(t *testing.T) {
	good := []string{"home", "A", "0", "fw-1.example_x", strings.Repeat("a", 64)}
	for _, name := range good {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	bad := []string{"", ".", "..", "-x", "_x", ".x", "a/b", "a b", "a\n", "ä", "a;b", "a$b", strings.Repeat("a", 65)}
	for _, name := range bad {
		if err := CheckName(name); fault.CodeOf(err) != fault.Config {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestTheSmallerBudgetHolds(t *testing.T) {
	tests := []struct {
		name                  string
		profile, caller, want int
	}{
		{"neither", 0, 0, DefaultResultBytes},
		{"profile", 9000, 0, 9000},
		{"caller asks for less", 9000, 5000, 5000},
		{"caller asks for more", 9000, 50_000, 9000},
		{"caller below the default", 0, 5000, 5000},
		{"a negative wish is none", 9000, -1, 9000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (Profile{ResultBytes: test.profile}).Budget(test.caller); got != test.want {
				t.Errorf("Budget = %d, want %d", got, test.want)
			}
		})
	}
}

func TestAnApprovalNeedsAtLeastOneGrant(t *testing.T) {
	for required, want := range map[int]int{-1: 1, 0: 1, 1: 1, 3: 3} {
		if got := (Approval{Required: required}).Need(); got != want {
			t.Errorf("required %d: need %d, want %d", required, got, want)
		}
	}
}
