//go:build linux || darwin

package filestate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// tears are what a crash can leave of a last record.
func tears() []struct {
	name string
	tear func(line []byte) []byte
} {
	return []struct {
		name string
		tear func(line []byte) []byte
	}{
		{"half of it", func(line []byte) []byte { return line[:len(line)/2] }},
		{"all but the newline", func(line []byte) []byte { return line[:len(line)-1] }},
		{"a hole of zeros", func(line []byte) []byte { return append(make([]byte, len(line)-9), line[len(line)-9:]...) }},
		{"zeros", func(line []byte) []byte { return make([]byte, len(line)) }},
	}
}

func TestATornRecordIsKeptAndToldOf(t *testing.T) {
	for _, test := range tears() {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			appendAll(t, open(t, h), 0, 3)
			var torn []byte
			edit(t, h, func(lines [][]byte) [][]byte {
				torn = test.tear(lines[3])
				lines[3] = torn
				return lines
			})
			s := open(t, h)
			if head := appendAll(t, s, 4, 4); head.Seq != 4 {
				t.Errorf("the record has the number %d, want 4: after the one that tells of the tear", head.Seq)
			}
			records, report := log(t, s)
			if report.Broken() || report.Torn || events(records[2:]) != "plan.created audit.repaired plan.created" {
				t.Fatalf("%+v: %s", report, events(records))
			}
			if note := records[3].Note; !strings.Contains(note, "audit.torn-3") || !strings.Contains(note, canon.Sum(torn).String()) {
				t.Errorf("the note says %q", note)
			}
			if records[3].Program != "test" || !records[3].PlanID.IsZero() {
				t.Errorf("the repair is signed %+v", records[3].Entry)
			}
			if kept := readFile(t, filepath.Join(h, "state/audit.torn-3")); !bytes.Equal(kept, torn) {
				t.Errorf("%d bytes are kept, want %d", len(kept), len(torn))
			}
		})
	}
}

func TestARepairThatACrashInterruptedIsFinished(t *testing.T) {
	kept := func(h string, torn []byte) error {
		return os.WriteFile(filepath.Join(h, "state/audit.torn-2"), torn, 0o600)
	}
	for _, test := range []struct {
		name   string
		before func(h string, lines [][]byte) ([][]byte, error)
		files  string
	}{
		{"kept, not yet cut", func(h string, lines [][]byte) ([][]byte, error) {
			lines[2] = lines[2][:20]
			return lines, kept(h, lines[2])
		}, "audit.torn-2"},
		{"cut, not yet recorded", func(h string, lines [][]byte) ([][]byte, error) { return lines[:2], kept(h, lines[2][:20]) }, "audit.torn-2"},
		{"torn again while recording", func(h string, lines [][]byte) ([][]byte, error) {
			lines[2] = lines[2][:20]
			return lines, kept(h, []byte("the first tear"))
		}, "audit.torn-2 audit.torn-2-2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			appendAll(t, open(t, h), 0, 2)
			edit(t, h, func(lines [][]byte) [][]byte {
				lines, err := test.before(h, lines)
				must(t, err)
				return lines
			})
			s := open(t, h)
			appendAll(t, s, 3, 4)
			records, report := log(t, s)
			if report.Broken() || events(records) != "plan.created plan.created audit.repaired plan.created plan.created" {
				t.Fatalf("%+v: %s", report, events(records))
			}
			var kept []string
			for _, name := range under(t, filepath.Join(h, "state")) {
				if strings.HasPrefix(name, "audit.torn-") {
					kept = append(kept, name)
				}
				if strings.HasPrefix(name, "audit.torn-") && !strings.Contains(records[2].Note, name+" (") {
					t.Errorf("%s is not told of: %s", name, records[2].Note)
				}
			}
			if got := strings.Join(kept, " "); got != test.files {
				t.Errorf("kept %s, want %s", got, test.files)
			}
		})
	}
}

