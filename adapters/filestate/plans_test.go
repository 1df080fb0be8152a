//go:build linux || darwin

package filestate_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
)

var digests = cmp.Comparer(func(a, b canon.Digest) bool { return a == b })

var ids = cmp.Comparer(func(a, b plan.ID) bool { return a == b })

func TestAPlanComesBackByteForByte(t *testing.T) {
	s := open(t, home(t))
	for n, change := range []func(remarks []byte) []byte{
		func(remarks []byte) []byte { return remarks },
		func([]byte) []byte { return nil },
	} {
		want := stored(n)
		want.Remarks = change(want.Remarks)
		must(t, s.Plans().Put(t.Context(), want))
		got, err := s.Plans().Get(t.Context(), want.ID)
		must(t, err)
		if diff := cmp.Diff(want, got, digests, ids); diff != "" {
			t.Error(diff)
		}
	}
}

func TestATakenIDIsAConflictAndChangesNothing(t *testing.T) {
	s := open(t, home(t))
	want := stored(1)
	must(t, s.Plans().Put(t.Context(), want))
	other := stored(1)
	other.File, other.Remarks = []byte(`{"other":true}`), []byte(`{}`)
	wantCode(t, s.Plans().Put(t.Context(), other), fault.Conflict)
	got, err := s.Plans().Get(t.Context(), want.ID)
	must(t, err)
	if diff := cmp.Diff(want, got, digests, ids); diff != "" {
		t.Error(diff)
	}
}

func TestAmongManyPlansOfOneIDOneIsStored(t *testing.T) {
	s := open(t, home(t))
	var wins atomic.Int32
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			switch err := s.Plans().Put(t.Context(), stored(1)); {
			case err == nil:
				wins.Add(1)
			case fault.CodeOf(err) != fault.Conflict:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d were stored", wins.Load())
	}
}

func TestPlansAreListedNewestFirst(t *testing.T) {
	h := home(t)
	s := open(t, h)
	for _, n := range []int{2, 1, 3} {
		must(t, s.Plans().Put(t.Context(), stored(n)))
	}
	must(t, os.WriteFile(filepath.Join(h, "state/plans/notes.json"), nil, 0o600))
	got, err := s.Plans().List(t.Context())
	must(t, err)
	if diff := cmp.Diff([]plan.ID{planID(3), planID(2), planID(1)}, got, ids); diff != "" {
		t.Error(diff)
	}
}

func TestAPlanWithoutAGoodDigestIsTampered(t *testing.T) {
	for _, test := range []struct{ name, digest string }{
		{"missing", ""}, {"no newline", canon.Sum(nil).String()}, {"not a digest", "sha256:xyz\n"},
		{"trailing bytes", canon.Sum(nil).String() + "\n\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := home(t)
			s := open(t, h)
			must(t, s.Plans().Put(t.Context(), stored(1)))
			path := filepath.Join(h, "state/plans", planID(1).String()+".digest")
			must(t, os.Remove(path))
			if test.digest != "" {
				must(t, os.WriteFile(path, []byte(test.digest), 0o600))
			}
			_, err := s.Plans().Get(t.Context(), planID(1))
			wantCode(t, err, fault.TamperedPlan)
		})
	}
}

func TestReadsOfWhatIsNotThereSayNotFound(t *testing.T) {
	for _, state := range []struct {
		name string
		open bool
	}{{"no state at all", false}, {"empty state", true}} {
		t.Run(state.name, func(t *testing.T) {
			h := home(t)
			s := newStore(h)
			if state.open {
				s = open(t, h)
			}
			ctx := t.Context()
			_, err := s.Plans().Get(ctx, planID(1))
			wantCode(t, err, fault.NotFound)
			_, err = s.Secrets().Get(ctx, planID(1))
			wantCode(t, err, fault.NotFound)
			_, err = s.Approvals().Get(ctx, planID(1))
			wantCode(t, err, fault.NotFound)
			_, err = s.Journals().Read(ctx, planID(1))
			wantCode(t, err, fault.NotFound)
		})
	}
}

func TestReadsMakeNothing(t *testing.T) {
	h := home(t)
	s := newStore(h)
	ctx := t.Context()
	_, err := s.Plans().List(ctx)
	must(t, err)
	_, err = s.Journals().List(ctx)
	must(t, err)
	revoked, err := s.Approvals().Revoked(ctx, planID(1))
	must(t, err, s.Secrets().Erase(ctx, planID(1)))
	_, head, err := s.Audit().Head(ctx)
	must(t, err)
	_, anchor, err := s.Audit().Anchor(ctx)
	must(t, err)
	for range s.Audit().Lines(ctx) {
		t.Error("a line without a log")
	}
	if revoked || head || anchor {
		t.Error("something was found where there is nothing")
	}
	_, err = s.Audit().First(ctx)
	wantCode(t, err, fault.NotFound)
	if exists(h) {
		t.Errorf("made: %v", under(t, h))
	}
}

