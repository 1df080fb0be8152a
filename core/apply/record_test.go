package apply

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

var (
	start = time.Date(2026, 10, 15, 10, 45, 12, 123456789, time.UTC)
	id    = plan.NewID(start, [plan.RandomBytes]byte{1, 2, 3})
	undo  = plan.NewID(start, [plan.RandomBytes]byte{9})
	some  = canon.Sum([]byte("x"))
)

// keys lets cmp compare values without exported fields.
var keys = cmp.Options{
	cmp.Comparer(func(a, b canon.Digest) bool { return a == b }),
	cmp.Comparer(func(a, b plan.ID) bool { return a == b }),
	cmp.Comparer(func(a, b operation.Key) bool { return a == b }),
}

func ptr[T any](v T) *T { return &v }

// whole is a journal with every type of record, each with all its members.
func whole() []Record {
	return []Record{
		{Type: Claimed, PlanID: id, Digest: some, Approval: some, Mode: profile.Guarded, Serial: "FGT60FTEST000001", BootID: "b"},
		{Type: Intended, Op: ptr(0), Wire: some},
		{Type: Answered, Op: ptr(0), Class: exchange.Accepted, HTTP: 200, Sent: true},
		{Type: Judged, Op: ptr(0), Verdict: &Outcome{
			Status: exchange.Failed, Changed: exchange.ChangedYes, Observed: exchange.Other, Class: exchange.Accepted, HTTP: 200,
			DeviceError: -5, Code: fault.VerifyFailed, Message: "m", DeviceText: "d <&>", Unverified: []string{"u"},
			Mismatch: []string{"x"}, SideEffects: []string{"s"}, Key: operation.IntegerKey(7), Post: some, Gone: true, Skipped: true,
		}},
		{Type: Probed, Op: ptr(0), OK: ptr(false)},
		{Type: RolledOut, Rollback: undo},
		{Type: Recovered, By: "forti"},
		{Type: Ended, State: Partial, Rollback: undo},
	}
}

// journal encodes records as lines with the right numbers.
func journal(t interface{ Fatal(args ...any) }, records ...Record) []byte {
	var b bytes.Buffer
	for i, r := range records {
		r.N, r.At = i, start.Add(time.Duration(i))
		line, err := EncodeLine(r)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
	}
	return b.Bytes()
}

func TestAJournalIsReadAsItWasWritten(t *testing.T) {
	data := journal(t, whole()...)
	records, good, err := ParseJournal(data)
	if err != nil || good != len(data) {
		t.Fatalf("%d of %d bytes are good, %v", good, len(data), err)
	}
	want := whole()
	for i := range want {
		want[i].V, want[i].N, want[i].At = Format, i, start.Add(time.Duration(i))
		want[i].CRC = records[i].CRC
	}
	if diff := cmp.Diff(want, records, keys); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}

func TestALineIsCanonicalAndChecksItself(t *testing.T) {
	line, err := EncodeLine(Record{Type: Intended, N: 1, At: start, Op: ptr(0), Wire: some, CRC: "ffffffff", V: 99})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"crc":"CRC","n":1,"op":0,"t":"2026-10-15T10:45:12.123456789Z","type":"intent","v":1,"wire_sha256":"` + some.String() + "\"}\n"
	body := strings.Replace(strings.TrimSuffix(want, "\n"), `"crc":"CRC",`, "", 1)
	if diff := cmp.Diff(strings.Replace(want, "CRC", checksum([]byte(body)), 1), string(line)); diff != "" {
		t.Errorf("line (-want +got):\n%s", diff)
	}
	if got := checksum([]byte("123456789")); got != "e3069283" {
		t.Errorf("the checksum of the standard's text is %s: it is not CRC-32C", got)
	}
}

// The last line counts only when it is whole; cut anywhere, the ones before do.
func TestATornLastLineCountsAsAbsent(t *testing.T) {
	records := whole()
	data := journal(t, records...)
	lines := bytes.SplitAfter(data, []byte("\n"))
	before := len(data) - len(lines[len(lines)-2])
	for cut := before; cut < len(data); cut++ {
		got, good, err := ParseJournal(data[:cut])
		if err != nil || good != before || len(got) != len(records)-1 {
			t.Fatalf("cut at %d: %d records, %d good bytes, %v", cut, len(got), good, err)
		}
	}
}

func TestDamageIsTornAtTheEndAndCorruptBefore(t *testing.T) {
	replace := func(line []byte, from, to string) []byte {
		changed := bytes.Replace(line, []byte(from), []byte(to), 1)
		if bytes.Equal(changed, line) {
			t.Fatalf("%s does not hold %s", line, from)
		}
		return changed
	}
	tests := []struct {
		name   string
		damage func(line []byte) []byte
	}{
		{"a byte changed", func(l []byte) []byte { return replace(l, `"op":0`, `"op":1`) }},
		{"the checksum changed", func(l []byte) []byte { return replace(l, `"crc":"`, `"crc":"0`) }},
		{"the checksum taken out", func(l []byte) []byte { return replace(l, `"crc":`, `"cra":`) }},
		{"half a line", func(l []byte) []byte { return append(l[:len(l)/2:len(l)/2], '\n') }},
		{"an empty line", func([]byte) []byte { return []byte("\n") }},
		{"zeros", func(l []byte) []byte { return append(make([]byte, len(l)-1), '\n') }},
		{"another value", func([]byte) []byte { return []byte("[]\n") }},
		{"a blank more", func(l []byte) []byte { return replace(l, `,`, `, `) }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			lines := bytes.SplitAfter(journal(t, whole()[:3]...), []byte("\n"))
			lines[1] = test.damage(lines[1])
			blank := test.name == "a blank more" // whole by its checksum, so never torn
			records, good, err := ParseJournal(bytes.Join(lines[:2], nil))
			if !blank && (err != nil || len(records) != 1 || good != len(lines[0])) {
				t.Errorf("at the end: %d records, %d good bytes, %v", len(records), good, err)
			}
			if blank && !errors.Is(err, ErrCorrupt) {
				t.Errorf("at the end: %v", err)
			}
			if records, _, err := ParseJournal(bytes.Join(lines, nil)); !errors.Is(err, ErrCorrupt) || records != nil {
				t.Errorf("before the end: %d records, %v", len(records), err)
			}
		})
	}
}