// damages are changes that no crash makes. seq is the record where
// verification stops.
func damages() []struct {
	name   string
	change func(lines [][]byte) [][]byte
	seq    int64
} {
	return []struct {
		name   string
		change func(lines [][]byte) [][]byte
		seq    int64
	}{
		{"edited", func(l [][]byte) [][]byte { l[1] = bytes.Replace(l[1], []byte("alice"), []byte("mallo"), 1); return l }, 1},
		{"last one edited", func(l [][]byte) [][]byte { l[4] = bytes.Replace(l[4], []byte("alice"), []byte("mallo"), 1); return l }, 4},
		{"removed", func(l [][]byte) [][]byte { return slices.Delete(l, 2, 3) }, 2},
		{"first one removed", func(l [][]byte) [][]byte { return l[1:] }, 0},
		{"swapped", func(l [][]byte) [][]byte { l[1], l[2] = l[2], l[1]; return l }, 1},
		{"doubled", func(l [][]byte) [][]byte { return slices.Insert(l, 3, l[2]) }, 3},
		{"last one doubled", func(l [][]byte) [][]byte { return append(l, l[4]) }, 5},
		{"cut off in the middle", func(l [][]byte) [][]byte { l[2] = append(bytes.Clone(l[2][:30]), '\n'); return l }, 2},
		{"two keys of one name", func(l [][]byte) [][]byte {
			l[2] = bytes.Replace(l[2], []byte(`"event":`), []byte(`"event":"x","event":`), 1)
			return l
		}, 2},
		{"a key in another case", func(l [][]byte) [][]byte {
			l[2] = bytes.Replace(l[2], []byte(`"event"`), []byte(`"Event"`), 1)
			return l
		}, 2},
		{"bytes after the record", func(l [][]byte) [][]byte { l[2] = append(bytes.TrimSuffix(l[2], []byte("\n")), " \n"...); return l }, 2},
	}
}

func TestNothingIsAppendedToADamagedLogUntilItIsRepaired(t *testing.T) {
	for _, test := range damages() {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			appendAll(t, open(t, h), 0, 4)
			edit(t, h, test.change)
			s := open(t, h)
			before := readFile(t, filepath.Join(h, "state/audit.jsonl"))
			if _, report := log(t, s); report.BadSeq != test.seq {
				t.Errorf("verification stops at %d, want %d", report.BadSeq, test.seq)
			}
			_, err := s.Audit().Append(t.Context(), entry(5))
			wantCode(t, err, fault.Config)
			if text := err.Error(); !strings.Contains(text, "forti audit repair") || strings.Contains(text, "alice") || strings.Contains(text, "mallo") {
				t.Errorf("the error reads %q", text)
			}
			if !bytes.Equal(before, readFile(t, filepath.Join(h, "state/audit.jsonl"))) {
				t.Error("the log was changed")
			}
			checkRepair(t, h, s, before, uint64(test.seq))
		})
	}
}

// checkRepair repairs a log and looks whether everything is still there.
func checkRepair(t *testing.T, h string, s *filestate.Store, before []byte, seq uint64) {
	t.Helper()
	told, err := s.Audit().Repair(t.Context(), entry(6))
	must(t, err)
	if told == "" {
		t.Error("nothing was repaired")
	}
	appendAll(t, s, 7, 7)
	records, report := log(t, s)
	if report.Broken() || records[seq].Event != audit.Gap || len(records) != int(seq)+2 { //nolint:gosec // small
		t.Fatalf("%+v: %s", report, events(records))
	}
	kept := []byte{}
	for _, name := range under(t, filepath.Join(h, "state")) {
		if strings.HasPrefix(name, "audit.damaged-") {
			kept = readFile(t, filepath.Join(h, "state", name))
			if !strings.Contains(records[seq].Note, name) || !strings.Contains(records[seq].Note, canon.Sum(kept).String()) {
				t.Errorf("the gap does not tell of %s: %s", name, records[seq].Note)
			}
		}
	}
	now := readFile(t, filepath.Join(h, "state/audit.jsonl"))
	good := len(before) - len(kept)
	if !bytes.Equal(before, append(bytes.Clone(now[:good]), kept...)) {
		t.Error("bytes were lost")
	}
}

func TestAnInterruptedRepairOfADamagedLogIsFinished(t *testing.T) {
	h := home(t)
	appendAll(t, open(t, h), 0, 4)
	edit(t, h, func(lines [][]byte) [][]byte {
		must(t, os.WriteFile(filepath.Join(h, "state/audit.damaged-2"), bytes.Join(lines[2:], nil), 0o600))
		return lines[:2]
	})
	must(t, os.Remove(filepath.Join(h, "anchor.json")))
	s := open(t, h)
	wantCode(t, told(s.Audit().Append(t.Context(), entry(5))), fault.Config)
	must(t, told(s.Audit().Repair(t.Context(), entry(6))))
	appendAll(t, s, 7, 7)
	records, report := log(t, s)
	if report.Broken() || events(records[2:]) != "audit.gap plan.created" || !strings.Contains(records[2].Note, "audit.damaged-2 (") {
		t.Errorf("%+v: %s", report, events(records))
	}
}

