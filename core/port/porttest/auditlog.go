package porttest

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// AuditHarness is the harness of [RunAuditLog].
type AuditHarness struct {
	New func(t *testing.T) AuditFixture
	// Without may declare Damage.
	Without Without
}

// AuditFixture is an empty log.
type AuditFixture struct {
	// Open gives the log as one more process sees it.
	Open func() port.AuditLog
	// Damage rewrites the log's bytes behind the port's back.
	Damage func(t *testing.T, change func(data []byte) []byte)
}

// RunAuditLog checks [port.AuditLog].
func RunAuditLog(t *testing.T, h AuditHarness) {
	run := func(name string, test func(t *testing.T, f AuditFixture)) {
		t.Run(name, func(t *testing.T) { test(t, h.New(t)) })
	}
	run("an empty log has no head and no anchor", auditEmpty)
	run("the chain verifies from its first link", auditChain)
	run("Append returns the head, and the anchor follows it", auditHead)
	run("many processes append to one chain", auditRace)
	run("Lines stops when it is told to", auditLinesStop)
	run("an entry comes back as it was given", auditEntry)
	damaged := func(name string, test func(t *testing.T, f AuditFixture)) {
		run(name, func(t *testing.T, f AuditFixture) {
			h.Without.need(t, Damage, f.Damage != nil)
			test(t, f)
		})
	}
	damaged("a torn tail is set aside and that is recorded first", auditTorn)
	damaged("nothing is appended after a damaged record", auditDamaged)
	damaged("a log whose end is gone does not agree with the anchor", auditShortened)
}

func entry(i int) audit.Entry {
	at := time.Date(2026, 10, 15, 10, 45, 12, 123456789, time.UTC)
	return audit.Entry{Event: audit.ApplyRefused, At: at.Add(time.Duration(i) * time.Second), UID: 1000, Note: fmt.Sprintf("number %d", i)}
}

func appendEntries(t *testing.T, log port.AuditLog, n int) audit.Head {
	t.Helper()
	var head audit.Head
	for i := range n {
		var err error
		head, err = log.Append(t.Context(), entry(i))
		must(t, err)
	}
	return head
}

// verified walks the chain and gives its records.
func verified(t *testing.T, log port.AuditLog) (audit.Report, []audit.Record) {
	t.Helper()
	first, err := log.First(t.Context())
	must(t, err)
	var records []audit.Record
	report, err := audit.Verify(first, log.Lines(t.Context()), func(r audit.Record) { records = append(records, r) })
	must(t, err)
	return report, records
}

func auditEmpty(t *testing.T, f AuditFixture) {
	log := f.Open()
	_, ok, err := log.Head(t.Context())
	must(t, err)
	_, anchored, err := log.Anchor(t.Context())
	must(t, err)
	report, records := verified(t, log)
	if ok || anchored || report.Broken() || len(records) != 0 {
		t.Errorf("head %v, anchor %v, %+v", ok, anchored, report)
	}
}

func auditChain(t *testing.T, f AuditFixture) {
	appendEntries(t, f.Open(), 5)
	report, records := verified(t, f.Open())
	if report.Broken() || report.Torn || len(records) != 5 {
		t.Fatalf("%+v", report)
	}
	if first, err := f.Open().First(t.Context()); err != nil || records[0].Seq != 0 || records[0].Prev != first.Prev {
		t.Errorf("the first record does not follow the first link: %v", err)
	}
}

func auditHead(t *testing.T, f AuditFixture) {
	log := f.Open()
	for i := range 3 {
		head, err := log.Append(t.Context(), entry(i))
		must(t, err)
		for _, log := range []port.AuditLog{log, f.Open()} {
			got, ok, err := log.Head(t.Context())
			must(t, err)
			anchor, anchored, err := log.Anchor(t.Context())
			must(t, err)
			if !ok || got != head || !anchored || anchor != head {
				t.Errorf("after record %d the head is %+v and the anchor %+v, want %+v", i, got, anchor, head)
			}
		}
		if head.Seq != uint64(i) { //nolint:gosec // i is small
			t.Errorf("record %d has the number %d", i, head.Seq)
		}
	}
}

func auditRace(t *testing.T, f AuditFixture) {
	processes := []port.AuditLog{f.Open(), f.Open()}
	for _, err := range race(16, func(i int) error {
		_, err := processes[i%2].Append(t.Context(), entry(i))
		return err
	}) {
		must(t, err)
	}
	report, records := verified(t, f.Open())
	if report.Broken() || len(records) != 16 {
		t.Errorf("%+v", report)
	}
}

func auditLinesStop(t *testing.T, f AuditFixture) {
	log := f.Open()
	appendEntries(t, log, 4)
	seen := 0
	for line, err := range log.Lines(t.Context()) {
		must(t, err)
		if !bytes.HasSuffix(line, []byte("\n")) {
			t.Errorf("line %d has no newline", seen)
		}
		if seen++; seen == 2 {
			break
		}
	}
	if seen != 2 {
		t.Errorf("%d lines were given", seen)
	}
}

func auditEntry(t *testing.T, f AuditFixture) {
	log := f.Open()
	want := entry(0)
	want.Ops = []audit.Op{{Op: "create", Resource: "firewall/address", Key: "a"}}
	_, err := log.Append(t.Context(), want)
	must(t, err)
	_, records := verified(t, log)
	if len(records) != 1 || !records[0].At.Equal(want.At) || records[0].Note != want.Note || len(records[0].Ops) != 1 || records[0].Ops[0] != want.Ops[0] {
		t.Errorf("%+v", records)
	}
}

func auditTorn(t *testing.T, f AuditFixture) {
	appendEntries(t, f.Open(), 3)
	f.Damage(t, func(data []byte) []byte { return data[:len(data)-10] })
	log := f.Open()
	if report, _ := verified(t, log); !report.Torn || report.Records != 2 {
		t.Fatalf("the torn line is not shown as it is: %+v", report)
	}
	head, err := log.Append(t.Context(), entry(3))
	must(t, err)
	report, records := verified(t, f.Open())
	if report.Broken() || report.Torn || len(records) != 4 || head.Seq != 3 {
		t.Fatalf("%+v, %d records", report, len(records))
	}
	if records[2].Event != audit.Repaired || records[3].Note != "number 3" {
		t.Errorf("the records after the tear are %s and %s", records[2].Event, records[3].Event)
	}
}

func auditDamaged(t *testing.T, f AuditFixture) {
	appendEntries(t, f.Open(), 3)
	f.Damage(t, func(data []byte) []byte { return bytes.Replace(data, []byte("number 2"), []byte("nummer 2"), 1) })
	log := f.Open()
	_, err := log.Append(t.Context(), entry(3))
	wantCode(t, err, fault.Config)
	if report, _ := verified(t, log); report.BadSeq != 2 {
		t.Errorf("%+v", report)
	}
}

func auditShortened(t *testing.T, f AuditFixture) {
	last := appendEntries(t, f.Open(), 3)
	f.Damage(t, func(data []byte) []byte {
		lines := bytes.SplitAfter(data, []byte("\n"))
		return bytes.Join(lines[:2], nil)
	})
	log := f.Open()
	head, ok, err := log.Head(t.Context())
	must(t, err)
	anchor, anchored, err := log.Anchor(t.Context())
	must(t, err)
	if !ok || head.Seq != 1 || !anchored || anchor != last {
		t.Errorf("head %+v, anchor %+v, want the anchor to remember %+v", head, anchor, last)
	}
}
