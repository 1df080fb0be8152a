package porttest

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

const roomy = 64 << 20

func (h DeviceHarness) backup(t *testing.T) {
	h.run(t, "a backup is a FortiOS configuration", func(b *bench) {
		b.create("firewall/address", map[string]any{"name": "pt-in-backup"})
		got, err := b.save(roomy)
		must(b.t, err)
		if !strings.HasPrefix(got, "#config-version=") || !strings.Contains(got, "pt-in-backup") {
			b.t.Errorf("%d bytes that begin with %.40q", len(got), got)
		}
	})
	h.run(t, "a backup is no write", func(b *bench) {
		h.Without.need(b.t, Counting, b.Arrived != nil)
		before := b.Arrived()
		_, err := b.save(roomy)
		must(b.t, err)
		if n := b.Arrived() - before; n != 0 {
			b.t.Errorf("%d writes arrived", n)
		}
	})
	h.run(t, "a backup larger than the limit fails, and no more is written", func(b *bench) {
		got, err := b.save(100)
		wantCode(b.t, err, fault.DeviceError)
		if len(got) > 100 {
			b.t.Errorf("%d bytes were written", len(got))
		}
	})
	h.run(t, "a page is no backup", func(b *bench) {
		calm := b.arrange(LoginPage)
		defer calm()
		got, err := b.save(roomy)
		wantCode(b.t, err, fault.DeviceError)
		if got != "" {
			b.t.Errorf("%d bytes were written", len(got))
		}
	})
	h.run(t, "a cut backup fails", func(b *bench) {
		calm := b.arrange(CutBody)
		defer calm()
		if _, err := b.save(roomy); err == nil {
			b.t.Error("half a configuration counts as a backup")
		}
	})
	h.run(t, "the writer's error is passed on", func(b *bench) {
		full := errors.New("the disk is full")
		err := b.device.Backup(b.t.Context(), b.Identity.Release(), failing{full}, roomy)
		if !errors.Is(err, full) {
			b.t.Errorf("Backup: %v", err)
		}
	})
}

func (b *bench) save(limit int64) (string, error) {
	var w bytes.Buffer
	err := b.device.Backup(b.t.Context(), b.Identity.Release(), &w, limit)
	return w.String(), err
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ port.BackupSource = (port.Device)(nil)
