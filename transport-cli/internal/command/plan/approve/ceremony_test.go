package approve_test

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/transport-cli/internal/command/plan/approve"
	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// table is a person at a terminal and the engine, in one.
type table struct {
	review   engine.Review
	width    int
	columns  int
	answer   func(prompt string) (string, error)
	drawn    strings.Builder
	broken   error
	consent  *engine.Evidence
	digest   canon.Digest
	refused  []string
	unlogged error
	lost     error
}

func (b *table) Review(_ context.Context, _ engine.Caller, id plan.ID, width int, _ bool) (*engine.Review, error) {
	b.width = width
	r := b.review
	r.PlanID = id
	return &r, b.lost
}

func (b *table) Approve(_ context.Context, _ engine.Caller, id plan.ID, d canon.Digest, ev engine.Evidence) (*engine.Approved, error) {
	b.consent, b.digest = &ev, d
	return &engine.Approved{PlanID: id}, nil
}

func (b *table) RefuseApproval(ctx context.Context, _ engine.Caller, _ plan.ID, why string) error {
	b.refused = append(b.refused, why)
	return errors.Join(ctx.Err(), b.unlogged)
}

func (b *table) Name() string                                    { return "/dev/pts/9" }
func (b *table) Size() (columns, rows int)                       { return b.columns, 24 }
func (b *table) Write(text string) error                         { b.drawn.WriteString(text); return b.broken }
func (b *table) Key(context.Context, string) (byte, error)       { return 0, io.EOF }
func (b *table) Ask(_ context.Context, p string) (string, error) { return b.answer(p) }

func (b *table) Sleep(ctx context.Context, d time.Duration) error {
	if d == terminal.Patience {
		<-ctx.Done()
	}
	return ctx.Err()
}

func laid(tier plan.Tier) *table {
	return &table{columns: 80, review: engine.Review{
		Digest: canon.Sum([]byte("plan")), Screen: "screen\n", Header: "header\n", Tier: tier, Profile: "home", Serial: "FGT60F0000ABCDEF", Operations: 1,
	}}
}

func (b *table) run(ctx context.Context, t *testing.T, random string) (*engine.Approved, error) {
	t.Helper()
	id, err := plan.ParseID("20261015-104512-a1b2c3")
	if err != nil {
		t.Fatal(err)
	}
	c := approve.Ceremony{Engine: b, Terminal: b, Session: approve.Session{
		Clock: b, Random: []byte(random), Approver: approval.Approver{User: "alice", TTY: "/dev/console"},
	}}
	return c.Run(ctx, id)
}

const session = "sixteen bytes or more"

var code = regexp.MustCompile(`\b[A-Z2-9]{6}\b`)

func TestWhatIsTypedDependsOnTheTier(t *testing.T) {
	for _, tt := range []struct {
		name    string
		tier    plan.Tier
		lockout bool
		typed   func(code string) string
		yes     bool
	}{
		{"low: the code", plan.Low, false, func(c string) string { return c }, true},
		{"medium: the code", plan.Medium, false, func(c string) string { return c }, true},
		{"high: profile and code", plan.High, false, func(c string) string { return "home " + c }, true},
		{"high: the code alone is not enough", plan.High, false, func(c string) string { return c }, false},
		{"critical: end of the serial and code", plan.Critical, false, func(c string) string { return "ABCDEF " + c }, true},
		{"critical: profile and code are not enough", plan.Critical, false, func(c string) string { return "home " + c }, false},
		{"an unknown tier counts as critical", "odd", false, func(c string) string { return c }, false},
		{"lockout: the word too", plan.Critical, true, func(c string) string { return "ABCDEF " + c + " lockout" }, true},
		{"lockout: not without the word", plan.Critical, true, func(c string) string { return "ABCDEF " + c }, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := laid(tt.tier)
			b.review.Lockout = tt.lockout
			shown := ""
			b.answer = func(prompt string) (string, error) {
				shown = code.FindString(prompt)
				return tt.typed(shown), nil
			}
			_, err := b.run(t.Context(), t, session)
			if (err == nil) != tt.yes || (b.consent != nil) != tt.yes || (len(b.refused) == 0) != tt.yes {
				t.Fatalf("%v; consent %v, refused %q", err, b.consent, b.refused)
			}
			if !tt.yes {
				return
			}
			want := &engine.Evidence{
				Method: approval.Typed, Screen: canon.Sum([]byte("screen\n")), Challenge: shown,
				Approver: approval.Approver{User: "alice", TTY: "/dev/pts/9"},
			}
			if diff := cmp.Diff(want, b.consent, cmp.Comparer(func(a, b canon.Digest) bool { return a == b })); diff != "" || b.digest != b.review.Digest {
				t.Errorf("evidence (-want +got):\n%s\ndigest %s", diff, b.digest)
			}
		})
	}
}

