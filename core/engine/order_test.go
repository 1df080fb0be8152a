package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/portmock"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/wire"
)

// event matches an audit entry of a kind.
type eventOf audit.Event

func (m eventOf) Matches(x any) bool {
	e, ok := x.(audit.Entry)
	return ok && e.Event == audit.Event(m)
}

func (m eventOf) String() string { return "an entry " + string(m) }

// line matches a journal line of a type.
type line string

func (m line) Matches(x any) bool {
	text, ok := x.([]byte)
	return ok && strings.Contains(string(text), `"type":"`+string(m)+`"`)
}

func (m line) String() string { return "a line " + string(m) }

// writer sends through a mock and does the rest itself.
type writer struct {
	port.Devices
	send *portmock.MockDeviceWriter
}

func (d writer) Open(ctx context.Context, p profile.Profile) (port.Device, error) {
	device, err := d.Devices.Open(ctx, p)
	return mockedDevice{device, d.send}, err
}

type mockedDevice struct {
	port.Device
	send *portmock.MockDeviceWriter
}

func (d mockedDevice) Send(ctx context.Context, r wire.Request, secrets map[string]string) exchange.Exchange {
	return d.send.Send(ctx, r, secrets)
}

// TestWhatIsDurableBeforeWhat is the protocol of an apply, as the ports see it: lock,
// beginning, backup, claim, intent, send, answer, verdict, end of the journal, end in the
// audit log, unlock.
func TestWhatIsDurableBeforeWhat(t *testing.T) {
	r := newRig(t)
	id := r.approved(critical)
	c := gomock.NewController(t)
	log, journals, journal := portmock.NewMockAuditLog(c), portmock.NewMockJournals(c), portmock.NewMockJournal(c)
	backups, locks, device := portmock.NewMockBackups(c), portmock.NewMockLocks(c), portmock.NewMockDeviceWriter(c)
	s := r.world.State
	log.EXPECT().Lines(gomock.Any()).DoAndReturn(s.Audit().Lines).AnyTimes()
	journals.EXPECT().List(gomock.Any()).DoAndReturn(s.Journals().List).AnyTimes()
	journals.EXPECT().Read(gomock.Any(), gomock.Any()).Return(nil, fault.New(fault.NotFound, "none")).AnyTimes()
	unlocked := false
	locks.EXPECT().Lock(gomock.Any(), "FGT60FTK20000001").Return(func() { unlocked = true }, nil)
	held := func() {
		if unlocked {
			t.Error("the device was unlocked too early")
		}
	}
	appended := func(_ context.Context, e audit.Entry) (audit.Head, error) {
		held()
		return s.Audit().Append(t.Context(), e)
	}
	kept := func(context.Context, []byte) error { held(); return nil }
	gomock.InOrder(
		log.EXPECT().Append(gomock.Any(), eventOf(audit.ApplyBegin)).DoAndReturn(appended),
		backups.EXPECT().Save(gomock.Any(), id, gomock.Any()).DoAndReturn(func(_ context.Context, _ plan.ID, fill func(io.Writer) error) (port.Backup, error) {
			return port.Backup{Name: "x"}, fill(io.Discard)
		}),
		journals.EXPECT().Claim(gomock.Any(), id, line("claim")).Return(journal, nil),
		journal.EXPECT().Append(gomock.Any(), line("intent")).DoAndReturn(kept),
		device.EXPECT().Send(gomock.Any(), gomock.Any(), gomock.Any()).DoAndReturn(r.world.Device.Send),
		journal.EXPECT().Append(gomock.Any(), line("answered")).DoAndReturn(kept),
		journal.EXPECT().Append(gomock.Any(), line("verdict")).DoAndReturn(kept),
		journal.EXPECT().Append(gomock.Any(), line("probe")).DoAndReturn(kept),
		log.EXPECT().Append(gomock.Any(), eventOf(audit.PlanCreated)).DoAndReturn(appended), // the rollback
		journal.EXPECT().Append(gomock.Any(), line("rollback")).DoAndReturn(kept),
		journal.EXPECT().Append(gomock.Any(), line("end")).DoAndReturn(kept),
		log.EXPECT().Append(gomock.Any(), eventOf(audit.ApplyEnd)).DoAndReturn(appended),
		journal.EXPECT().Close(),
	)
	r.start(func(p *engine.Ports) {
		p.Audit, p.Journals, p.Backups, p.Locks, p.Devices = log, journals, backups, locks, writer{p.Devices, device}
	})
	r.mustApply(id)
	if !unlocked {
		t.Error("the device stays locked")
	}
}

// An approval that leaves no trace must not exist: the record comes first.
func TestAnApprovalIsOnRecordBeforeItExists(t *testing.T) {
	r := newRig(t)
	id := r.mustPlan(comment).PlanID
	c := gomock.NewController(t)
	log, approvals := portmock.NewMockAuditLog(c), portmock.NewMockApprovals(c)
	log.EXPECT().Lines(gomock.Any()).DoAndReturn(r.world.State.Audit().Lines).AnyTimes()
	log.EXPECT().Head(gomock.Any()).DoAndReturn(r.world.State.Audit().Head).AnyTimes()
	approvals.EXPECT().Get(gomock.Any(), gomock.Any()).Return(nil, fault.New(fault.NotFound, "none")).AnyTimes()
	approvals.EXPECT().Revoked(gomock.Any(), gomock.Any()).Return(false, nil).AnyTimes()
	gomock.InOrder(
		log.EXPECT().Append(gomock.Any(), eventOf(audit.ApprovalGranted)).DoAndReturn(r.world.State.Audit().Append),
		approvals.EXPECT().Put(gomock.Any(), id, gomock.Any()).Return(nil),
	)
	r.start(func(p *engine.Ports) { p.Audit, p.Approvals = log, approvals })
	if err := r.approveAs(id, "alice"); err != nil {
		t.Fatal(err)
	}
}

// Whatever port fails with whatever error, the caller gets a code, and an error that is
// not ours shows nothing of its text.
func TestAStrangeErrorOfAPortShowsNothingOfItself(t *testing.T) {
	strange := errors.New("token abc123")
	r := newRig(t)
	id := r.approved(comment)
	for name, drop := range map[string]func(c *gomock.Controller, p *engine.Ports){
		"locks": func(c *gomock.Controller, p *engine.Ports) {
			m := portmock.NewMockLocks(c)
			m.EXPECT().Lock(gomock.Any(), gomock.Any()).Return(nil, strange)
			p.Locks = m
		},
		"journals": func(c *gomock.Controller, p *engine.Ports) {
			m := portmock.NewMockJournals(c)
			m.EXPECT().List(gomock.Any()).Return(nil, strange)
			p.Journals = m
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := gomock.NewController(t)
			r.start(func(p *engine.Ports) { drop(c, p) })
			_, err := r.apply(id)
			if f := r.wantCode(err, fault.Internal); strings.Contains(fmt.Sprint(f.Message, f.Details), "abc123") {
				t.Errorf("%v", f)
			}
		})
	}
}
