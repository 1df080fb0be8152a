package audit_test

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/audit"
)

const install = "0123456789abcdef0123456789abcdef"

var start = time.Date(2026, 10, 15, 10, 45, 12, 500, time.UTC)

// chain seals n records, a second apart.
func chain(t testing.TB, n int) [][]byte {
	t.Helper()
	at := audit.First(install)
	var lines [][]byte
	for i := range n {
		line, head, err := audit.Seal(audit.Entry{
			Event: audit.PlanCreated, At: start.Add(time.Duration(i) * time.Second), UID: 1000,
			Reason: fmt.Sprintf("number %d", i), Profile: "demo", Ops: []audit.Op{{Op: "create", Resource: "firewall/address", Key: "a"}},
		}, at)
		if err != nil {
			t.Fatal(err)
		}
		lines, at = append(lines, line), audit.After(head)
	}
	return lines
}

func each(lines [][]byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for _, line := range lines {
			if !yield(line, nil) {
				return
			}
		}
	}
}

// file gives the lines of a log as a reader of the file would find them.
func file(data []byte) iter.Seq2[[]byte, error] {
	return each(slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(l []byte) bool { return len(l) == 0 }))
}

func verify(t testing.TB, lines iter.Seq2[[]byte, error]) audit.Report {
	t.Helper()
	report, err := audit.Verify(audit.First(install), lines, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestAWholeChainIsGood(t *testing.T) {
	for _, n := range []int{0, 1, 2, 50} {
		lines := chain(t, n)
		var heard []uint64
		report, err := audit.Verify(audit.First(install), each(lines), func(r audit.Record) { heard = append(heard, r.Seq) })
		if err != nil || report.Broken() || report.Torn || report.Records != n || len(report.Warnings) > 0 {
			t.Errorf("%d records: %+v, %v", n, report, err)
		}
		if len(heard) != n || n > 0 && (heard[n-1] != uint64(n-1) || report.Head == nil || report.Head.Seq != uint64(n-1)) {
			t.Errorf("%d records: heard %v, head %+v", n, heard, report.Head)
		}
		if n == 0 && report.Head != nil {
			t.Errorf("an empty log has the head %+v", report.Head)
		}
	}
}

func TestADamagedChainIsReportedWithItsNumber(t *testing.T) {
	const n = 6
	edited := func(lines [][]byte, i int) {
		lines[i] = bytes.Replace(lines[i], []byte("number"), []byte("nummer"), 1)
	}
	// resealed is an edit by somebody who computes that record's hash again.
	resealed := func(t *testing.T, lines [][]byte, i int) {
		r, err := audit.ParseLine(bytes.TrimSuffix(lines[i], []byte("\n")))
		if err != nil {
			t.Fatal(err)
		}
		r.Reason = "something else"
		if lines[i], _, err = audit.Seal(r.Entry, audit.Link{Seq: r.Seq, Prev: r.Prev}); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name    string
		change  func(t *testing.T, lines [][]byte) [][]byte
		bad     int64
		problem string
	}{
		{"the first edited", func(_ *testing.T, l [][]byte) [][]byte { edited(l, 0); return l }, 0, "hash"},
		{"one edited", func(_ *testing.T, l [][]byte) [][]byte { edited(l, 3); return l }, 3, "hash"},
		{"the last edited", func(_ *testing.T, l [][]byte) [][]byte { edited(l, n-1); return l }, n - 1, "hash"},
		{"one edited and its hash made again", func(t *testing.T, l [][]byte) [][]byte { resealed(t, l, 2); return l }, 3, "does not follow"},
		{"the first deleted", func(_ *testing.T, l [][]byte) [][]byte { return l[1:] }, 0, "stands where"},
		{"one deleted", func(_ *testing.T, l [][]byte) [][]byte { return slices.Delete(l, 2, 3) }, 2, "stands where"},
		{"two swapped", func(_ *testing.T, l [][]byte) [][]byte { l[1], l[2] = l[2], l[1]; return l }, 1, "stands where"},
		{"the last two swapped", func(_ *testing.T, l [][]byte) [][]byte { l[4], l[5] = l[5], l[4]; return l }, 4, "stands where"},
		{"one twice", func(_ *testing.T, l [][]byte) [][]byte { return slices.Insert(l, 3, l[3]) }, 4, "stands where"},
		{"the last twice", func(_ *testing.T, l [][]byte) [][]byte { return append(l, l[5]) }, 6, "stands where"},
		{"an empty line", func(_ *testing.T, l [][]byte) [][]byte { return slices.Insert(l, 2, []byte("\n")) }, 2, "record 2"},
		{"a line that is no record", func(_ *testing.T, l [][]byte) [][]byte { return slices.Insert(l, 2, []byte("{}\n")) }, 2, "record 2"},
		{"white space in a line", func(_ *testing.T, l [][]byte) [][]byte { l[2] = append([]byte(" "), l[2]...); return l }, 2, "canonical"},
		{"a torn line in the middle", func(_ *testing.T, l [][]byte) [][]byte { l[2] = l[2][:20]; return l }, 2, "incomplete"},
		{"another installation's log", func(t *testing.T, l [][]byte) [][]byte {
			line, _, err := audit.Seal(audit.Entry{Event: audit.PlanCreated, At: start}, audit.First("another"))
			if err != nil {
				t.Fatal(err)
			}
			return [][]byte{line}
		}, 0, "does not follow"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report := verify(t, each(tt.change(t, chain(t, n))))
			if !report.Broken() || report.BadSeq != tt.bad || !strings.Contains(report.Problem, tt.problem) {
				t.Errorf("reported %d, %q; want %d, …%s…", report.BadSeq, report.Problem, tt.bad, tt.problem)
			}
			if report.Records != int(tt.bad) || report.Torn {
				t.Errorf("%d records counted as good, torn %v", report.Records, report.Torn)
			}
		})
	}
}

func TestATornTailIsNoBreak(t *testing.T) {
	lines := chain(t, 3)
	last := lines[2]
	for _, cut := range []int{1, len(last) / 2, len(last) - 1} {
		lines[2] = last[:cut]
		report := verify(t, each(lines))
		if !report.Torn || report.Broken() || report.Records != 2 || report.Head == nil || report.Head.Seq != 1 {
			t.Errorf("cut at %d: %+v", cut, report)
		}
	}
}

// A chain cannot know that its end is missing: that is what the anchor is for.
func TestALogWithoutItsLastRecordsIsConsistent(t *testing.T) {
	if report := verify(t, each(chain(t, 5)[:3])); report.Broken() || report.Records != 3 {
		t.Errorf("%+v", report)
	}
}

func TestAClockThatGoesBackIsAWarning(t *testing.T) {
	at := audit.First(install)
	var lines [][]byte
	// The last but one waited for another record to be written: it is no news.
	for _, offset := range []time.Duration{0, time.Hour, -time.Hour, 2 * time.Hour, 2*time.Hour - 10*time.Second, 2 * time.Hour} {
		line, head, err := audit.Seal(audit.Entry{Event: audit.ApplyBegin, At: start.Add(offset)}, at)
		if err != nil {
			t.Fatal(err)
		}
		lines, at = append(lines, line), audit.After(head)
	}
	report := verify(t, each(lines))
	if report.Broken() || report.Records != 6 || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "record 2") {
		t.Errorf("%+v", report)
	}
}

