package engine_test

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// editedJournals is journals that somebody edits.
type editedJournals struct {
	port.Journals
	edit func(data []byte) []byte
	gone bool
}

func (j editedJournals) Read(ctx context.Context, id plan.ID) ([]byte, error) {
	if j.gone {
		return nil, fault.New(fault.NotFound, "none")
	}
	data, err := j.Journals.Read(ctx, id)
	if err == nil && j.edit != nil {
		data = j.edit(data)
	}
	return data, err
}

func (j editedJournals) List(ctx context.Context) ([]plan.ID, error) {
	if j.gone {
		return nil, nil
	}
	return j.Journals.List(ctx)
}

// AU-01: a log that was edited, cut or taken from another time is broken, and so is one
// that the journals contradict.
func TestAuditVerifyFindsWhatWasTamperedWith(t *testing.T) {
	lines := func(change func(lines [][]byte) [][]byte) func(r *rig) {
		return func(r *rig) {
			err := r.world.State.Audit().Tamper(func(data []byte) []byte { return bytes.Join(change(bytes.SplitAfter(data, []byte("\n"))), nil) })
			if err != nil {
				r.Fatal(err)
			}
		}
	}
	journals := func(j editedJournals) func(r *rig) {
		return func(r *rig) {
			r.start(func(p *engine.Ports) { j.Journals = p.Journals; p.Journals = j })
		}
	}
	tests := []struct {
		name   string
		tamper func(r *rig)
		broken string // "" where it is incomplete only
		part   string
	}{
		{"a record edited", lines(func(l [][]byte) [][]byte {
			l[1] = bytes.Replace(l[1], []byte("alice"), []byte("mally"), 1)
			return l
		}), "record 1", ""},
		{"a record taken out", lines(func(l [][]byte) [][]byte { return append(l[:2:2], l[3:]...) }), "record 2", ""},
		{"records swapped", lines(func(l [][]byte) [][]byte { l[1], l[2] = l[2], l[1]; return l }), "record 1", ""},
		{"a record twice", lines(func(l [][]byte) [][]byte { return append(l[:2:2], l[1:]...) }), "record 2", ""},
		{"the end cut off", lines(func(l [][]byte) [][]byte { return l[:len(l)-3] }), "the end was cut off", ""},
		{"nothing left", lines(func([][]byte) [][]byte { return nil }), "the end was cut off", ""},
		{"half a last line more", lines(func(l [][]byte) [][]byte { return append(l, l[0][:len(l[0])/2]) }), "", "the last line is torn"},
		{"a journal edited", journals(editedJournals{edit: func(d []byte) []byte { return bytes.Replace(d, []byte(`"guarded"`), []byte(`"guarder"`), 1) }}), "the journal of plan", ""},
		{"a journal cut", journals(editedJournals{edit: func(d []byte) []byte { return d[:bytes.LastIndexByte(d[:len(d)-1], '\n')+1] }}), "", "has no end yet"},
		{"a journal gone", journals(editedJournals{gone: true}), "its journal is gone", ""},
		{"another approval", func(r *rig) {
			ids, _ := r.world.State.Journals().List(r.Context())
			r.editApproval(ids[0], func(f []byte) []byte { return append(f, ' ') })
		}, "", "is not the one on record"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := newRig(t)
			r.done(comment)
			r.sound()
			test.tamper(r)
			report, err := r.engine.VerifyAudit(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if report.Broken() != (test.broken != "") {
				t.Fatalf("%s", show(report))
			}
			if bad := engine.Broken(report); test.broken != "" {
				if f := r.wantCode(bad, fault.Config); !strings.Contains(f.Message, test.broken) {
					t.Errorf("%v", f)
				}
			} else if bad != nil || !strings.Contains(strings.Join(report.Incomplete, "\n"), test.part) {
				t.Errorf("%v %s", bad, show(report))
			}
		})
	}
}

