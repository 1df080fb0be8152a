package fake_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

var id = plan.NewID(fake.Start, [plan.RandomBytes]byte{1, 2, 3})

// step is one durable step and the question whether it is stored.
type step struct {
	name   string
	do     func(ctx context.Context, s *fake.State) error
	stored func(ctx context.Context, s *fake.State) bool
}

func read[T any](_ T, err error) bool { return err == nil }

func steps() []step {
	return []step{
		{fake.StepPlan, func(ctx context.Context, s *fake.State) error {
			return s.Plans().Put(ctx, port.StoredPlan{ID: id, File: []byte("{}")})
		},
			func(ctx context.Context, s *fake.State) bool { return read(s.Plans().Get(ctx, id)) }},
		{fake.StepSecrets, func(ctx context.Context, s *fake.State) error { return s.Secrets().Put(ctx, id, []byte("{}")) },
			func(ctx context.Context, s *fake.State) bool { return read(s.Secrets().Get(ctx, id)) }},
		{fake.StepApproval, func(ctx context.Context, s *fake.State) error { return s.Approvals().Put(ctx, id, []byte("{}")) },
			func(ctx context.Context, s *fake.State) bool { return read(s.Approvals().Get(ctx, id)) }},
		{fake.StepRevoke, func(ctx context.Context, s *fake.State) error { return s.Approvals().Revoke(ctx, id) },
			func(ctx context.Context, s *fake.State) bool {
				ok, err := s.Approvals().Revoked(ctx, id)
				return ok && err == nil
			}},
		{fake.StepClaim, func(ctx context.Context, s *fake.State) error {
			_, err := s.Journals().Claim(ctx, id, []byte("claim\n"))
			return err
		},
			func(ctx context.Context, s *fake.State) bool { return read(s.Journals().Read(ctx, id)) }},
		{fake.StepAudit, func(ctx context.Context, s *fake.State) error {
			_, err := s.Audit().Append(ctx, audit.Entry{At: fake.Start})
			return err
		},
			func(ctx context.Context, s *fake.State) bool {
				_, ok, err := s.Audit().Head(ctx)
				return ok && err == nil
			}},
		{fake.StepBackup, func(ctx context.Context, s *fake.State) error {
			_, err := s.Backups().Save(ctx, id, func(w io.Writer) error { _, err := w.Write([]byte("#")); return err })
			return err
		}, func(_ context.Context, s *fake.State) bool { return len(s.Backups().Names()) == 1 }},
	}
}

func TestEveryStepCanFailInEveryWay(t *testing.T) {
	ways := []struct {
		name            string
		how             fake.How
		dead, isStored  bool
		worksAfterwards bool
	}{
		{"refused", fake.Refuse, false, false, true},
		{"refused for good", fake.RefuseAll, false, false, false},
		{"dead before", fake.DieBefore, true, false, false},
		{"dead half way", fake.DieTorn, true, false, false},
		{"dead after", fake.DieAfter, true, true, false},
	}
	for _, st := range steps() {
		for _, way := range ways {
			t.Run(st.name+" "+way.name, func(t *testing.T) {
				s := fake.NewState()
				s.Break(fake.Break{Step: st.name, Nth: 1, How: way.how})
				err := st.do(t.Context(), s)
				if fault.CodeOf(err) != fault.Config || errors.Is(err, fake.ErrCrashed) != way.dead || s.Crashed() != way.dead {
					t.Errorf("%v, crashed %v", err, s.Crashed())
				}
				if got := st.stored(t.Context(), s.Another()); got != way.isStored {
					t.Errorf("stored: %v, want %v", got, way.isStored)
				}
				if way.dead || way.isStored {
					return
				}
				if err := st.do(t.Context(), s); (err == nil) != way.worksAfterwards {
					t.Errorf("the next one: %v", err)
				}
			})
		}
	}
}

