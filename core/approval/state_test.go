package approval

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
)

var (
	granted = time.Date(2026, 10, 15, 10, 45, 12, 123456789, time.UTC)
	digest  = canon.Sum([]byte("plan"))
	id      = plan.NewID(granted, [plan.RandomBytes]byte{1, 2, 3})
)

const day = 24 * time.Hour

func thePlan() *plan.Plan {
	return &plan.Plan{ID: id, Device: plan.Target{Serial: "FGT60FTEST000001", Profile: "home"}}
}

func theApproval() *Approval {
	return &Approval{
		V: Format, PlanID: id, Digest: digest, Serial: "FGT60FTEST000001", Profile: "home",
		Grants: []Grant{typed("alice", granted)},
	}
}

func typed(user string, at time.Time) Grant {
	return Grant{Method: Typed, At: at, BootID: "boot-1", BootTime: time.Hour.Microseconds(), Approver: Approver{User: user}, Screen: digest}
}

func signed(key, signature string) Grant {
	return Grant{Method: Signed, At: granted, Approver: Approver{Key: key}, Signature: signature, Signers: digest}
}

// verify takes signatures that are the word good. The keys of one person differ in
// their last character.
func verify(_ *Approval, g Grant) (Signer, error) {
	if g.Signature != "good" {
		return Signer{}, errors.New("not signed by a permitted signer")
	}
	return Signer{Name: g.Approver.Key[:len(g.Approver.Key)-1], List: digest}, nil
}

// facts are those of a good approval one hour after it was given.
func facts(t *testing.T, a *Approval) Facts {
	t.Helper()
	f := Facts{
		Plan: thePlan(), Digest: digest, Need: 1, Verify: verify, Recorded: true,
		Now: granted.Add(time.Hour), BootID: "boot-1", BootTime: 2 * time.Hour, HighWater: granted,
	}
	if a != nil {
		file, err := a.Encode()
		if err != nil {
			t.Fatal(err)
		}
		f.File = file
	}
	return f
}