func TestAClosedLogIsNeverReplaced(t *testing.T) {
	h := home(t)
	s := open(t, h)
	large := entry(0)
	large.Note = strings.Repeat("n", 50_000)
	for range 4 {
		must(t, told(s.Audit().Append(t.Context(), large)))
	}
	closed := filepath.Join(h, "state/audit-0.jsonl")
	must(t, os.WriteFile(closed, readFile(t, filepath.Join(h, "state/audit.jsonl")), 0o600))
	before, err := os.Lstat(closed)
	must(t, err)
	s.RotateAt(1)
	wantCode(t, told(s.Audit().Append(t.Context(), entry(1))), fault.Config)
	after, err := os.Lstat(closed)
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("it was")
	}
}

func TestASoundLogNeedsNoRepair(t *testing.T) {
	h := home(t)
	s := open(t, h)
	appendAll(t, s, 0, 2)
	before := readFile(t, filepath.Join(h, "state/audit.jsonl"))
	told, err := s.Audit().Repair(t.Context(), entry(3))
	must(t, err)
	if told != "" || !bytes.Equal(before, readFile(t, filepath.Join(h, "state/audit.jsonl"))) {
		t.Errorf("told %q", told)
	}
}

func TestAStateThatWentBackInTimeIsRefusedUntilRepaired(t *testing.T) {
	for _, test := range []struct {
		name string
		back func(t *testing.T, h string)
	}{
		{"records gone from the end", func(t *testing.T, h string) {
			edit(t, h, func(lines [][]byte) [][]byte { return lines[:2] })
		}},
		{"the log is gone", func(t *testing.T, h string) { must(t, os.Remove(filepath.Join(h, "state/audit.jsonl"))) }},
		{"all state is gone", func(t *testing.T, h string) { must(t, os.RemoveAll(filepath.Join(h, "state"))) }},
		{"an older copy that went on", func(t *testing.T, h string) {
			edit(t, h, func(lines [][]byte) [][]byte { return lines[:2] })
			anchor := filepath.Join(h, "anchor.json")
			kept := readFile(t, anchor)
			must(t, os.Remove(anchor))
			appendAll(t, open(t, h), 20, 25)
			must(t, os.WriteFile(anchor, kept, 0o600))
		}},
		{"the anchor is unreadable", func(t *testing.T, h string) {
			must(t, os.WriteFile(filepath.Join(h, "anchor.json"), []byte("{}\n"), 0o600))
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			appendAll(t, open(t, h), 0, 4)
			test.back(t, h)
			s := open(t, h)
			_, err := s.Audit().Append(t.Context(), entry(5))
			wantCode(t, err, fault.Config)
			if !strings.Contains(err.Error(), "forti audit repair") {
				t.Errorf("the error reads %q", err)
			}
			told, err := s.Audit().Repair(t.Context(), entry(6))
			must(t, err)
			if told == "" {
				t.Error("nothing was repaired")
			}
			appendAll(t, s, 7, 7)
			records, report := log(t, s)
			if report.Broken() || !strings.HasSuffix(events(records), "audit.gap plan.created") {
				t.Errorf("%+v: %s", report, events(records))
			}
		})
	}
}

func TestRecordsOfANewerVersionAreNotCut(t *testing.T) {
	h := home(t)
	appendAll(t, open(t, h), 0, 2)
	edit(t, h, func(lines [][]byte) [][]byte { return append(lines, []byte("{\"seq\":3,\"v\":2}\n")) })
	before := readFile(t, filepath.Join(h, "state/audit.jsonl"))
	s := open(t, h)
	_, err := s.Audit().Append(t.Context(), entry(5))
	wantCode(t, err, fault.Config)
	_, err = s.Audit().Repair(t.Context(), entry(5))
	wantCode(t, err, fault.Config)
	if !bytes.Equal(before, readFile(t, filepath.Join(h, "state/audit.jsonl"))) {
		t.Error("the log was changed")
	}
}

