package ledger_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/golang/mock/gomock"

	"github.com/forti-mcp/forti/core/apply"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/ledger"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port/portmock"
	"github.com/forti-mcp/forti/core/wire"
)

var (
	id  = plan.NewID(fake.Start, [plan.RandomBytes]byte{1})
	now = func() time.Time { return fake.Start.In(time.FixedZone("", 3600)) }
)

func request(t *testing.T) wire.Request {
	t.Helper()
	r, err := wire.Delete("firewall/address", "root", operation.TextKey("a"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// records are the journal's lines.
func records(t *testing.T, s *fake.State) []apply.Record {
	t.Helper()
	data, err := s.Journals().Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	list, good, err := apply.ParseJournal(data)
	if err != nil || good != len(data) {
		t.Fatalf("%d of %d bytes, %v", good, len(data), err)
	}
	return list
}

// The intent is durable before the request is handed over, and the answer comes after it.
func TestTheIntentIsDurableBeforeTheSend(t *testing.T) {
	c := gomock.NewController(t)
	journals, journal, device := portmock.NewMockJournals(c), portmock.NewMockJournal(c), portmock.NewMockDeviceWriter(c)
	want := request(t)
	line := func(kind string) gomock.Matcher { return lineOf(kind) }
	secrets := map[string]string{"s0": "x"}
	gomock.InOrder(
		journals.EXPECT().Claim(gomock.Any(), id, line("claim")).Return(journal, nil),
		journal.EXPECT().Append(gomock.Any(), line("intent")).Return(nil),
		device.EXPECT().Send(gomock.Any(), want, secrets).Return(exchange.Exchange{Sent: true, Status: 200}),
		journal.EXPECT().Append(gomock.Any(), line("answered")).Return(nil),
		journal.EXPECT().Close().Return(nil),
	)
	book, err := ledger.Claim(t.Context(), journals, now, id, apply.Record{})
	if err != nil {
		t.Fatal(err)
	}
	intent, err := book.Intend(t.Context(), 0, want)
	if err != nil {
		t.Fatal(err)
	}
	x, err := intent.Send(t.Context(), device, secrets)
	if err != nil || x.Status != 200 {
		t.Fatalf("%+v %v", x, err)
	}
	if err := book.Record(t.Context(), apply.Record{Type: apply.Answered, Op: new(0)}); err != nil {
		t.Fatal(err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
}

// lineOf matches a journal line of a type.
type lineOf string

func (m lineOf) Matches(x any) bool {
	line, ok := x.([]byte)
	return ok && bytes.Contains(line, []byte(`"type":"`+string(m)+`"`)) && bytes.HasSuffix(line, []byte("\n"))
}

func (m lineOf) String() string { return "a line of type " + string(m) }

// An intent whose record failed does not exist, so nothing can be sent; and the book
// takes no more.
func TestWithoutADurableIntentThereIsNothingToSend(t *testing.T) {
	s := fake.NewState()
	book, err := ledger.Claim(t.Context(), s.Journals(), now, id, apply.Record{})
	if err != nil {
		t.Fatal(err)
	}
	s.Break(fake.Break{Step: fake.StepJournal, Nth: 1, How: fake.Refuse})
	intent, err := book.Intend(t.Context(), 0, request(t))
	if fault.CodeOf(err) != fault.Config || intent != nil {
		t.Fatalf("%v %v", intent, err)
	}
	s.Mend()
	if again, err := book.Intend(t.Context(), 0, request(t)); err == nil || again != nil {
		t.Fatal("after a failure the book took another intent")
	}
	if len(records(t, s)) != 1 {
		t.Fatalf("%d lines", len(records(t, s)))
	}
}

func TestAnIntentSendsOnce(t *testing.T) {
	s := fake.NewState()
	book, err := ledger.Claim(t.Context(), s.Journals(), now, id, apply.Record{})
	if err != nil {
		t.Fatal(err)
	}
	device := portmock.NewMockDeviceWriter(gomock.NewController(t))
	device.EXPECT().Send(gomock.Any(), gomock.Any(), gomock.Any()).Return(exchange.Exchange{Failure: exchange.FailDial}).Times(1)
	intent, err := book.Intend(t.Context(), 0, request(t))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := intent.Send(t.Context(), device, nil); err != nil || x.Failure != exchange.FailDial {
		t.Fatalf("%+v %v", x, err)
	}
	if x, err := intent.Send(t.Context(), device, nil); !errors.Is(err, ledger.ErrSpent) || x != (exchange.Exchange{}) {
		t.Fatalf("sent again: %+v %v", x, err)
	}
}

func TestAPlanIsClaimedOnce(t *testing.T) {
	s := fake.NewState()
	if _, err := ledger.Claim(t.Context(), s.Journals(), now, id, apply.Record{}); err != nil {
		t.Fatal(err)
	}
	if book, err := ledger.Claim(t.Context(), s.Another().Journals(), now, id, apply.Record{}); fault.CodeOf(err) != fault.Conflict || book != nil {
		t.Fatalf("%v %v", book, err)
	}
}

// The lines are numbered, dated in UTC, and an intent holds the hash of its request.
func TestTheLinesSayWhatWasDone(t *testing.T) {
	s := fake.NewState()
	book, err := ledger.Claim(t.Context(), s.Journals(), now, id, apply.Record{Serial: "FGT60FTK20000001", Type: apply.Ended, N: 9})
	if err != nil {
		t.Fatal(err)
	}
	r := request(t)
	if _, err := book.Intend(t.Context(), 3, r); err != nil {
		t.Fatal(err)
	}
	list := records(t, s)
	digest, err := r.Digest()
	if err != nil || digest == (canon.Digest{}) {
		t.Fatal(err)
	}
	claim, intent := list[0], list[1]
	if claim.Type != apply.Claimed || claim.PlanID != id || claim.Serial != "FGT60FTK20000001" || intent.Type != apply.Intended || *intent.Op != 3 || intent.Wire != digest {
		t.Errorf("%+v\n%+v", claim, intent)
	}
	for i, l := range list {
		if l.N != i || !l.At.Equal(fake.Start) || l.At.Location() != time.UTC {
			t.Errorf("line %d: %d at %s", i, l.N, l.At)
		}
	}
}

// An interrupted journal goes on behind its whole lines; the torn one is gone.
func TestAnInterruptedJournalGoesOn(t *testing.T) {
	s := fake.NewState()
	book, err := ledger.Claim(t.Context(), s.Journals(), now, id, apply.Record{})
	if err != nil {
		t.Fatal(err)
	}
	s.Break(fake.Break{Step: fake.StepJournal, Nth: 1, How: fake.DieTorn})
	if _, err := book.Intend(t.Context(), 0, request(t)); !errors.Is(err, fake.ErrCrashed) {
		t.Fatal(err)
	}
	s = s.Restart()
	data, err := s.Journals().Read(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	whole, good, err := apply.ParseJournal(data)
	if err != nil || len(whole) != 1 || good == len(data) {
		t.Fatalf("%d lines, %d of %d bytes, %v", len(whole), good, len(data), err)
	}
	again, err := ledger.Continue(t.Context(), s.Journals(), now, id, good, len(whole))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Record(t.Context(), apply.Record{Type: apply.Recovered, By: "test"}); err != nil {
		t.Fatal(err)
	}
	if list := records(t, s); len(list) != 2 || list[1].Type != apply.Recovered {
		t.Fatalf("%+v", list)
	}
}