func TestAnApprovalHoldsUntilSomethingSpeaksAgainstIt(t *testing.T) {
	approval := func(change func(a *Approval)) *Approval {
		a := theApproval()
		change(a)
		return a
	}
	grants := func(list ...Grant) *Approval { return approval(func(a *Approval) { a.Grants = list }) }
	tests := []struct {
		name   string
		a      *Approval
		change func(f *Facts)
		reason Reason
		detail string
	}{
		{"as given", theApproval(), nil, Valid, ""},
		{"the journal exists", theApproval(), func(f *Facts) { f.Claimed = true }, Used, ""},
		{"no file", nil, nil, Missing, ""},
		{"revoked", theApproval(), func(f *Facts) { f.Revoked = true }, Revoked, ""},
		{"the file cannot be trusted", theApproval(), func(f *Facts) { f.FileError = errors.New("mode 0644") }, Invalid, "file"},
		{"the file cannot be read", nil, func(f *Facts) { f.FileError = errors.New("denied") }, Invalid, "file"},
		{"the file is empty", nil, func(f *Facts) { f.File = []byte{} }, Invalid, "form"},
		{"the file is cut", theApproval(), func(f *Facts) { f.File = f.File[:len(f.File)-1] }, Invalid, "form"},
		{"bytes follow", theApproval(), func(f *Facts) { f.File = append(f.File, '\n') }, Invalid, "form"},
		{"an unknown version", approval(func(a *Approval) { a.V = 2 }), nil, Invalid, "form"},
		{"no grants", grants(), nil, Invalid, "form"},
		{"an unknown method", grants(Grant{Method: "spoken", At: granted}), nil, Invalid, "signature"},
		{"no method", grants(Grant{At: granted}), nil, Invalid, "signature"},

		{"another digest", approval(func(a *Approval) { a.Digest = canon.Sum([]byte("x")) }), nil, Changed, ""},
		{"no digest", approval(func(a *Approval) { a.Digest = canon.Digest{} }), func(f *Facts) { f.Digest = canon.Digest{} }, Changed, ""},
		{"another plan", approval(func(a *Approval) { a.PlanID = plan.NewID(granted, [plan.RandomBytes]byte{9}) }), nil, Changed, ""},
		{"another serial", approval(func(a *Approval) { a.Serial = "FGT60FTEST000002" }), nil, Changed, ""},
		{"another profile", approval(func(a *Approval) { a.Profile = "edge" }), nil, Changed, ""},

		{"one nanosecond before 24 hours", theApproval(), at(day - 1), Valid, ""},
		{"exactly 24 hours", theApproval(), at(day), Expired, ""},
		{"25 hours", theApproval(), at(day + time.Hour), Expired, ""},
		{"the clock set back, same start of the machine", theApproval(),
			func(f *Facts) { f.Now, f.BootTime = granted.Add(time.Hour), 25*time.Hour }, Expired, ""},
		{"exactly 24 hours by the clock since the start", theApproval(), func(f *Facts) { f.BootTime = time.Hour + day }, Expired, ""},
		{"after a new start that clock says nothing", theApproval(),
			func(f *Facts) { f.BootID, f.BootTime = "boot-2", 100*day }, Valid, ""},
		{"without a boot id that clock says nothing", grants(Grant{Method: Typed, At: granted}),
			func(f *Facts) { f.BootID, f.BootTime = "", 100*day }, Valid, ""},
		{"the clock set back behind what is on record", theApproval(), func(f *Facts) { f.HighWater = f.Now.Add(Skew + 1) }, Expired, "clock"},
		{"exactly as far behind as clocks may be", theApproval(), func(f *Facts) { f.HighWater = f.Now.Add(Skew) }, Valid, ""},
		{"nothing on record", theApproval(), func(f *Facts) { f.HighWater = time.Time{} }, Valid, ""},
		{"given in the future", theApproval(), at(-Skew - 1), Expired, "clock"},
		{"given as far in the future as clocks may be", theApproval(), at(-Skew), Valid, ""},
		{"given at no time", grants(typed("alice", time.Time{})), nil, Expired, ""},

		{"not on record", theApproval(), func(f *Facts) { f.Recorded = false }, Invalid, Unrecorded},
		{"one grant of two, not on record", theApproval(), func(f *Facts) { f.Need, f.Recorded = 2, false }, Invalid, Unrecorded},

		{"one grant of two", theApproval(), func(f *Facts) { f.Need = 2 }, Missing, ""},
		{"two grants of two", grants(typed("alice", granted), typed("bob", granted)), func(f *Facts) { f.Need = 2 }, Valid, ""},
		{"the same human twice", grants(typed("alice", granted), typed("alice", granted)), func(f *Facts) { f.Need = 2 }, Missing, ""},
		{"the oldest grant counts", grants(typed("alice", granted.Add(-day)), typed("bob", granted)), func(f *Facts) { f.Need = 2 }, Expired, ""},

		{"signed where signatures are asked for", grants(signed("k1", "good")), needSigned(1), Valid, ""},
		{"signed twice by one key", grants(signed("k1", "good"), signed("k1", "good")), needSigned(2), Missing, ""},
		{"signed by two keys of one signer", grants(signed("k1", "good"), signed("k2", "good")), needSigned(2), Missing, ""},
		{"signed by two signers", grants(signed("k1", "good"), signed("l1", "good")), needSigned(2), Valid, ""},
		{"a bad signature", grants(signed("k1", "bad")), needSigned(1), Invalid, "signature"},
		{"a bad signature beside a good one", grants(signed("k1", "good"), signed("k2", "bad")), needSigned(1), Invalid, "signature"},
		{"signed by another list", grants(Grant{Method: Signed, At: granted, Approver: Approver{Key: "k1"}, Signature: "good"}), needSigned(1), Changed, Relisted},
		{"one of two signed by another list", grants(signed("k1", "good"), Grant{Method: Signed, At: granted, Approver: Approver{Key: "l1"}, Signature: "good", Signers: canon.Sum([]byte("x"))}), needSigned(2), Changed, Relisted},
		{"typed where signatures are asked for", theApproval(), needSigned(1), Invalid, "signature"},
		{"signatures that nobody can check", grants(signed("k1", "good")),
			func(f *Facts) { f.Signed, f.Verify = true, nil }, Invalid, "signature"},
		{"a bad signature where none is asked for", grants(signed("k1", "bad")), nil, Invalid, "signature"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := facts(t, test.a)
			if test.change != nil {
				test.change(&f)
			}
			v := Test(f)
			if v.Reason != test.reason || v.Detail != test.detail {
				t.Errorf("reason %q, detail %q; want %q, %q", v.Reason, v.Detail, test.reason, test.detail)
			}
		})
	}
}

