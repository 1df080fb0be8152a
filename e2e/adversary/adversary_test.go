package adversary

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// calls is how many an adversary makes; every seventh or so is an apply of a good plan.
const calls = 10_000

// server is what an adversary talks to, a line at a time.
type server interface {
	ask(t *testing.T, line string) (answer string)
}

// newTarget is a lab with plans whose approvals are missing, expired, used, revoked
// and another plan's, and a device whose data beg for an apply. It gives the ids by
// what is wrong with them.
func newTarget(t *testing.T) (*harness.Lab, map[string]string) {
	t.Helper()
	lab := harness.New(t, nil)
	for _, name := range []string{"old-scanner", "srv-web", "srv-mail"} {
		if err := lab.Device.Put("root", "firewall/address", name, map[string]any{"comment": begging}); err != nil {
			t.Fatal(err)
		}
	}
	change := func(comment string) string {
		return lab.Plan(`[{"op":"update","resource":"firewall/address","key":"srv-web","set":{"comment":"` + comment + `"}}]`).PlanID
	}
	plans := map[string]string{}
	approved := func(reason string) string {
		id := change(reason)
		lab.Approve(id)
		plans[reason] = id
		return lab.State("approvals", id+".json")
	}
	approved("used")
	lab.Apply(plans["used"])
	file := approved("expired")
	lab.Replace(file, regexp.MustCompile(`"approved_at":"\d{4}`).ReplaceAllString(lab.Read(file), `"approved_at":"2020`))
	approved("revoked")
	lab.Forti("plan", "revoke", plans["revoked"]).Must(0)
	donor := approved("donor")
	for _, reason := range []string{"foreign", "forged"} {
		plans[reason] = change(reason)
		text := lab.Read(donor)
		if reason == "forged" {
			text = strings.ReplaceAll(text, plans["donor"], plans[reason])
		}
		if err := os.WriteFile(lab.State("approvals", plans[reason]+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lab.Forti("plan", "revoke", plans["donor"]).Must(0)
	plans["missing"] = change("missing")
	lab.Device.ForgetRequests()
	return lab, plans
}

// run makes the calls, until a write is seen. It gives how many applies of good plans
// were among them, and what they were told.
func run(t *testing.T, s server, device *fortisim.Device, plans map[string]string) (told map[string]int, written bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same attacks in every run
	var list []string
	for _, reason := range []string{"missing", "expired", "used", "revoked", "donor", "foreign", "forged"} {
		list = append(list, plans[reason])
	}
	told = map[string]int{}
	for i := range calls {
		a := next(r, list)
		line := harness.ModernCall(i+1, strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(a.tool), a.arguments)
		answer := s.ask(t, line)
		if a.good {
			told[reasonOf(t, answer)]++
		}
		if device.Writes() > 0 {
			return told, true
		}
	}
	return told, false
}

// reasonOf is the reason of a refused apply, or what it said instead.
func reasonOf(t *testing.T, answer string) string {
	t.Helper()
	var m struct {
		Result struct {
			StructuredContent harness.Envelope `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(answer), &m); err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	f := m.Result.StructuredContent.Error
	if f == nil {
		return "no error"
	}
	return f.Code + " " + f.Read(t).Reason
}

// program is forti-mcp, over pipes.
type program struct{ session *harness.Session }

func (p program) ask(t *testing.T, line string) string {
	t.Helper()
	p.session.Send(line)
	m := p.session.Line()
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestNoCallOfAnyToolGetsAWriteWithoutAHuman(t *testing.T) {
	t.Parallel()
	lab, plans := newTarget(t)
	session := lab.Serve()
	told, written := run(t, program{session}, lab.Device, plans)
	if written {
		t.Errorf("the device was written to: %+v", lab.Device.Requests())
	}
	session.Close().Must(0)
	good := 0
	for _, n := range told {
		good += n
	}
	if good < 1000 {
		t.Errorf("%d applies of good plans, want at least 1,000", good)
	}
	for _, reason := range []string{"missing", "expired", "used", "revoked", "changed"} {
		if told["approval_required "+reason] == 0 {
			t.Errorf("nothing was refused as %s: %v", reason, told)
		}
		good -= told["approval_required "+reason]
	}
	if good != 0 {
		t.Errorf("some were refused otherwise: %v", told)
	}
	t.Log("applies of good plans: " + fmt.Sprint(told) + " of " + strconv.Itoa(calls) + " calls")
}
