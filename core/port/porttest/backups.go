package porttest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// BackupsHarness is the harness of [RunBackups].
type BackupsHarness struct {
	New func(t *testing.T) BackupsFixture
	// Without may declare Listing.
	Without Without
}

// BackupsFixture is an empty store.
type BackupsFixture struct {
	Backups port.Backups
	// Kept gives everything that is stored: the content by any name.
	Kept func(t *testing.T) map[string][]byte
}

// RunBackups checks [port.Backups].
func RunBackups(t *testing.T, h BackupsHarness) {
	run := func(name string, test func(t *testing.T, f BackupsFixture)) {
		t.Run(name, func(t *testing.T) {
			f := h.New(t)
			h.Without.need(t, Listing, f.Kept != nil)
			test(t, f)
		})
	}
	run("Save stores what fill wrote", backupSaved)
	run("two plans have two backups", backupsApart)
	run("nothing is kept where fill fails", backupFailed)
	run("List gives what is kept, newest first", backupsListed)
	run("Remove removes one backup and no other", backupRemoved)
}

func pieces(w io.Writer, n int) error {
	for i := range n {
		if _, err := fmt.Fprintf(w, "config line %d\n", i); err != nil {
			return err
		}
	}
	return nil
}

func backupSaved(t *testing.T, f BackupsFixture) {
	var want bytes.Buffer
	must(t, pieces(&want, 10_000))
	saved, err := f.Backups.Save(t.Context(), ids(1)[0], func(w io.Writer) error { return pieces(w, 10_000) })
	must(t, err)
	if saved.Name == "" || saved.Digest != canon.Sum(want.Bytes()) || saved.Bytes != int64(want.Len()) {
		t.Errorf("%+v does not name %d bytes", saved, want.Len())
	}
	kept := f.Kept(t)
	if len(kept) != 1 {
		t.Fatalf("%d backups are kept", len(kept))
	}
	for _, content := range kept {
		if !bytes.Equal(content, want.Bytes()) {
			t.Errorf("%d bytes are kept, want %d", len(content), want.Len())
		}
	}
}

// backupsListed applies to stores that list.
func backupsListed(t *testing.T, f BackupsFixture) {
	lister, ok := f.Backups.(port.BackupLister)
	if !ok {
		t.Skip("this store does not list its backups")
	}
	none, err := lister.List(t.Context())
	must(t, err)
	if len(none) != 0 {
		t.Errorf("an empty store lists %v", none)
	}
	var want []port.StoredBackup
	for i, id := range ids(3) {
		saved, err := f.Backups.Save(t.Context(), id, func(w io.Writer) error { return pieces(w, i+1) })
		must(t, err)
		saved.Digest = canon.Digest{}
		want = append(want, port.StoredBackup{ID: id, Backup: saved})
	}
	slices.SortFunc(want, func(a, b port.StoredBackup) int { return -cmp.Compare(a.ID.String(), b.ID.String()) })
	got, err := lister.List(t.Context())
	must(t, err)
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// backupRemoved applies to stores that prune.
func backupRemoved(t *testing.T, f BackupsFixture) {
	pruner, ok := f.Backups.(port.BackupPruner)
	if !ok {
		t.Skip("this store does not remove its backups")
	}
	gone, stays := ids(2)[0], ids(2)[1]
	for _, id := range []plan.ID{gone, stays} {
		saved, err := f.Backups.Save(t.Context(), id, func(w io.Writer) error { return pieces(w, 3) })
		must(t, err)
		if got, err := pruner.Digest(t.Context(), id); err != nil || got != saved.Digest {
			t.Errorf("the digest is %s (%v), want %s", got, err, saved.Digest)
		}
	}
	for range 2 { // what is not there is no error
		must(t, pruner.Remove(t.Context(), gone))
	}
	if _, err := pruner.Digest(t.Context(), gone); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the digest of what is gone: %v", err)
	}
	if _, err := pruner.Digest(t.Context(), stays); err != nil {
		t.Error(err)
	}
	if kept := f.Kept(t); len(kept) != 1 {
		t.Errorf("%d backups are kept, want 1", len(kept))
	}
}

func backupsApart(t *testing.T, f BackupsFixture) {
	names := map[string]bool{}
	for i, id := range ids(2) {
		saved, err := f.Backups.Save(t.Context(), id, func(w io.Writer) error { return pieces(w, i+1) })
		must(t, err)
		names[saved.Name] = true
	}
	if kept := f.Kept(t); len(names) != 2 || len(kept) != 2 {
		t.Errorf("names %v, %d kept", names, len(kept))
	}
}

func backupFailed(t *testing.T, f BackupsFixture) {
	cause := errors.New("the device stopped")
	_, err := f.Backups.Save(t.Context(), ids(1)[0], func(w io.Writer) error {
		must(t, pieces(w, 1000))
		return cause
	})
	if !errors.Is(err, cause) {
		t.Errorf("the cause is lost: %v", err)
	}
	if kept := f.Kept(t); len(kept) != 0 {
		t.Errorf("%d backups are kept", len(kept))
	}
}