func TestTheCodeIsNewForEachSessionAndEachPlan(t *testing.T) {
	seen := map[string]string{}
	for _, random := range []string{session, session + "2", "another sixteen bytes"} {
		for _, of := range []string{"plan", "other plan"} {
			b := laid(plan.Low)
			b.review.Digest = canon.Sum([]byte(of))
			b.answer = func(prompt string) (string, error) {
				c := code.FindString(prompt)
				if before, twice := seen[c]; twice || c == "" {
					t.Errorf("the code %q of %s, %s was that of %s", c, random, of, before)
				}
				seen[c] = random + ", " + of
				return "no", nil
			}
			if _, err := b.run(t.Context(), t, random); fault.CodeOf(err) != fault.PolicyDenied {
				t.Error(err)
			}
		}
	}
}

func TestNothingIsAskedWhereAnApprovalCouldNotCount(t *testing.T) {
	asks := func(t *testing.T, b *table) {
		b.answer = func(string) (string, error) {
			t.Error("somebody was asked")
			return "", io.EOF
		}
	}
	t.Run("the profile takes signatures", func(t *testing.T) {
		b := laid(plan.Low)
		b.review.Signers = "signers"
		asks(t, b)
		if _, err := b.run(t.Context(), t, session); fault.From(err).Details["reason"] != "signature_needed" {
			t.Error(err)
		}
	})
	t.Run("the session has too little randomness", func(t *testing.T) {
		b := laid(plan.Low)
		asks(t, b)
		if _, err := b.run(t.Context(), t, "short"); fault.CodeOf(err) != fault.Internal {
			t.Error(err)
		}
	})
	t.Run("the engine has no such plan to show", func(t *testing.T) {
		b := laid(plan.Low)
		b.lost = fault.New(fault.NotFound, "no such plan")
		asks(t, b)
		if _, err := b.run(t.Context(), t, session); fault.CodeOf(err) != fault.NotFound || len(b.refused) > 0 {
			t.Errorf("%v, refused %q", err, b.refused)
		}
	})
}

func TestARefusalIsRecordedWhateverHappens(t *testing.T) {
	t.Run("an interrupt before the prompt", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		b := laid(plan.Low)
		_, err := b.run(ctx, t, session)
		if f := fault.From(err); f.Code != fault.PolicyDenied || f.Details["audit_error"] != nil {
			t.Errorf("%v %v", f, f.Details)
		}
		if diff := cmp.Diff([]string{"interrupted"}, b.refused); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a terminal that fails", func(t *testing.T) {
		b := laid(plan.Low)
		b.broken = errors.New("gone")
		if _, err := b.run(t.Context(), t, session); fault.CodeOf(err) != fault.PolicyDenied || !errors.Is(err, b.broken) || b.consent != nil {
			t.Errorf("%v, consent %v", err, b.consent)
		}
		if diff := cmp.Diff([]string{"the terminal failed"}, b.refused); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("a log that takes no record", func(t *testing.T) {
		b := laid(plan.Low)
		b.answer = func(string) (string, error) { return "", io.EOF }
		b.unlogged = fault.New(fault.Config, "the disk is full")
		_, err := b.run(t.Context(), t, session)
		if f := fault.From(err); f.Code != fault.PolicyDenied || f.Details["audit_error"] != "the disk is full" || !strings.Contains(f.Message, "could not be recorded") {
			t.Errorf("%v %v", f, f.Details)
		}
	})
}

func TestAScreenIsNeverMadeForLessThanFortyColumns(t *testing.T) {
	for columns, want := range map[int]int{10: 40, 40: 40, 132: 132} {
		b := laid(plan.Low)
		b.columns = columns
		b.answer = func(string) (string, error) { return "no", nil }
		if _, err := b.run(t.Context(), t, session); err == nil || b.width != want {
			t.Errorf("%d columns: drawn for %d, want %d (%v)", columns, b.width, want, err)
		}
	}
}

// A plan that waits for others is not told as approved, neither to the person nor through
// that person to a model.
func TestAPlanThatNeedsAnotherApprovalIsNotCalledApproved(t *testing.T) {
	id, err := plan.ParseID("20261015-104512-a1b2c3")
	if err != nil {
		t.Fatal(err)
	}
	for _, have := range []int{1, 2} {
		p := view.NewPage(view.Style{})
		approve.Draw(p, &engine.Approved{PlanID: id, Have: have, Need: 2, Apply: "forti apply " + id.String()})
		text := p.String()
		if done := have == 2; strings.Contains(text, "is approved; call forti_apply") != done || strings.Contains(text, "forti apply") != done ||
			strings.Contains(text, "1 of 2") == done || strings.Contains(text, "not approved yet") == done {
			t.Errorf("%d of 2:\n%s", have, text)
		}
	}
}
