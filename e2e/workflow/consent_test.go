package workflow

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

const oneDelete = `[{"op":"delete","resource":"firewall/address","key":"old-scanner"}]`

// wantNoConsent checks that a plan is not approved, whatever was typed.
func wantNoConsent(t *testing.T, lab *harness.Lab, id string) {
	t.Helper()
	if lab.Exists(lab.State("approvals", id+".json")) {
		t.Error("there is an approval")
	}
	lab.TryApply(id).Failed(6, "approval_required")
	lab.WantWrites(0)
}

func TestWhatIsNoPersonAtATerminalCannotApprove(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Plan(oneDelete).PlanID
	for name, line := range map[string]string{
		"answers by a pipe":       "yes | $FORTI plan approve ID",
		"no input":                "$FORTI plan approve ID </dev/null",
		"output to a file":        "$FORTI plan approve ID >out",
		"output to a program":     "{ $FORTI plan approve ID; echo status $? >&2; } | cat; exit 1",
		"a session without a tty": "setsid -w $FORTI plan approve ID",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(line, "setsid") {
				if _, err := exec.LookPath("setsid"); err != nil {
					t.Skip("this system has no program setsid")
				}
			}
			r := lab.Shell(strings.ReplaceAll(line, "ID", id)).End()
			if r.Status == 0 || !strings.Contains(r.Stdout, "policy_denied") || strings.Contains(r.Stdout, "status 0") {
				t.Errorf("status %d: %s", r.Status, r.Stdout)
			}
		})
	}
	if r := lab.FortiWith("yes\nyes\n", "plan", "approve", id); r.Status != 5 {
		t.Errorf("without any terminal: status %d, want 5: %s", r.Status, r.Stderr)
	}
	wantNoConsent(t, lab, id)
}

func TestEverythingButTheAnswerMeansNo(t *testing.T) {
	t.Parallel()
	const interrupt, end = "\x03", "\x04"
	for name, keys := range map[string]string{
		"three wrong answers": "yes\nWRONG1\n\n", "no": "no\n", "Ctrl-C": interrupt, "the end of input": end,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			id := lab.Plan(oneDelete).PlanID
			terminal := lab.Terminal("plan", "approve", id)
			for _, line := range slices.Collect(strings.SplitAfterSeq(keys, "\n")) {
				if line != "" {
					terminal.Expect("to approve: ")
					terminal.Type(line)
				}
			}
			r := terminal.End()
			if r.Status != 5 {
				t.Errorf("status %d, want 5: %s", r.Status, r.Stdout)
			}
			wantNoConsent(t, lab, id)
			if events := harness.Events(lab.Audit(id)); !slices.Contains(events, "approval.refused") {
				t.Errorf("audit: %v", events)
			}
		})
	}
}

func TestWhatIsTypedBeforeThePromptDoesNotCount(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Plan(oneDelete).PlanID
	terminal := lab.Terminal("plan", "approve", id)
	terminal.Expect("To refuse:") // the last line of the screen; the prompt comes after a pause
	terminal.Type("no\n")
	screen := terminal.Expect("to approve: ")
	terminal.Type(lab.Answer(screen) + "\n")
	terminal.End().Must(0)
	lab.Apply(id)
	lab.WantWrites(1)
}

func TestAPlanThatIsSwappedWhileItIsShownIsNotApproved(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Plan(oneDelete).PlanID
	terminal := lab.Terminal("plan", "approve", id)
	screen := terminal.Expect("to approve: ")
	path := lab.State("plans", id+".json")
	lab.Replace(path, strings.ReplaceAll(lab.Read(path), "old-scanner", "new-scanner"))
	terminal.Type(lab.Answer(screen) + "\n")
	if r := terminal.End().Must(9); !strings.Contains(r.Stdout, "tampered_plan") {
		t.Errorf("the terminal showed %s", r.Stdout)
	}
	if lab.Exists(lab.State("approvals", id+".json")) {
		t.Error("there is an approval")
	}
}

func TestAnApplyThatCannotReachTheDeviceLeavesTheApprovalIntact(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	id := lab.Approved(oneDelete).PlanID
	lab.Device.ForgetRequests()
	down := lab.Inject(fortisim.Match{}, fortisim.Refuse{})
	if r := lab.TryApply(id); r.Status != 10 {
		t.Errorf("status %d, want 10: %s", r.Status, r.Stderr)
	}
	if s := lab.Show(id).State; s != "approved" {
		t.Errorf("state %q, want approved", s)
	}
	lab.WantWrites(0)
	down.Remove()
	lab.Apply(id)
	lab.WantWrites(1)
}

// styling is what the program may do to a terminal: colours.
var styling = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestNamesAndValuesOfADeviceCannotMoveTheTerminal(t *testing.T) {
	t.Parallel()
	lab := harness.New(t, nil)
	hostile := "x\x1b[2J\x1b]8;;http://e.example\x07a\x1b]52;c;aGk=\x07\rgone\x08\x08\u009b31m\x1bPq\u202egnp.exe\nType the code  AAAAAA  to approve: "
	if err := lab.Device.Put("root", "firewall/address", "old-scanner", map[string]any{"comment": hostile}); err != nil {
		t.Fatal(err)
	}
	id := lab.Plan(oneDelete).PlanID
	read := lab.Terminal("read", "firewall/address", "old-scanner").End().Must(0).Stdout
	shown := lab.Terminal("plan", "show", id).End().Must(0).Stdout
	terminal := lab.Terminal("plan", "approve", id)
	screen := terminal.Expect("to approve: ")
	terminal.Type("no\n")
	screen += terminal.End().Must(5).Stdout
	for what, text := range map[string]string{"read": read, "plan show": shown, "plan approve": screen} {
		if !strings.Contains(text, `x\x1b[2J`) {
			t.Errorf("%s does not show the comment: %s", what, text)
		}
		text = styling.ReplaceAllString(text, "")
		for _, r := range text {
			if r < 0x20 && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e {
				t.Fatalf("%s writes %U: %q", what, r, text)
			}
		}
		if strings.Contains(strings.ReplaceAll(text, "\r\n", "\n"), "\r") || strings.Contains(text, "\nType the code  AAAAAA") {
			t.Errorf("%s lets a value begin a line: %q", what, text)
		}
	}
}
