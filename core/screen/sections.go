package screen

import (
	"cmp"
	"math"
	"slices"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/redact"
)

// device is the line on top.
func (r *renderer) device() {
	d := r.Plan.Device
	text := r.name(d.Profile) + "  " + r.name(d.Host) + ":" + safe(number(d.Port)) + "  " + r.name(d.Serial) +
		"  " + r.name(d.Model) + " " + r.name(d.Version) + " build " + safe(number(d.Build)) +
		"  vdom " + r.name(d.VDOM) + "  " + safe(r.mode()) + "  planned " + safe(ago(r.Now.Sub(r.Plan.CreatedAt)))
	r.data(margin("@"), text)
}

func (r *renderer) mode() own {
	switch r.Mode {
	case profile.ReadOnly:
		return "mode read_only"
	case profile.Guarded:
		return "mode guarded"
	case profile.Autonomous:
		return "mode autonomous"
	}
	return "mode unknown"
}

func (r *renderer) title() {
	p := r.Plan
	r.gap()
	if p.Kind == plan.Rollback {
		r.say("PLAN ", planID(p.ID), ", which undoes plan ", planID(p.Parent))
	} else {
		r.say("PLAN ", planID(p.ID))
	}
	r.say("Made ", stamp(p.CreatedAt), "; can be applied until ", stamp(p.CreatedAt.Add(plan.Lifetime)), ".")
	r.data(margin("@"), "identity "+r.name(p.Device.Trust))
	m := p.Management
	r.data(margin("@"), "this connection: "+r.known(m.Local)+" to "+r.known(m.Remote)+", interface "+r.known(m.Interface)+
		", API user "+r.known(m.APIUser))
}

// known is a name, or the word for one that is not known.
func (r *renderer) known(s string) safe {
	if s == "" {
		return "unknown"
	}
	return r.name(s)
}

// findings lists what is critical or high here, worst first; the rest stands
// with its operation.
func (r *renderer) findings() {
	r.gap()
	r.say("RISK: ", tierName(r.Plan.Risk.Tier))
	reasons := slices.Clone(r.Plan.Risk.Reasons)
	slices.SortStableFunc(reasons, func(a, b plan.Reason) int { return cmp.Compare(b.Tier.Rank(), a.Tier.Rank()) })
	left := 0
	for _, f := range reasons {
		if f.Tier.Rank() < plan.High.Rank() && f.Operation >= 0 {
			left++
			continue
		}
		r.finding(margin("!"), f, true)
	}
	if left > 0 {
		r.say("Lesser findings, shown with their operations: ", number(left), ".")
	}
	if r.lockout() {
		r.say("THIS PLAN CAN LOCK THIS PROGRAM OUT OF THE DEVICE.")
	}
}

func (r *renderer) finding(gutter own, f plan.Reason, where bool) {
	text := safe(tierName(f.Tier)) + " " + r.name(f.Rule)
	if where && f.Operation >= 0 {
		text += " (operation " + safe(number(f.Operation)) + ")"
	}
	r.data(gutter, text+": "+r.value(f.Text, true))
}

func (r *renderer) lockout() bool {
	return slices.ContainsFunc(r.Plan.Risk.Reasons, func(f plan.Reason) bool { return f.Rule == LockoutRule })
}

// LockoutRule is the rule after which the human must also type "lockout".
const LockoutRule = "R-LOCKOUT-02"

// deletes lists first what goes away, rows of lists included.
func (r *renderer) deletes() {
	said := false
	head := func() {
		if !said {
			r.gap()
			r.say("WHAT IS DELETED OR REMOVED")
			said = true
		}
	}
	for i := range r.Plan.Operations {
		op := &r.Plan.Operations[i]
		if op.Op == plan.OpDelete {
			head()
			r.data(gutter(op.Index, "x"), r.object(op))
			continue
		}
		for _, d := range r.removed(op) {
			head()
			r.data(gutter(op.Index, "x"), r.object(op)+", "+r.name(d.name)+": "+safe(plural(len(d.rows), "row"))+" removed: "+r.rowNames(d))
		}
	}
}

// object names what an operation is about.
func (r *renderer) object(op *plan.Operation) safe {
	text := r.name(op.Resource)
	if !op.Key.IsZero() {
		text += " " + r.key(op)
	}
	return text
}

func (r *renderer) key(op *plan.Operation) safe {
	if op.Key.IsInteger() {
		return safe(op.Key.String())
	}
	return r.quoted(op.Key.String())
}

