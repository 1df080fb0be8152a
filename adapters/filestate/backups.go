package filestate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// Backups keeps configurations as backups/<id>.conf.
type Backups struct{ store *Store }

var (
	_ port.Backups      = (*Backups)(nil)
	_ port.BackupPruner = (*Backups)(nil)
)

func backupFile(id plan.ID) string { return backupsDir + "/" + id.String() + ".conf" }

// Save stores what fill writes. An earlier backup of the plan, from an apply
// that failed before it began, is replaced. An error of fill comes back as it is.
func (b *Backups) Save(ctx context.Context, id plan.ID, fill func(w io.Writer) error) (port.Backup, error) {
	v, err := b.store.in(ctx, backupsDir, writing)
	if err != nil {
		return port.Backup{}, err
	}
	defer v.leave()
	var sum summing
	var filling error
	err = v.replace(backupFile(id), func(w io.Writer) error {
		sum = summing{to: w, hash: sha256.New()}
		filling = fill(&sum)
		return orElse(filling, sum.failed)
	})
	switch {
	case sum.failed != nil:
		return port.Backup{}, trouble(sum.failed, "write", v.path(backupFile(id)))
	case filling != nil:
		return port.Backup{}, filling
	case err != nil:
		return port.Backup{}, trouble(err, "write", v.path(backupFile(id)))
	}
	digest, err := canon.ParseDigest("sha256:" + hex.EncodeToString(sum.hash.Sum(nil)))
	return port.Backup{Name: v.path(backupFile(id)), Digest: digest, Bytes: sum.bytes}, err
}

// List gives all backups, newest first.
func (b *Backups) List(ctx context.Context) ([]port.StoredBackup, error) {
	ids, err := b.store.ids(ctx, backupsDir, ".conf")
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	v, err := b.store.in(ctx, backupsDir, reading)
	if err != nil {
		return nil, err
	}
	defer v.leave()
	list := make([]port.StoredBackup, 0, len(ids))
	for _, id := range ids {
		info, err := v.inspect(backupFile(id))
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was removed since
		}
		if err != nil {
			return nil, err
		}
		list = append(list, port.StoredBackup{ID: id, Backup: port.Backup{Name: v.path(backupFile(id)), Bytes: info.Size()}})
	}
	return list, nil
}

// Digest reads a backup through.
func (b *Backups) Digest(ctx context.Context, id plan.ID) (canon.Digest, error) {
	v, err := b.store.in(ctx, backupsDir, reading)
	if err != nil {
		return canon.Digest{}, missing(err, "there is no backup %s", id)
	}
	defer v.leave()
	f, err := v.open(backupFile(id), v.tree.Open)
	if err != nil {
		return canon.Digest{}, missing(err, "there is no backup %s", id)
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return canon.Digest{}, trouble(err, "read", v.path(backupFile(id)))
	}
	return canon.ParseDigest("sha256:" + hex.EncodeToString(sum.Sum(nil)))
}

// Remove removes a backup.
func (b *Backups) Remove(ctx context.Context, id plan.ID) error {
	v, err := b.store.in(ctx, backupsDir, writing)
	if err != nil {
		return err
	}
	defer v.leave()
	return v.remove(backupFile(id))
}

// summing counts and hashes what passes through it and remembers a failed write,
// so that a full disk is not taken for a fault of the source.
type summing struct {
	to     io.Writer
	hash   hash.Hash
	bytes  int64
	failed error
}

func (s *summing) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.hash.Write(p[:n])
	s.bytes += int64(n)
	if err != nil {
		s.failed = err
	}
	return n, err
}