func TestEveryFlippedByteIsNoticed(t *testing.T) {
	good := bytes.Join(chain(t, 3), nil)
	ends := map[int]bool{}
	for i, b := range good {
		ends[i] = b == '\n'
	}
	number := 0
	for i := range good {
		for _, mask := range []byte{0x01, 0x20, 0x80} {
			data := bytes.Clone(good)
			data[i] ^= mask
			report := verify(t, file(data))
			last := i == len(good)-1
			if last && !report.Torn && !report.Broken() || !last && report.BadSeq != int64(number) {
				t.Fatalf("byte %d (%q) ^ %#x in record %d: %+v", i, good[i], mask, number, report)
			}
		}
		if ends[i] {
			number++
		}
	}
}

func TestVerifyPassesOnTheErrorOfItsLines(t *testing.T) {
	broken := errors.New("the disk is gone")
	lines := chain(t, 2)
	report, err := audit.Verify(audit.First(install), func(yield func([]byte, error) bool) {
		_ = yield(lines[0], nil) && yield(nil, broken)
	}, nil)
	if !errors.Is(err, broken) || report.Records != 1 || report.Broken() {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestVerifyStopsReadingAtTheBreak(t *testing.T) {
	lines := chain(t, 4)
	lines[1] = []byte("x\n")
	read := 0
	verify(t, func(yield func([]byte, error) bool) {
		for _, line := range lines {
			read++
			if !yield(line, nil) {
				return
			}
		}
	})
	if read != 2 {
		t.Errorf("%d lines were read", read)
	}
}