func TestNumbersAreContiguous(t *testing.T) {
	lines := bytes.SplitAfter(journal(t, whole()[:4]...), []byte("\n"))
	tests := []struct {
		name    string
		lines   [][]byte
		records int
		corrupt bool
	}{
		{"a line missing at the end", [][]byte{lines[0], lines[1], lines[3]}, 2, false},
		{"a line missing before", [][]byte{lines[0], lines[2], lines[3]}, 0, true},
		{"a line twice at the end", [][]byte{lines[0], lines[1], lines[1]}, 2, false},
		{"a line twice before", [][]byte{lines[0], lines[1], lines[1], lines[2]}, 0, true},
		{"lines swapped", [][]byte{lines[0], lines[2], lines[1]}, 0, true},
		{"no first line", [][]byte{lines[1], lines[2]}, 0, true},
		{"nothing", nil, 0, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			records, _, err := ParseJournal(bytes.Join(test.lines, nil))
			if errors.Is(err, ErrCorrupt) != test.corrupt || len(records) != test.records {
				t.Errorf("%d records, %v", len(records), err)
			}
		})
	}
}

// A line that is whole and cannot be understood is never cut off: what a newer
// program wrote may be the only trace of a request.
func TestAWholeLineThatIsNotUnderstoodIsCorruptEvenAtTheEnd(t *testing.T) {
	claim := journal(t, whole()[0])
	seal := func(body string) []byte {
		return []byte(strings.Replace(body, "{", `{"crc":"`+checksum([]byte(body))+`",`, 1) + "\n")
	}
	const at = `"t":"2026-10-15T10:45:12Z"`
	tests := []struct{ name, body string }{
		{"a newer version", `{"n":1,"op":0,` + at + `,"type":"intent","v":2}`},
		{"a member nobody knows", `{"n":1,"new":true,"op":0,` + at + `,"type":"intent","v":1}`},
		{"a type nobody knows", `{"n":1,"op":0,` + at + `,"type":"paused","v":1}`},
		{"a second claim", `{"n":1,` + at + `,"type":"claim","v":1}`},
		{"an intent without an operation", `{"n":1,` + at + `,"type":"intent","v":1}`},
		{"an intent of no operation", `{"n":1,"op":-1,` + at + `,"type":"intent","v":1}`},
		{"a verdict without one", `{"n":1,"op":0,` + at + `,"type":"verdict","v":1}`},
		{"a probe without a result", `{"n":1,"op":0,` + at + `,"type":"probe","v":1}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			data := append(bytes.Clone(claim), seal(test.body)...)
			if records, _, err := ParseJournal(data); !errors.Is(err, ErrCorrupt) || records != nil {
				t.Errorf("%d records, %v", len(records), err)
			}
		})
	}
	if records, _, err := ParseJournal(append(bytes.Clone(claim), seal(`{"n":1,"op":0,`+at+`,"type":"intent","v":1}`)...)); err != nil || len(records) != 2 {
		t.Errorf("the test seals wrongly: %d records, %v", len(records), err)
	}
}

func TestAnyCutLeavesTheRecordsBeforeIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := whole()[1:]
		n := rapid.IntRange(0, 12).Draw(t, "n")
		records := []Record{whole()[0]}
		for range n {
			records = append(records, rapid.SampledFrom(all).Draw(t, "record"))
		}
		data := journal(t, records...)
		cut := rapid.IntRange(0, len(data)).Draw(t, "cut")
		got, good, err := ParseJournal(data[:cut])
		want := bytes.Count(data[:cut], []byte("\n"))
		if err != nil || len(got) != want || good != bytes.LastIndexByte(data[:cut], '\n')+1 {
			t.Fatalf("%d of %d records, %d good bytes, %v", len(got), want, good, err)
		}
	})
}

func FuzzAJournalIsReadOrRefused(f *testing.F) {
	data := journal(f, whole()...)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte("\n"))
	f.Add([]byte(`{"crc":"00000000"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, good, err := ParseJournal(data)
		if good < 0 || good > len(data) || err != nil && (!errors.Is(err, ErrCorrupt) || records != nil) {
			t.Fatalf("%d records, %d good bytes, %v", len(records), good, err)
		}
		if err != nil {
			return
		}
		var again bytes.Buffer
		for _, r := range records {
			line, err := EncodeLine(r)
			if err != nil {
				t.Fatal(err)
			}
			again.Write(line)
		}
		if !bytes.Equal(again.Bytes(), data[:good]) {
			t.Fatal("what was read is written in another form")
		}
		Replay(records, 3)
	})
}
