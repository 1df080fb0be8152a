//go:build linux || darwin

package filestate_test

import (
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

func TestOfManyClaimsOfAPlanExactlyOneSucceeds(t *testing.T) {
	h := home(t)
	stores := []interface{ claim(int) error }{claimer{t, open(t, h)}, claimer{t, open(t, h)}}
	var wins atomic.Int32
	var all sync.WaitGroup
	for n := range 24 {
		all.Go(func() {
			switch err := stores[n%2].claim(1); {
			case err == nil:
				wins.Add(1)
			case fault.CodeOf(err) != fault.Conflict:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d claims succeeded", wins.Load())
	}
}

func TestAJournalHoldsItsLinesInOrder(t *testing.T) {
	s := open(t, home(t))
	ctx := t.Context()
	j, err := s.Journals().Claim(ctx, planID(1), []byte("0\n"))
	must(t, err, j.Append(ctx, []byte("1\n")), j.Append(ctx, []byte("2\n")), j.Close())
	got, err := s.Journals().Read(ctx, planID(1))
	must(t, err)
	if string(got) != "0\n1\n2\n" {
		t.Errorf("%q", got)
	}
	wantCode(t, j.Append(ctx, []byte("3\n")), fault.Config)
	_, err = s.Journals().Claim(ctx, planID(2), []byte("0\n"))
	must(t, err)
	list, err := s.Journals().List(ctx)
	must(t, err)
	if diff := cmp.Diff([]plan.ID{planID(2), planID(1)}, list, ids); diff != "" {
		t.Error(diff)
	}
}

func TestRecoveryCutsATornLineAndNothingElse(t *testing.T) {
	for _, test := range []struct {
		name, journal string
		good          int
		code          fault.Code
		want          string
	}{
		{"nothing torn", "0\n1\n", 4, "", "0\n1\n9\n"},
		{"no newline", "0\n1\n2", 4, "", "0\n1\n9\n"},
		{"bad last line", "0\n1\nx\n", 4, "", "0\n1\n9\n"},
		{"nothing good", "x", 0, "", "9\n"},
		{"grown meanwhile", "0\n1\n2\n", 2, fault.Conflict, "0\n1\n2\n"},
		{"shrunk meanwhile", "0\n", 4, fault.Config, "0\n"},
		{"nonsense", "0\n", -1, fault.Config, "0\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			s := open(t, h)
			path := filepath.Join(h, "state/journal", planID(1).String()+".jsonl")
			must(t, os.WriteFile(path, []byte(test.journal), 0o600))
			j, err := s.Journals().Continue(t.Context(), planID(1), test.good)
			if fault.CodeOf(err) != test.code {
				t.Fatalf("error %v, want %q", err, test.code)
			}
			if err == nil {
				must(t, j.Append(t.Context(), []byte("9\n")), j.Close())
			}
			if got := string(readFile(t, path)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func TestAnUnclaimedPlanHasNothingToContinue(t *testing.T) {
	_, err := open(t, home(t)).Journals().Continue(t.Context(), planID(1), 0)
	wantCode(t, err, fault.NotFound)
}

func TestALineIsWrittenAlthoughNobodyWaitsForIt(t *testing.T) {
	s := open(t, home(t))
	ctx, cancel := contextOf(t)
	j, err := s.Journals().Claim(ctx, planID(1), []byte("0\n"))
	must(t, err)
	cancel()
	must(t, j.Append(ctx, []byte("1\n")), j.Close())
	_, err = s.Audit().Append(ctx, entry(1))
	must(t, err)
	if _, err := s.Journals().Claim(ctx, planID(2), []byte("0\n")); err == nil {
		t.Error("a cancelled apply claimed its plan")
	}
}

func TestOneApplyPerDeviceAtATime(t *testing.T) {
	h := home(t)
	ctx := t.Context()
	release, err := open(t, h).Locks().Lock(ctx, "FGT60F0000000001")
	must(t, err)
	other := open(t, h)
	_, err = other.Locks().Lock(ctx, "FGT60F0000000001")
	wantCode(t, err, fault.Conflict)
	if reason := fault.From(err).Details["reason"]; reason != "busy" {
		t.Errorf("reason %v", reason)
	}
	another, err := other.Locks().Lock(ctx, "FGT60F0000000002")
	must(t, err)
	another()
	release()
	again, err := other.Locks().Lock(ctx, "FGT60F0000000001")
	must(t, err)
	again()
	if locks := under(t, filepath.Join(h, "state/locks")); len(locks) != 2 {
		t.Errorf("lock files were removed: %v", locks)
	}
}
