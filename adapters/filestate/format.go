package filestate

import (
	"bytes"
	"encoding/hex"
	"errors"
	"io/fs"
	"regexp"
	"sync"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// formatVersion is the version of the directory's layout.
const formatVersion = 1

// installBytes is how much of the installation's name is random.
const installBytes = 16

// format is the contents of state/FORMAT.
type format struct {
	Format  string `json:"format"`
	Version int    `json:"v"`
	// Install names the installation; the audit chain begins with it.
	Install string `json:"install"`
}

const formatName = "forti-state"

var installForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{32}$`) })

// format reads the installation's name; a writer gives it one where state is
// new, a reader gets errAbsent there.
func (v *visit) format(want intent) error {
	data, err := v.read(formatFile)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = v.begin(want)
	}
	if err != nil {
		return err
	}
	var f format
	body, whole := bytes.CutSuffix(data, []byte("\n"))
	err = canon.Unmarshal(body, &f)
	if err != nil || !whole || f.Format != formatName || f.Version != formatVersion || !installForm().MatchString(f.Install) {
		return fault.Wrap(err, fault.Config, "%s is damaged or was made by another version; restore it from a backup, or use that version",
			v.path(formatFile)).With("path", v.path(formatFile))
	}
	v.install = f.Install
	return nil
}

// begin names the installation. A directory that has anything but no name lost
// it: a new one would not fit its audit log.
func (v *visit) begin(want intent) ([]byte, error) {
	names, err := v.published(stateDir)
	if err != nil {
		return nil, err
	}
	if len(names) > 0 {
		data, err := v.read(formatFile) // another process may have begun just now
		if errors.Is(err, fs.ErrNotExist) {
			err = fault.New(fault.Config, "%s is missing although there is state; restore it from a backup", v.path(formatFile)).
				With("path", v.path(formatFile))
		}
		return data, err
	}
	if want == reading {
		return nil, errAbsent
	}
	random, err := v.store.random.Bytes(installBytes)
	if err != nil {
		return nil, fault.Wrap(err, fault.Config, "the system gives no random bytes; try again")
	}
	data, err := canon.Marshal(format{Format: formatName, Version: formatVersion, Install: hex.EncodeToString(random)})
	if err != nil {
		return nil, err
	}
	err = v.create(formatFile, append(data, '\n'))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return v.read(formatFile)
}