func TestSecretsAreGoneOnceErased(t *testing.T) {
	h := home(t)
	s := open(t, h)
	ctx := t.Context()
	must(t, s.Secrets().Put(ctx, planID(1), []byte(`{"s0":"hunter2"}`)))
	got, err := s.Secrets().Get(ctx, planID(1))
	must(t, err)
	if string(got) != `{"s0":"hunter2"}` {
		t.Errorf("got other bytes back")
	}
	must(t, s.Secrets().Erase(ctx, planID(1)), s.Secrets().Erase(ctx, planID(1)))
	_, err = s.Secrets().Get(ctx, planID(1))
	wantCode(t, err, fault.NotFound)
	for _, name := range under(t, h) {
		if info, err := os.Stat(filepath.Join(h, name)); err == nil && info.Mode().IsRegular() && containsSecret(t, filepath.Join(h, name)) {
			t.Errorf("%s holds the secret", name)
		}
	}
}

func TestAnApprovalIsReplacedAndARevocationStays(t *testing.T) {
	s := open(t, home(t))
	ctx := t.Context()
	must(t, s.Approvals().Put(ctx, planID(1), []byte("one")), s.Approvals().Put(ctx, planID(1), []byte("two")))
	got, err := s.Approvals().Get(ctx, planID(1))
	must(t, err)
	if string(got) != "two" {
		t.Errorf("got %q", got)
	}
	before, err := s.Approvals().Revoked(ctx, planID(1))
	must(t, err, s.Approvals().Revoke(ctx, planID(1)), s.Approvals().Revoke(ctx, planID(1)), s.Approvals().Put(ctx, planID(1), []byte("three")))
	after, err := s.Approvals().Revoked(ctx, planID(1))
	must(t, err)
	other, err := s.Approvals().Revoked(ctx, planID(2))
	must(t, err)
	if before || !after || other {
		t.Errorf("revoked: before %v, after %v, other plan %v", before, after, other)
	}
}

func TestABackupIsWholeWithItsHashAndSize(t *testing.T) {
	s := open(t, home(t))
	for _, text := range []string{"#config-version=1\nfirst", "#config-version=1\nsecond"} {
		b, err := s.Backups().Save(t.Context(), planID(1), func(w io.Writer) error {
			for _, c := range text {
				if _, err := io.WriteString(w, string(c)); err != nil {
					return err
				}
			}
			return nil
		})
		must(t, err)
		if got := string(readFile(t, b.Name)); got != text || b.Digest != canon.Sum([]byte(text)) || b.Bytes != int64(len(text)) {
			t.Errorf("%q: digest %s, %d bytes", got, b.Digest, b.Bytes)
		}
	}
}

func TestABackupThatFailsLeavesNothing(t *testing.T) {
	h := home(t)
	s := open(t, h)
	cut := fault.New(fault.DeviceError, "the device stopped")
	_, err := s.Backups().Save(t.Context(), planID(1), func(w io.Writer) error {
		_, _ = io.WriteString(w, "#config-version=")
		return cut
	})
	if !errors.Is(err, cut) {
		t.Fatalf("error %v, want the source's own", err)
	}
	if left := under(t, filepath.Join(h, "state/backups")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNothingOfAPrunedPlanStaysAndNothingOfAnother(t *testing.T) {
	dir := home(t)
	s := open(t, dir)
	for n := range 2 {
		p := stored(n)
		must(t, s.Plans().Put(t.Context(), p))
		must(t, s.Secrets().Put(t.Context(), p.ID, []byte("{}")))
		must(t, s.Approvals().Put(t.Context(), p.ID, []byte("{}")))
		must(t, s.Approvals().Revoke(t.Context(), p.ID))
		j, err := s.Journals().Claim(t.Context(), p.ID, []byte("first\n"))
		must(t, err)
		must(t, j.Close())
	}
	count := func(id plan.ID) (n int) {
		must(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
			if strings.Contains(filepath.Base(path), id.String()) {
				n++
			}
			return err
		}))
		return n
	}
	before := count(stored(1).ID)
	if before < 6 {
		t.Fatalf("a plan has %d files", before)
	}
	for range 2 { // what is gone already is no error
		must(t, s.Plans().Prune(t.Context(), stored(0).ID))
	}
	if got := count(stored(0).ID); got != 0 {
		t.Errorf("%d files stay", got)
	}
	if got := count(stored(1).ID); got != before {
		t.Errorf("another plan had %d files and has %d", before, got)
	}
}