func TestADeadProcessCanDoNothing(t *testing.T) {
	s := fake.NewState()
	j, err := s.Journals().Claim(t.Context(), id, []byte("claim\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Locks().Lock(t.Context(), "device"); err != nil {
		t.Fatal(err)
	}
	next := s.Restart()
	for _, st := range steps() {
		if err := st.do(t.Context(), s); !errors.Is(err, fake.ErrCrashed) {
			t.Errorf("%s: %v", st.name, err)
		}
	}
	if err := j.Append(t.Context(), []byte("late\n")); !errors.Is(err, fake.ErrCrashed) {
		t.Errorf("Append: %v", err)
	}
	if data, err := next.Journals().Read(t.Context(), id); err != nil || string(data) != "claim\n" {
		t.Errorf("the journal reads %q, %v", data, err)
	}
	if _, err := next.Locks().Lock(t.Context(), "device"); err != nil {
		t.Errorf("the lock did not vanish: %v", err)
	}
}

// What the anchor remembers is the record that was written, also where the process died
// before it could say so.
func TestTheAnchorOutlivesADeathAfterTheRecord(t *testing.T) {
	s := fake.NewState()
	if _, err := s.Audit().Append(t.Context(), audit.Entry{At: fake.Start}); err != nil {
		t.Fatal(err)
	}
	s.Break(fake.Break{Step: fake.StepAudit, Nth: 1, How: fake.DieAfter})
	if _, err := s.Audit().Append(t.Context(), audit.Entry{At: fake.Start}); !errors.Is(err, fake.ErrCrashed) {
		t.Fatal(err)
	}
	next := s.Restart()
	head, _, err := next.Audit().Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if anchor, ok, err := next.Audit().Anchor(t.Context()); err != nil || !ok || anchor != head || head.Seq != 1 {
		t.Errorf("the anchor is %v, the head %v (%v)", anchor, head, err)
	}
}

// A lock that went with its process is another's now.
func TestALateReleaseFreesNobodyElsesLock(t *testing.T) {
	s := fake.NewState()
	release, err := s.Locks().Lock(t.Context(), "device")
	if err != nil {
		t.Fatal(err)
	}
	next := s.Restart()
	if _, err := next.Locks().Lock(t.Context(), "device"); err != nil {
		t.Fatal(err)
	}
	release()
	if _, err := next.Another().Locks().Lock(t.Context(), "device"); fault.CodeOf(err) != fault.Conflict {
		t.Errorf("Lock: %v", err)
	}
}

func TestATornJournalLineCountsAsAbsent(t *testing.T) {
	s := fake.NewState()
	line := func(n int, kind apply.RecordType) []byte {
		r := apply.Record{N: n, At: fake.Start, Type: kind, Digest: canon.Sum(nil)}
		if kind == apply.Intended {
			r = apply.Record{N: n, At: fake.Start, Type: kind, Op: new(int), Wire: canon.Sum(nil)}
		}
		data, err := apply.EncodeLine(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	j, err := s.Journals().Claim(t.Context(), id, line(0, apply.Claimed))
	if err != nil {
		t.Fatal(err)
	}
	s.Break(fake.Break{Step: fake.StepJournal, Nth: 2, How: fake.DieTorn})
	if err := j.Append(t.Context(), line(1, apply.Intended)); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), line(2, apply.Answered)); !errors.Is(err, fake.ErrCrashed) {
		t.Fatalf("Append: %v", err)
	}
	data, err := s.Restart().Journals().Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	records, good, err := apply.ParseJournal(data)
	if err != nil || len(records) != 2 || good >= len(data) {
		t.Errorf("%d records, %d of %d bytes good, %v", len(records), good, len(data), err)
	}
}

func TestATornAuditRecordIsRepairedByTheNextProcess(t *testing.T) {
	s := fake.NewState()
	s.Break(fake.Break{Step: fake.StepAudit, Nth: 2, How: fake.DieTorn})
	for range 2 {
		_, _ = s.Audit().Append(t.Context(), audit.Entry{Event: audit.ApplyBegin, At: fake.Start})
	}
	log := s.Restart().Audit()
	if _, err := log.Append(t.Context(), audit.Entry{Event: audit.ApplyAborted, At: fake.Start}); err != nil {
		t.Fatal(err)
	}
	first, err := log.First(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var events []audit.Event
	report, err := audit.Verify(first, log.Lines(t.Context()), func(r audit.Record) { events = append(events, r.Event) })
	if err != nil || report.Broken() || !slices.Equal(events, []audit.Event{audit.ApplyBegin, audit.Repaired, audit.ApplyAborted}) {
		t.Errorf("%v, %+v, %v", events, report, err)
	}
}

func TestTheStepsAreNamedInTheirOrder(t *testing.T) {
	s := fake.NewState()
	var want []string
	for _, st := range steps() {
		want = append(want, st.name)
		if err := st.do(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Plans().Put(t.Context(), port.StoredPlan{ID: id}); fault.CodeOf(err) != fault.Conflict {
		t.Error(err)
	}
	if got := s.Steps(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q; a conflict is no step", got, want)
	}
}
