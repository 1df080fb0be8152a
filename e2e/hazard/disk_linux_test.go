package hazard

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// onDisk is a lab with an approved plan whose home is a small file system of its own.
func onDisk(t *testing.T) (lab *harness.Lab, id string) {
	t.Helper()
	lab = harness.New(t, &harness.Options{Bare: true})
	must(t, os.Mkdir(lab.Home, 0o700))
	if err := syscall.Mount("tmpfs", lab.Home, "tmpfs", 0, "size=512k,mode=0700"); err != nil {
		t.Skipf("a file system of its own needs an administrator: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(lab.Home, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	lab.Configure(harness.Profile, "--mode", "guarded")
	return lab, lab.Approved(update).PlanID
}

func TestAFullDiskSendsNothing(t *testing.T) {
	t.Parallel()
	lab, id := onDisk(t)
	empty := fill(t, lab)
	wantRefusedUntil(t, lab, id, empty)
}

// What was done to the device is written down in full, though the disk filled up in
// between: room for that was taken before.
func TestADiskThatFillsUpInTheMiddleOfAnApplyTakesItsWholeRecord(t *testing.T) {
	t.Parallel()
	lab, id := onDisk(t)
	hold := lab.Hold(write, true)
	p := lab.Start("apply", id, "-o", "json")
	p.Await(hold)
	empty := fill(t, lab)
	hold.Release()
	var x harness.Execution
	p.Wait().Must(0).Envelope().Into(t, &x)
	if x.Status != "applied" || x.AuditError != "" || x.Rollback == nil || x.Rollback.PlanID == "" {
		t.Errorf("%+v", x)
	}
	if s := lab.Show(id).State; s != "applied" {
		t.Errorf("state %q, want applied", s)
	}
	lab.Forti("audit", "verify").Must(0)
	empty()
	lab.Approve(x.Rollback.PlanID)
	lab.Apply(x.Rollback.PlanID)
	lab.WantWrites(2)
}

// fill leaves no room on the disk of a lab's home until empty is called.
func fill(t *testing.T, lab *harness.Lab) (empty func()) {
	t.Helper()
	filler := filepath.Join(lab.Home, "filler")
	f, err := os.OpenFile(filler, os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	page := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	must(t, f.Close())
	return func() { must(t, os.Remove(filler)) }
}

func TestAStateThatCannotBeWrittenSendsNothing(t *testing.T) {
	t.Parallel()
	lab, id := onDisk(t)
	remount := func(flags uintptr) {
		must(t, syscall.Mount("", lab.Home, "", syscall.MS_REMOUNT|flags, "size=512k"))
	}
	remount(syscall.MS_RDONLY)
	wantRefusedUntil(t, lab, id, func() { remount(0) })
}