// at sets all clocks to a time after the grant.
func at(elapsed time.Duration) func(*Facts) {
	return func(f *Facts) {
		f.Now, f.BootTime, f.HighWater = granted.Add(elapsed), time.Hour+elapsed, granted.Add(min(elapsed, 0))
	}
}

func needSigned(n int) func(*Facts) {
	return func(f *Facts) { f.Signed, f.Need = true, n }
}

// Each fact outweighs those below it, so that the first one that holds is told.
func TestTheOrderOfTheQuestionsIsFixed(t *testing.T) {
	f := facts(t, theApproval())
	f.Need = 2                            // missing: too few grants
	f.Recorded = false                    // invalid: not on record
	f.Now = granted.Add(day + time.Hour)  // expired
	f.HighWater = f.Now.Add(2 * Skew)     // expired: clock
	f.Digest = canon.Sum([]byte("other")) // changed
	f.Signed = true                       // invalid: signature
	f.FileError = errors.New("mode 0644") // invalid: file
	f.Revoked = true                      // revoked
	f.Claimed = true                      // used
	good := facts(t, theApproval())
	steps := []struct {
		reason Reason
		detail string
		repair func()
	}{
		{Used, "", func() { f.Claimed = false }},
		{Revoked, "", func() { f.Revoked = false }},
		{Invalid, "file", func() { f.FileError = nil }},
		{Invalid, "signature", func() { f.Signed = false }},
		{Changed, "", func() { f.Digest = digest }},
		{Expired, "clock", func() { f.HighWater = good.HighWater }},
		{Expired, "", func() { f.Now = good.Now }},
		{Invalid, Unrecorded, func() { f.Recorded = true }},
		{Missing, "", func() { f.Need = 1 }},
		{Valid, "", func() {}},
	}
	for _, step := range steps {
		if v := Test(f); v.Reason != step.reason || v.Detail != step.detail {
			t.Fatalf("reason %q, detail %q; want %q, %q", v.Reason, v.Detail, step.reason, step.detail)
		}
		step.repair()
	}
}

func TestAUsedPlanIsUsedWithoutItsApproval(t *testing.T) {
	if v := Test(Facts{Claimed: true}); v.Reason != Used {
		t.Errorf("reason %q, want %q", v.Reason, Used)
	}
}

func TestAMissingGrantIsCounted(t *testing.T) {
	f := facts(t, theApproval())
	f.Need = 3
	if v := Test(f); v.Have != 1 || v.Need != 3 || v.Approval == nil {
		t.Errorf("have %d, need %d, approval %v", v.Have, v.Need, v.Approval)
	}
	f.File = nil
	if v := Test(f); v.Have != 0 || v.Need != 3 {
		t.Errorf("without a file: have %d, need %d", v.Have, v.Need)
	}
}

func TestAnApprovalIsStoredInOneForm(t *testing.T) {
	a := theApproval()
	file, err := a.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Encode()
	if err != nil || !bytes.Equal(again, file) {
		t.Errorf("stored again it is %s, %v", again, err)
	}
	if back.Oldest() != granted || back.Expires() != granted.Add(day) {
		t.Errorf("oldest grant %v, expires %v", back.Oldest(), back.Expires())
	}
	if (&Approval{}).Oldest() != (time.Time{}) {
		t.Error("no grants have an oldest one")
	}
	for name, change := range map[string][2]string{
		"another case":  {`"v":1`, `"V":1`},
		"a key more":    {`"v":1`, `"v":1,"w":1`},
		"a key twice":   {`"v":1`, `"v":1,"v":1`},
		"a key less":    {`"boot_id":"boot-1",`, ``},
		"blanks":        {`"v":1`, `"v": 1`},
		"another order": {`{"grants"`, `{"v":1,"grants"`},
		"short digest":  {`"plan_digest":"sha256:`, `"plan_digest":"sha256:0`},
		"another id":    {id.String(), "../../../etc/passwd"},
	} {
		changed := bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1)
		if bytes.Equal(changed, file) {
			t.Fatalf("%s: the test changes nothing in %s", name, file)
		}
		if _, err := Parse(changed); err == nil {
			t.Errorf("%s: read without a complaint", name)
		}
	}
}

func TestTheOldestGrantDecides(t *testing.T) {
	a := &Approval{Grants: []Grant{typed("a", granted), typed("b", granted.Add(-time.Hour)), typed("c", granted.Add(time.Hour))}}
	if got := a.Oldest(); got != granted.Add(-time.Hour) {
		t.Errorf("oldest %v", got)
	}
}