// limits says what cannot be verified and what cannot be rolled back.
func (r *renderer) limits() {
	var unverified, forever []func()
	for i := range r.Plan.Operations {
		op := &r.Plan.Operations[i]
		g := gutter(op.Index, "?")
		if op.Op == plan.OpAction {
			unverified = append(unverified, func() { r.data(g, r.object(op)+": an action; there is nothing to read back") })
			forever = append(forever, func() { r.data(g, r.object(op)+": an action cannot be undone") })
		}
		for _, s := range op.Secrets {
			unverified = append(unverified, func() { r.data(g, r.name(s.Pointer)+": "+r.secretRef(s)) })
			forever = append(forever, func() { r.data(g, r.name(s.Pointer)+": the old secret is not known") })
		}
	}
	for _, f := range r.Plan.Risk.Reasons {
		if f.Rule == "R-IRREV-01" {
			forever = append(forever, func() { r.data(gutter(f.Operation, "?"), r.value(f.Text, true)) })
		}
	}
	for _, text := range r.Plan.Irreversible {
		forever = append(forever, func() { r.data(margin("?"), r.value(text, true)) })
	}
	r.section("WHAT CANNOT BE VERIFIED AFTERWARDS", unverified)
	r.section("WHAT CANNOT BE ROLLED BACK", forever)
}

func (r *renderer) section(title own, lines []func()) {
	if len(lines) == 0 {
		return
	}
	r.gap()
	r.say(title)
	for _, line := range lines {
		line()
	}
}

// surroundings is backup, saving, and what else happens to the device.
func (r *renderer) surroundings() {
	r.gap()
	switch r.Backup {
	case BackupTaken:
		r.say("Backup: the configuration is saved first; if that fails, nothing is sent.")
	case BackupOff:
		r.say("Backup: NONE. The operator switched it off.")
	case BackupUnneeded:
		r.say("Backup: none; the plan is not critical.")
	default:
		r.say("Backup: UNKNOWN.")
	}
	if save := r.Plan.Management.Save; save != "automatic" {
		r.say("The device may not keep the changes:")
		r.data(margin("!"), "cfg-save is "+r.known(save))
	}
	r.say("Nothing reverts by itself: commit-confirm is not armed.")
	r.list("Applied to this device in the last 24 hours: ", r.Recent)
	r.list("Plans with an unknown outcome: ", r.Unresolved)
	r.say("Other plans waiting: ", number(r.Pending), ".")
}

func (r *renderer) list(title own, ids []string) {
	r.say(title, number(len(ids)), ".")
	var text safe
	for i, id := range ids {
		if i > 0 {
			text += ", "
		}
		text += r.name(id)
	}
	if len(ids) > 0 {
		r.data(margin("#"), text)
	}
}

// notices lists what is unusual in the texts shown, and names that look alike.
func (r *renderer) notices() {
	var lines []func()
	if n := r.Plan.SecretCount(); n > 0 {
		lines = append(lines, func() { r.data(margin("*"), "secret values in this plan, none shown: "+safe(number(n))) })
	}
	for _, odd := range r.odd {
		lines = append(lines, func() { r.data(margin("*"), safe(redact.Escape(odd))) })
	}
	lines = append(lines, r.lookalikes()...)
	r.section("NOTE", lines)
}

// consent is the digest and what an approval means.
func (r *renderer) consent() {
	r.gap()
	r.say("DIGEST ", digest(r.Digest))
	r.say("short: ", own(Short(r.Digest.Hex())))
	if !r.Audit.Hash.IsZero() {
		r.say("Audit log: record ", number(int(min(r.Audit.Seq, math.MaxInt32))), ", ", digest(r.Audit.Hash))
	}
	r.say("An approval is for exactly this digest and holds for ", number(int(approval.Lifetime.Hours())), " hours.")
	need := max(r.Need, 1)
	if r.Signed {
		r.say("Approvals, each signed: ", number(r.Have), " of ", number(need), ".")
		r.signers()
	} else {
		r.say("Approvals: ", number(r.Have), " of ", number(need), ".")
	}
	r.say("To refuse: press Ctrl-C. To withdraw the plan for good: forti plan revoke ", planID(r.Plan.ID))
}

// signersShown bounds how many signers are named.
const signersShown = 20

// signers is who may sign: an approval counts only while the list is this one.
func (r *renderer) signers() {
	if r.Signers.Digest.IsZero() {
		return
	}
	r.say("Who may sign, by the list ", digest(r.Signers.Digest), ":")
	for i, name := range r.Signers.Names {
		if i == signersShown {
			r.say("and ", number(len(r.Signers.Names)-i), " more")
			break
		}
		r.data(margin("*"), safe(redact.Escape(name)))
	}
}

// claim is the requester's reason, as a claim.
func (r *renderer) claim() {
	if r.Reason == "" {
		return
	}
	r.gap()
	r.say("THE REQUESTER CLAIMS (this was not checked)")
	r.data(margin("~"), safe(redact.Shorten(r.Reason)))
}

// Short is the first twelve digits of a digest in threes of four, to be compared
// by eye.
func Short(hex string) string {
	if len(hex) < 12 {
		return hex
	}
	return hex[:4] + " " + hex[4:8] + " " + hex[8:12]
}
