package porttest

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// RunJournals checks [port.Journals] and [port.Journal].
func RunJournals(t *testing.T, h State[port.Journals]) {
	h.run(t, "a claim creates the journal with its first line", func(t *testing.T, open func() port.Journals) {
		j, id := open(), ids(1)[0]
		claim(t, j, id)
		wantJournal(t, j, id, "claim\n")
		wantJournal(t, open(), id, "claim\n")
	})
	h.run(t, "a plan can be claimed once", journalsClaimOnce)
	h.run(t, "of many claims at once exactly one succeeds", func(t *testing.T, open func() port.Journals) {
		processes, id := []port.Journals{open(), open(), open()}, ids(1)[0]
		oneWon(t, race(24, func(i int) error {
			line, err := processes[i%3].Claim(t.Context(), id, []byte("claim\n"))
			if err == nil {
				err = line.Close()
			}
			return err
		}))
		wantJournal(t, open(), id, "claim\n")
	})
	h.run(t, "a line is there for all when Append returns", journalsAppend)
	h.run(t, "a closed journal takes no more lines", func(t *testing.T, open func() port.Journals) {
		j, id := open(), ids(1)[0]
		line := claim(t, j, id)
		must(t, line.Close())
		if line.Append(t.Context(), []byte("late\n")) == nil {
			t.Error("a line was taken after Close")
		}
		wantJournal(t, j, id, "claim\n")
	})
	h.run(t, "a journal that was never claimed is not found", journalsMissing)
	h.run(t, "Continue cuts a torn line and goes on", journalsContinue)
	h.run(t, "List gives the claimed plans, newest first", journalsInOrder)
	h.run(t, "bytes are not shared with the caller", func(t *testing.T, open func() port.Journals) {
		j, id := open(), ids(1)[0]
		claim(t, j, id)
		got, err := j.Read(t.Context(), id)
		must(t, err)
		clear(got)
		wantJournal(t, j, id, "claim\n")
	})
}

// claim claims a plan; the journal is closed at the end of the test.
func claim(t *testing.T, j port.Journals, id plan.ID) port.Journal {
	t.Helper()
	line, err := j.Claim(t.Context(), id, []byte("claim\n"))
	must(t, err)
	t.Cleanup(func() { _ = line.Close() })
	return line
}

func wantJournal(t *testing.T, j port.Journals, id plan.ID, want string) {
	t.Helper()
	got, err := j.Read(t.Context(), id)
	must(t, err)
	if string(got) != want {
		t.Errorf("the journal reads %q, want %q", got, want)
	}
}

func journalsClaimOnce(t *testing.T, open func() port.Journals) {
	j, list := open(), ids(2)
	line := claim(t, j, list[0])
	must(t, line.Append(t.Context(), []byte("intent\n")))
	for _, other := range []port.Journals{j, open()} {
		_, err := other.Claim(t.Context(), list[0], []byte("again\n"))
		wantCode(t, err, fault.Conflict)
	}
	must(t, line.Close())
	_, err := open().Claim(t.Context(), list[0], []byte("after the end\n"))
	wantCode(t, err, fault.Conflict)
	wantJournal(t, j, list[0], "claim\nintent\n")
	claim(t, j, list[1])
}

func journalsAppend(t *testing.T, open func() port.Journals) {
	j, list := open(), ids(2)
	first, second := claim(t, j, list[0]), claim(t, j, list[1])
	want := "claim\n"
	for _, line := range []string{"one\n", "two\n", "three\n"} {
		must(t, first.Append(t.Context(), []byte(line)))
		want += line
		wantJournal(t, j, list[0], want)
		wantJournal(t, open(), list[0], want)
	}
	must(t, second.Append(t.Context(), []byte("other\n")))
	wantJournal(t, j, list[0], want)
	wantJournal(t, j, list[1], "claim\nother\n")
}

func journalsMissing(t *testing.T, open func() port.Journals) {
	j := open()
	claim(t, j, ids(2)[0])
	_, err := j.Read(t.Context(), ids(2)[1])
	wantCode(t, err, fault.NotFound)
	_, err = j.Continue(t.Context(), ids(2)[1], 0)
	wantCode(t, err, fault.NotFound)
	if _, err = j.Read(t.Context(), ids(2)[1]); err == nil {
		t.Error("Continue claimed a plan")
	}
}

func journalsContinue(t *testing.T, open func() port.Journals) {
	id := ids(1)[0]
	line := claim(t, open(), id)
	must(t, line.Append(t.Context(), []byte("whole\n")))
	must(t, line.Append(t.Context(), []byte(`{"to`)))
	must(t, line.Close())
	j := open()
	again, err := j.Continue(t.Context(), id, len("claim\nwhole\n"))
	must(t, err)
	must(t, again.Append(t.Context(), []byte("recovered\n")))
	must(t, again.Close())
	wantJournal(t, j, id, "claim\nwhole\nrecovered\n")
	wantJournal(t, open(), id, "claim\nwhole\nrecovered\n")
}

func journalsInOrder(t *testing.T, open func() port.Journals) {
	j := open()
	none, err := j.List(t.Context())
	must(t, err)
	if len(none) != 0 {
		t.Errorf("without a claim %v is listed", none)
	}
	want := ids(3)
	for _, i := range []int{1, 2, 0} {
		claim(t, j, want[i])
	}
	slices.Reverse(want)
	got, err := open().List(t.Context())
	must(t, err)
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(plan.ID{})); diff != "" {
		t.Error(diff)
	}
}
