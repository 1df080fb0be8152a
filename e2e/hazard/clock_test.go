package hazard

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// ahead puts a record of a later time at the end of the audit log, as a program wrote it
// before somebody set the clock back.
func ahead(t *testing.T, lab *harness.Lab, by time.Duration) {
	t.Helper()
	path := lab.State("audit.jsonl")
	lines := slices.Collect(bytes.Lines([]byte(lab.Read(path))))
	last, err := audit.ParseLine(bytes.TrimSuffix(lines[len(lines)-1], []byte("\n")))
	must(t, err)
	e := audit.Entry{Event: audit.ConfigChanged, At: time.Now().UTC().Add(by), Program: "forti"}
	line, _, err := audit.Seal(e, audit.After(audit.Head{Seq: last.Seq, Hash: last.Hash}))
	must(t, err)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.Write(line)
	must(t, err, f.Close())
}

// On a clock that is behind what is on record the age of an approval means nothing.
func TestAClockThatWasSetBackEndsEveryApproval(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(update).PlanID
	ahead(t, lab, 4*time.Minute) // as far as clocks may disagree
	if s := lab.Show(id).State; s != "approved" {
		t.Errorf("state %q, want approved", s)
	}
	ahead(t, lab, 2*time.Hour)
	lab.Device.ForgetRequests()
	f := lab.TryApply(id).Failed(6, "approval_required")
	if d := f.Read(t); d.Reason != "expired" || !strings.Contains(string(f.Details), `"detail":"clock"`) {
		t.Errorf("reason %q, want expired for the clock: %s", d.Reason, f.Details)
	}
	if !strings.Contains(f.Message, "set the clock") {
		t.Errorf("what to do is not said: %s", f.Message)
	}
	// Nobody is asked for what would not hold.
	if r := lab.Terminal("plan", "approve", id).End(); r.Status != 3 || !strings.Contains(r.Stdout, "set the clock") {
		t.Errorf("approve ends with %d:\n%s", r.Status, r.Stdout)
	}
	if s := lab.Show(id).State; s != "planned" {
		t.Errorf("state %q, want planned", s)
	}
	if r := lab.Forti("doctor"); r.Status == 0 || !strings.Contains(r.Stdout, "set the clock") {
		t.Errorf("doctor ends with %d: %s", r.Status, r.Stdout)
	}
	lab.WantWrites(0)
}
