package crash

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

func TestASIGTERMLetsTheRunningOperationEndAndAttemptsNoOther(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(twoCreates).PlanID
	p := lab.Start("apply", id, "-o", "json")
	signalInTheFirstWrite(t, lab, p)
	f := p.Wait().Failed(12, "partial_failure")
	x := f.Execution(t)
	wantInterrupted(t, lab, id, &x)
}

func TestASIGTERMEndsTheServerAfterTheAnswer(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(twoCreates).PlanID
	s := lab.Serve()
	s.Begin("forti_apply", `{"plan_id":"`+id+`"}`)
	signalInTheFirstWrite(t, lab, s.Process)
	f := lab.Tool(s.Line()).Structured.Failed(t, "partial_failure")
	x := f.Execution(t)
	s.Wait().Must(0)
	wantInterrupted(t, lab, id, &x)
}

// signalInTheFirstWrite sends a SIGTERM while the device holds the first write,
// and lets the device go on when the program has taken the signal.
func signalInTheFirstWrite(t *testing.T, lab *harness.Lab, p *harness.Process) {
	t.Helper()
	write := lab.Hold(firstWrite, false)
	p.Await(write)
	read := lab.Hold(firstRead, false)
	p.Signal(syscall.SIGTERM)
	untilTaken(t, p.PID(), syscall.SIGTERM)
	write.Release()
	p.Await(read) // by then the program has had all the time it needs
	read.Release()
}

// wantInterrupted checks what became of a run that was asked to end within its
// first operation.
func wantInterrupted(t *testing.T, lab *harness.Lab, id string, x *harness.Execution) {
	t.Helper()
	wantStatuses(t, x, "verified", "not_attempted")
	lab.WantWrites(1)
	if !has(lab, "firewall/address", "first") || has(lab, "firewall.service/custom", "second") {
		t.Error("the device does not have what is told")
	}
	if s := lab.Show(id).State; s != "partial" {
		t.Errorf("state %q, want partial", s)
	}
	wantEvents(t, lab, id, "plan.created approval.granted apply.begin apply.end")
	for _, r := range lab.Audit(id) {
		if r.Event == "apply.end" && (r.Outcome != "partial" || r.Recovered || fmt.Sprint(r.Ops) != "[{verified} {not_attempted}]") {
			t.Errorf("the end record: %+v", r)
		}
	}
	lab.Forti("audit", "verify").Must(0)
}

// untilTaken waits until a process has taken a signal that it was sent.
func untilTaken(t *testing.T, pid int, s syscall.Signal) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return // elsewhere nothing tells; the device's answer takes longer
	}
	for {
		pending := uint64(0)
		for line := range strings.Lines(readFile(t, fmt.Sprintf("/proc/%d/status", pid))) {
			name, value, _ := strings.Cut(line, ":")
			if name != "SigPnd" && name != "ShdPnd" {
				continue
			}
			mask, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			pending |= mask
		}
		if pending&(1<<(s-1)) == 0 {
			return
		}
		runtime.Gosched()
	}
}
