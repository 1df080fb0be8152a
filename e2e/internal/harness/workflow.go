package harness

import (
	"regexp"
	"strings"
)

// Plan stores a plan of a list of operations.
func (l *Lab) Plan(operations string, flags ...string) Plan {
	l.TB.Helper()
	var p Plan
	l.FortiWith(operations, append([]string{"plan", "create", "-f", "-", "-o", "json"}, flags...)...).Must(0).Envelope().Into(l.TB, &p)
	if p.PlanID == "" {
		l.TB.Fatalf("no plan was stored: %+v", p)
	}
	return p
}

// Show shows a stored plan.
func (l *Lab) Show(id string) Plan {
	l.TB.Helper()
	var p Plan
	l.Forti("plan", "show", id, "-o", "json").Must(0).Envelope().Into(l.TB, &p)
	return p
}

// TryApply applies a plan, however that ends.
func (l *Lab) TryApply(id string) Result {
	l.TB.Helper()
	return l.Forti("apply", id, "-o", "json")
}

// Apply applies a plan, which must succeed.
func (l *Lab) Apply(id string) Execution {
	l.TB.Helper()
	var x Execution
	l.TryApply(id).Must(0).Envelope().Into(l.TB, &x)
	return x
}

// question is the prompt of an approval: what it asks for, and the code.
var question = regexp.MustCompile(`Type (the code|the last 6 characters of the serial and the code| (\S+))? +([A-Z0-9]{4,})(  and the word  lockout)?  to approve: $`)

// serial is the device's serial number on the screen.
var serial = regexp.MustCompile(`\bFG[A-Z0-9]{14}\b`)

// Answer reads from a screen what has to be typed to approve.
func (l *Lab) Answer(screen string) string {
	l.TB.Helper()
	m := question.FindStringSubmatch(screen)
	if m == nil {
		l.TB.Fatalf("no question on the screen:\n%s", screen)
	}
	var words []string
	switch {
	case strings.Contains(m[1], "serial"):
		number := serial.FindString(screen)
		if number == "" {
			l.TB.Fatalf("no serial number on the screen:\n%s", screen)
		}
		words = append(words, number[len(number)-6:])
	case m[2] != "":
		words = append(words, m[2])
	}
	words = append(words, m[3])
	if m[4] != "" {
		words = append(words, "lockout")
	}
	return strings.Join(words, " ")
}

// Approve reads a plan at a terminal and approves it. It gives what was drawn.
func (l *Lab) Approve(id string) string {
	l.TB.Helper()
	t := l.Terminal("plan", "approve", id)
	screen := t.Expect("to approve: ")
	t.Type(l.Answer(screen) + "\n")
	return t.End().Must(0).Stdout
}

// Approved stores a plan and approves it.
func (l *Lab) Approved(operations string) Plan {
	l.TB.Helper()
	p := l.Plan(operations)
	l.Approve(p.PlanID)
	return p
}