func TestALargeLogIsClosedAndGoesOn(t *testing.T) {
	h := home(t)
	s := open(t, h)
	s.RotateAt(1500)
	appendAll(t, s, 0, 19)
	records, report := log(t, s)
	rotated := strings.Count(events(records), "audit.rotated")
	if report.Broken() || len(records) != 20+rotated {
		t.Fatalf("%+v: %s", report, events(records))
	}
	var closed int
	for _, name := range under(t, filepath.Join(h, "state")) {
		if !strings.HasPrefix(name, "audit-") {
			continue
		}
		closed++
		info, err := os.Lstat(filepath.Join(h, "state", name))
		must(t, err)
		if info.Mode().Perm() != 0o400 {
			t.Errorf("%s has mode %v", name, info.Mode())
		}
		sum := canon.Sum(readFile(t, filepath.Join(h, "state", name))).String()
		if !slices.ContainsFunc(records, func(r audit.Record) bool { return strings.Contains(r.Note, name+" (") && strings.Contains(r.Note, sum) }) {
			t.Errorf("no record tells of %s", name)
		}
	}
	if closed < 3 || closed != rotated {
		t.Errorf("%d files closed, %d records of it", closed, rotated)
	}
	head, _, err := open(t, h).Audit().Head(t.Context())
	must(t, err)
	if head != *report.Head {
		t.Errorf("head %v, want %v", head, *report.Head)
	}
}

func TestACrashBetweenClosingALogAndBeginningTheNextIsMadeGood(t *testing.T) {
	h := home(t)
	want := appendAll(t, open(t, h), 0, 2)
	must(t, os.Rename(filepath.Join(h, "state/audit.jsonl"), filepath.Join(h, "state/audit-0.jsonl")))
	s := open(t, h)
	if head, ok, err := s.Audit().Head(t.Context()); err != nil || !ok || head != want {
		t.Errorf("head %v, %v, %v, want %v", head, ok, err, want)
	}
	appendAll(t, s, 3, 3)
	records, report := log(t, s)
	if report.Broken() || events(records[2:]) != "plan.created audit.rotated plan.created" {
		t.Errorf("%+v: %s", report, events(records))
	}
}

func TestADamagedClosedLogIsNotWrittenAfter(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(data []byte) []byte
	}{
		{"torn", func(data []byte) []byte { return data[:len(data)-3] }},
		{"edited at its end", func(data []byte) []byte {
			at := bytes.LastIndex(data, []byte("alice"))
			return append(append(bytes.Clone(data[:at]), "mallo"...), data[at+5:]...)
		}},
		{"emptied", func([]byte) []byte { return nil }},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			s := open(t, h)
			s.RotateAt(1500)
			appendAll(t, s, 0, 5)
			path := filepath.Join(h, "state/audit-0.jsonl")
			data := readFile(t, path)
			must(t, os.Chmod(path, 0o600), os.WriteFile(path, test.change(data), 0o600))
			_, err := s.Audit().Append(t.Context(), entry(6))
			wantCode(t, err, fault.Config)
			if _, report := log(t, s); !report.Broken() {
				t.Errorf("verification finds nothing: %+v", report)
			}
		})
	}
}

func TestRecordsLargerThanTheWindowAreReadWhole(t *testing.T) {
	h := home(t)
	s := open(t, h)
	large := entry(0)
	large.Note = strings.Repeat("n", 150_000)
	for range 3 {
		_, err := s.Audit().Append(t.Context(), large)
		must(t, err)
	}
	edit(t, h, func(lines [][]byte) [][]byte { lines[2] = lines[2][:100_000]; return lines })
	appendAll(t, s, 1, 20)
	records, report := log(t, s)
	if report.Broken() || len(records) != 23 {
		t.Errorf("%+v, %d records", report, len(records))
	}
}

func TestReadingTheLogDoesNotHoldItUp(t *testing.T) {
	s := open(t, home(t))
	appendAll(t, s, 0, 2)
	n := 0
	for _, err := range s.Audit().Lines(t.Context()) {
		must(t, err)
		appendAll(t, s, 3+n, 3+n)
		n++
	}
	if n != 3 {
		t.Errorf("%d lines, want the 3 that there were at the start", n)
	}
}
