package filestate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/audit"
)

// What is cut off the log is kept in files that end in the number of the record
// that tells of it. As long as that record does not exist the work is unfinished,
// so a crash at any point is made good by the next append or repair.
const (
	tornPrefix    = stateDir + "/audit.torn-"
	damagedPrefix = stateDir + "/audit.damaged-"
)

// mend keeps a torn last record, cuts it off and records that. It returns what
// it recorded, "" where nothing is torn.
func (w *writer) mend(e audit.Entry) (string, error) {
	if w.tail.torn() {
		if err := w.setAside(tornPrefix); err != nil {
			return "", err
		}
	}
	kept, err := w.aside(tornPrefix)
	if err != nil || len(kept) == 0 {
		return "", err
	}
	text := "the last record was torn; kept: " + strings.Join(kept, ", ")
	_, err = w.append(note(e, audit.Repaired, text))
	return text, err
}

// setAside copies what follows the good records to a new file and cuts it off.
func (w *writer) setAside(prefix string) error {
	section := io.NewSectionReader(w.log.File(), w.tail.good, w.tail.size-w.tail.good)
	if err := w.keep(fmt.Sprintf("%s%d", prefix, w.tail.next.Seq), section); err != nil {
		return err
	}
	if err := w.confirm(w.log.Cut(w.tail.good)); err != nil {
		return err
	}
	w.tail.size = w.tail.good
	return nil
}

// keep publishes a section under a name or, where an earlier attempt left
// something else there, under the name with a number.
func (w *writer) keep(name string, section *io.SectionReader) error {
	for i := 1; i <= attempts; i++ {
		numbered := name
		if i > 1 {
			numbered = fmt.Sprintf("%s-%d", name, i)
		}
		_, err := section.Seek(0, io.SeekStart)
		if err == nil {
			err = w.tree.Create(numbered, func(to io.Writer) error {
				_, err := io.Copy(to, section)
				return err
			})
		}
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return trouble(err, "write", w.path(numbered))
		}
		same, err := w.holds(numbered, section)
		if same || err != nil {
			return err
		}
	}
	return unsteady(w.path(name))
}

func (w *writer) holds(name string, section *io.SectionReader) (bool, error) {
	there, err := w.read(name)
	if err != nil || int64(len(there)) != section.Size() {
		return false, err
	}
	mine := make([]byte, section.Size())
	if _, err := section.ReadAt(mine, 0); err != nil {
		return false, trouble(err, "read", w.path(auditFile))
	}
	return slices.Equal(there, mine), nil
}

// aside describes what was cut off and is not recorded yet.
func (w *writer) aside(prefix string) ([]string, error) {
	names, err := w.published(stateDir)
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	exact := fmt.Sprintf("%s%d", strings.TrimPrefix(prefix, stateDir+"/"), w.tail.next.Seq)
	var kept []string
	for _, base := range names {
		if base != exact && !strings.HasPrefix(base, exact+"-") {
			continue
		}
		text, err := w.describe(base)
		if err != nil {
			return nil, err
		}
		kept = append(kept, text)
	}
	return kept, nil
}

// describe names a file of the state directory with its size and hash.
func (w *writer) describe(base string) (string, error) {
	f, err := w.visit.open(stateDir+"/"+base, w.tree.Open)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	if err != nil {
		return "", trouble(err, "read", w.path(stateDir+"/"+base))
	}
	return fmt.Sprintf("%s (%d bytes, sha256:%s)", base, n, hex.EncodeToString(sum.Sum(nil))), nil
}