// An apply takes an approval that was written by hand only where its record was forged as
// well. Where that record does not stay, the approval does not stay unseen.
func TestAuditVerifyFindsAnApprovalThatNobodyGave(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	r.editApproval(id, func(f []byte) []byte { return bytes.Replace(f, []byte("alice"), []byte("mally"), 1) })
	_ = r.stops(id, fault.ApprovalRequired, "invalid")
	r.start(func(p *engine.Ports) {
		p.Audit = forgedLog{p.Audit, audit.Entry{
			Event: audit.ApprovalGranted, At: r.world.Clock.Now(), PlanID: id, Digest: r.shown(id).Digest,
			Approval: &audit.ApprovalRef{File: canon.Sum(r.approvalFile(id))},
		}}
	})
	r.mustApply(id)
	r.start()
	report, err := r.engine.VerifyAudit(t.Context())
	if err != nil || !report.Broken() || !strings.Contains(report.Problem, "an approval that nobody gave on record") {
		t.Errorf("%v: %s", err, show(report))
	}
}

// forgedLog shows readers one record more than there is.
type forgedLog struct {
	port.AuditLog
	entry audit.Entry
}

func (f forgedLog) Lines(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for line, err := range f.AuditLog.Lines(ctx) {
			if !yield(line, err) {
				return
			}
		}
		line, _, err := audit.Seal(f.entry, audit.First("forged"))
		yield(line, err)
	}
}

// A plan whose execution is on record and whose journal is gone is not run again.
func TestAPlanWhoseJournalIsGoneIsNotRunAgain(t *testing.T) {
	everyMode(t, func(r *rig, ready func(string) plan.ID) {
		id := ready("[" + address("a") + "]")
		r.mustApply(id)
		if err := r.world.Device.Remove(fake.At("firewall/address"), fake.Key("a")); err != nil {
			t.Fatal(err)
		}
		r.start(func(p *engine.Ports) { p.Journals = editedJournals{Journals: p.Journals, gone: true} })
		_ = r.stops(id, fault.Config, "")
	})
}

// A damaged journal ends all work on its plan.
func TestADamagedJournalEndsTheWorkOnItsPlan(t *testing.T) {
	r := newRig(t)
	id, other := r.approved("["+address("a")+"]"), r.approved("["+address("b")+"]")
	r.mustApply(id)
	r.start(func(p *engine.Ports) {
		p.Journals = editedJournals{Journals: p.Journals, edit: func(d []byte) []byte { return bytes.Replace(d, []byte(`"n":1`), []byte(`"n":9`), 1) }}
	})
	_ = r.stops(id, fault.Config, "")
	_, err := r.engine.Show(t.Context(), r.caller, id)
	_ = r.wantCode(err, fault.Config)
	r.start()
	r.mustApply(other)
}

// The rollback plan whose audit record could not be written is vouched for by the journal
// of the run that made it; without that it is not applied.
func TestARollbackIsVouchedForByTheJournal(t *testing.T) {
	r := newRig(t, mode(profile.Autonomous))
	id := r.mustPlan("[" + address("a") + "]").PlanID
	r.world.State.Break(fake.Break{Step: fake.StepAudit, Nth: 2, How: fake.Refuse}) // the rollback's creation
	x := r.mustApply(id)
	undo := *x.Rollback.PlanID
	if len(r.events(undo)) != 0 {
		t.Fatal("the creation is on record")
	}
	r.start(func(p *engine.Ports) {
		p.Journals = editedJournals{Journals: p.Journals, edit: func(d []byte) []byte { return d[:bytes.IndexByte(d, '\n')+1] }}
	})
	_ = r.stops(undo, fault.Config, "")
	r.start()
	r.mustApply(undo)
}

// A change between the look at the whole plan and the first request stops the run before
// the claim, so that the approval is not burnt.
func TestALastMomentChangeLeavesTheApprovalUnused(t *testing.T) {
	r := newRig(t)
	id := r.approved(comment)
	was := r.object("firewall/address", "lan")["color"]
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallObject, Key: "lan", Times: 1}, Fault: fake.Fault{After: func() { r.meddle("lan", map[string]any{"color": 9}) }}})
	_ = r.stops(id, fault.StalePlan, "object")
	r.usable(id)
	var got []string
	for _, e := range r.events(id) {
		got = append(got, string(e.Event))
	}
	if strings.Join(got, " ") != "plan.created approval.granted apply.begin apply.aborted" {
		t.Fatalf("%v", got)
	}
	r.world.Device.Heal()
	r.meddle("lan", map[string]any{"color": was})
	r.mustApply(id)
}

