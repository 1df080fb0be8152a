package filestate

import (
	"errors"
	"io/fs"
	"os"

	"github.com/forti-mcp/forti/adapters/internal/durable"
)

// reserveFile is room that is taken in advance, so that what an apply did can be written
// down though the disk became full in its middle. reserveBytes is how much.
const (
	reserveFile  = "state/reserve"
	reserveBytes = 64 << 10
)

// provide makes sure of the reserve. It comes before a claim: where there is no room for
// it, nothing is sent.
func (v *visit) provide() error {
	info, err := v.inspect(reserveFile)
	if err == nil && info.Size() >= reserveBytes {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// Not zeros: some file systems keep those without room.
	random, err := v.store.random.Bytes(reserveBytes)
	if err != nil {
		return trouble(err, "fill", v.path(reserveFile))
	}
	if err := v.replace(reserveFile, durable.Bytes(random)); err != nil {
		return trouble(err, "write", v.path(reserveFile))
	}
	return nil
}

// spend gives the reserve back to the disk, and reports whether there was one. It does
// so only while a journal is open: plans, of which a model can make many, never get it.
// The directory is opened anew, since a journal outlives the visit that opened it.
func (s *Store) spend() bool {
	if s.journals.Load() == 0 {
		return false
	}
	sys, err := s.connect(s.home)
	if err != nil {
		return false
	}
	defer func() { _ = sys.Close() }()
	info, err := sys.Lstat(reserveFile)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false
	}
	f, err := sys.OpenFile(reserveFile, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	err = f.Truncate(0)
	return errors.Join(err, f.Close()) == nil
}
