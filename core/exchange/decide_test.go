package exchange

import "testing"

var classes = []Class{
	NotSent, TLSFailed, Ambiguous, Accepted, Refused, RefusedDoubtful, NotAPI, Redirect,
	AuthRefused, LockedOut, WrongDevice, "", "unheard of",
}

var observations = []Observed{Desired, Preimage, Other, Unreadable, NotChecked, "", "unheard of"}

var (
	verified   = Verdict{Verified, ChangedYes}
	unverified = Verdict{AppliedUnverified, ChangedYes}
	wrong      = Verdict{Failed, ChangedYes}
	failed     = Verdict{Failed, ChangedNo}
	unknown    = Verdict{OutcomeUnknown, ChangedUnknown}
)

func TestClassAndReadBackDecideTheVerdict(t *testing.T) {
	// The columns are desired, preimage, other, unreadable, not_checked.
	table := map[Class][5]Verdict{
		NotSent:         {failed, failed, failed, failed, failed},
		TLSFailed:       {failed, failed, failed, failed, failed},
		Accepted:        {verified, wrong, wrong, unverified, unverified},
		Refused:         {unknown, failed, unknown, failed, failed},
		AuthRefused:     {unknown, failed, unknown, failed, failed},
		LockedOut:       {unknown, failed, unknown, failed, failed},
		RefusedDoubtful: {unknown, failed, unknown, unknown, unknown},
		Redirect:        {unknown, failed, unknown, unknown, unknown},
		Ambiguous:       {unknown, unknown, unknown, unknown, unknown},
		NotAPI:          {unknown, unknown, unknown, unknown, unknown},
		WrongDevice:     {unknown, unknown, unknown, unknown, unknown},
	}
	for class, row := range table {
		for i, observed := range observations[:5] {
			t.Run(string(class)+" "+string(observed), func(t *testing.T) {
				if got := Decide(class, observed); got != row[i] {
					t.Errorf("Decide = %+v, want %+v", got, row[i])
				}
			})
		}
	}
}

// The rules behind the table, over everything there is and two values there are not.
func TestEveryVerdictKeepsTheRules(t *testing.T) {
	for _, class := range classes {
		for _, observed := range observations {
			v := Decide(class, observed)
			if v.Status == Verified && (class != Accepted || observed != Desired) {
				t.Errorf("%s %s: verified without a success that reads back as asked", class, observed)
			}
			if v.Status == AppliedUnverified && class != Accepted {
				t.Errorf("%s %s: applied without a success", class, observed)
			}
			changed := observed == Desired || observed == Other
			if v.Changed == ChangedNo && changed && class != NotSent && class != TLSFailed {
				t.Errorf("%s %s: a change was seen and is denied", class, observed)
			}
			if v.Changed == ChangedNo && v.Status != Failed {
				t.Errorf("%s %s: %s without a change", class, observed, v.Status)
			}
			if (v.Status == OutcomeUnknown) != (v.Changed == ChangedUnknown) {
				t.Errorf("%s %s: %+v", class, observed, v)
			}
			if v.Status == "" || v.Status == NotAttempted || v.Changed == "" {
				t.Errorf("%s %s: no verdict: %+v", class, observed, v)
			}
		}
	}
}

func TestAnActionIsAppliedUnverifiedOrInDoubt(t *testing.T) {
	want := map[Class]Verdict{
		Accepted: unverified, NotSent: failed, TLSFailed: failed, Refused: failed, AuthRefused: failed, LockedOut: failed,
	}
	for _, class := range classes {
		expected, settled := want[class]
		if !settled {
			expected = unknown
		}
		if got := Decide(class, NotChecked); got != expected {
			t.Errorf("%s: %+v, want %+v", class, got, expected)
		}
	}
}
