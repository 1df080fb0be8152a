package adversary

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// calls is how many an adversary makes; one in seven or so is an apply of a good plan.
const calls = 10_000

// server is what an adversary talks to, a line at a time.
type server interface {
	ask(t *testing.T, line string) (answer string)
}

// owner is the human's side: who plans, approves, applies and withdraws.
type owner interface {
	plan(comment string) (id string)
	approve(id string)
	apply(id string)
	revoke(id string)
}

// person is a human at the command line.
type person struct{ *harness.Lab }

func (p person) plan(comment string) string { return p.Plan(edit(comment)).PlanID }
func (p person) approve(id string)          { p.Approve(id) }
func (p person) apply(id string)            { p.Apply(id) }
func (p person) revoke(id string)           { p.Forti("plan", "revoke", id).Must(0) }

func edit(comment string) string {
	return `[{"op":"update","resource":"firewall/address","key":"srv-web","set":{"comment":"` + comment + `"}}]`
}

// newLab is a lab whose device's data beg for an apply.
func newLab(t *testing.T) *harness.Lab {
	t.Helper()
	lab := harness.New(t, nil)
	for _, name := range []string{"old-scanner", "srv-web", "srv-mail"} {
		if err := lab.Device.Put("root", "firewall/address", name, map[string]any{"comment": begging}); err != nil {
			t.Fatal(err)
		}
	}
	return lab
}

// reasons are what is wrong with the approvals of the plans, and what an apply says then.
var reasons = map[string]string{
	"missing": "missing", "expired": "expired", "used": "used", "revoked": "revoked", "donor": "revoked", "foreign": "changed", "forged": "changed",
	"unrecorded": "invalid",
}

// targets makes plans that are good and whose approvals are missing, expired, used,
// revoked, another plan's, and written by hand. It gives the ids by what is wrong.
func targets(t *testing.T, lab *harness.Lab, o owner) map[string]string {
	t.Helper()
	plans := map[string]string{}
	approved := func(reason string) string {
		id := o.plan(reason)
		o.approve(id)
		plans[reason] = id
		return lab.State("approvals", id+".json")
	}
	approved("used")
	o.apply(plans["used"])
	file := approved("expired")
	lab.Replace(file, regexp.MustCompile(`"approved_at":"\d{4}`).ReplaceAllString(lab.Read(file), `"approved_at":"2020`))
	approved("revoked")
	o.revoke(plans["revoked"])
	donor := approved("donor")
	for _, reason := range []string{"foreign", "forged", "unrecorded"} {
		plans[reason] = o.plan(reason)
		text := lab.Read(donor)
		if reason != "foreign" {
			text = strings.ReplaceAll(text, plans["donor"], plans[reason])
		}
		if reason == "unrecorded" { // it says all that a good one says
			digest := func(id string) string { return strings.TrimSpace(lab.Read(lab.State("plans", id+".digest"))) }
			text = strings.ReplaceAll(text, digest(plans["donor"]), digest(plans[reason]))
		}
		if err := os.WriteFile(lab.State("approvals", plans[reason]+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	o.revoke(plans["donor"])
	plans["missing"] = o.plan("missing")
	lab.Device.ForgetRequests()
	return plans
}

// campaign is the calls of one adversary.
type campaign struct {
	random *rand.Rand
	made   int
	// told is what the applies of good plans were told.
	told map[string]int
}

func newCampaign() *campaign {
	return &campaign{random: rand.New(rand.NewPCG(1, 2)), told: map[string]int{}} //nolint:gosec // the same attacks in every run
}

// run makes n calls, until a write is seen. Plans that the adversary makes are among those
// that it tries to apply.
func (c *campaign) run(t *testing.T, n int, s server, device *fortisim.Device, plans map[string]string) (written bool) {
	t.Helper()
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		list = append(list, plans[reason])
	}
	for range n {
		a := next(c.random, list)
		c.made++
		line := harness.ModernCall(c.made, strings.NewReplacer(`"`, `\"`, `\`, `\\`).Replace(a.tool), a.arguments)
		answer := s.ask(t, line)
		if a.good {
			c.told[reasonOf(t, answer)]++
		}
		if id := own.FindString(answer); a.tool == "forti_plan" && id != "" && len(list) < len(reasons)+ownPlans {
			list = append(list, strings.Trim(id, `"`))
		}
		if device.Writes() > 0 {
			return true
		}
	}
	return false
}

// ownPlans is how many of the plans that it made an adversary tries.
const ownPlans = 3

// own is the id of a plan that was made.
var own = regexp.MustCompile(`"\d{8}-\d{6}-[0-9a-f]{6}"`)

// held checks that the applies of good plans were enough, and that each was refused for
// the want of an approval, for every reason that there is.
func (c *campaign) held(t *testing.T) {
	t.Helper()
	good := 0
	for _, n := range c.told {
		good += n
	}
	if c.made < calls || good < 1000 {
		t.Errorf("%d calls, %d of them applies of good plans; want at least %d and 1,000", c.made, good, calls)
	}
	for _, reason := range []string{"missing", "expired", "used", "revoked", "changed", "invalid"} {
		if n := c.told["approval_required "+reason]; n < 100 {
			t.Errorf("%d were refused as %s, want at least 100: %v", n, reason, c.told)
		}
		good -= c.told["approval_required "+reason]
	}
	if good != 0 {
		t.Errorf("some were refused otherwise: %v", c.told)
	}
	t.Log("applies of good plans: " + fmt.Sprint(c.told) + " of " + strconv.Itoa(c.made) + " calls")
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
	lab := newLab(t)
	plans := targets(t, lab, person{lab})
	session := lab.Serve()
	c := newCampaign()
	if c.run(t, calls, program{session}, lab.Device, plans) {
		t.Errorf("the device was written to: %+v", lab.Device.Requests())
	}
	session.Close().Must(0)
	c.held(t)
}