// An approval that runs out while the backup is made does not count any more.
func TestAnApprovalIsAskedForAgainAtTheClaim(t *testing.T) {
	r := newRig(t)
	id := r.approved(critical)
	r.world.Device.Fail(fake.Rule{Match: fake.Match{Call: fake.CallBackup, Times: 1}, Fault: fake.Fault{After: func() { r.world.Clock.Advance(24 * time.Hour) }}})
	_ = r.stops(id, fault.ApprovalRequired, "expired")
}

// The operator's own act is part of the story.
func TestAChangeOfTheConfigurationIsOnRecord(t *testing.T) {
	r := newRig(t)
	if err := r.engine.RecordConfig(t.Context(), r.caller, "demo", profile.Autonomous); err != nil {
		t.Fatal(err)
	}
	if err := r.engine.RecordConfig(t.Context(), r.caller, "../x", profile.Autonomous); fault.CodeOf(err) != fault.Config {
		t.Fatal(err)
	}
	all := r.events(plan.ID{})
	if len(all) != 1 || all[0].Event != audit.ConfigChanged || all[0].Profile != "demo" || all[0].Mode != profile.Autonomous || all[0].User != "alice" {
		t.Fatalf("%s", show(all))
	}
}

// A run that is told of after a crash is told as it was, whoever asks first.
func TestAnInterruptedRunIsClosedByWhoeverLooks(t *testing.T) {
	looks := map[string]func(r *rig, id plan.ID) error{
		"show": func(r *rig, id plan.ID) error { _, err := r.engine.Show(r.Context(), r.caller, id); return err },
		"list": func(r *rig, _ plan.ID) error { _, err := r.engine.List(r.Context(), r.caller); return err },
		"apply": func(r *rig, id plan.ID) error {
			_, err := r.apply(id)
			if fault.CodeOf(err) == fault.ApprovalRequired {
				return nil
			}
			return err
		},
	}
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			id := r.approved("[" + address("a") + "," + address("b") + "]")
			r.world.State.Break(fake.Break{Step: fake.StepJournal, Nth: 2, How: fake.DieBefore}) // the first answer
			_, _ = r.apply(id)
			r.world.Restart()
			r.start()
			if err := look(r, id); err != nil {
				t.Fatal(err)
			}
			v := r.shown(id)
			if v.State != apply.UnknownOutcome || v.Execution.Operations[0].Status != "outcome_unknown" || v.Execution.Operations[1].Status != "not_attempted" || v.Execution.Rollback == nil {
				t.Fatalf("%s", show(v.Execution))
			}
			ends := slices.DeleteFunc(r.events(id), func(e audit.Record) bool { return e.Event != audit.ApplyEnd })
			if len(ends) != 1 || !ends[0].Recovered || ends[0].State != apply.UnknownOutcome {
				t.Fatalf("%s", show(ends))
			}
		})
	}
}

// Who holds the lock is at work: nobody else closes its record.
func TestARunOfALivingProcessIsLeftAlone(t *testing.T) {
	r := newRig(t)
	id := r.approved("[" + address("a") + "]")
	r.world.State.Break(fake.Break{Step: fake.StepJournal, Nth: 2, How: fake.DieBefore})
	_, _ = r.apply(id)
	r.world.Restart()
	r.start()
	release, err := r.world.State.Another().Locks().Lock(t.Context(), "FGT60FTK20000001")
	if err != nil {
		t.Fatal(err)
	}
	if got := r.state(id); got != apply.Applying {
		t.Fatalf("it shows as %s", got)
	}
	release()
	if got := r.state(id); got != apply.UnknownOutcome {
		t.Fatalf("it shows as %s", got)
	}
}
