package sshsign

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/forti-mcp/forti/adapters/internal/owner"
	"github.com/forti-mcp/forti/adapters/internal/regular"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// maxList bounds a list of signers, in bytes.
const maxList = 1 << 20

// List is who may sign.
type List struct {
	path    string
	digest  canon.Digest
	entries []entry
}

// entry is one line of a list.
type entry struct {
	line           int
	principals     string
	key            ssh.PublicKey
	after, before  time.Time // zero: without a limit
	forApprovals   bool      // its namespaces, if it names any, fit
	verifyRequired bool
}

func (e entry) inForce(t time.Time) bool {
	return (e.after.IsZero() || !t.Before(e.after)) && (e.before.IsZero() || t.Before(e.before))
}

// signer is whom the key belongs to: the first of its names, in lower case.
func (e entry) signer() string {
	name, _, _ := strings.Cut(e.principals, ",")
	return strings.ToLower(strings.TrimSpace(name))
}

// Load reads a list: lines of principals, options, a key and a comment, as
// ssh-keygen(1) describes allowed_signers. The options namespaces, valid-after and
// valid-before mean what they mean there, and verify-required what it means in
// authorized_keys. Certificate authorities are not taken.
//
// The file must be its owner's, or root's, to write and nobody else's: whoever
// writes it decides who approves. Every failure is config and names the line.
func Load(file string) (List, error) {
	if file == "" {
		return List{}, fault.New(fault.Config, "the profile names no signers")
	}
	raw, err := read(file)
	if err != nil {
		return List{}, err
	}
	l := List{path: file, digest: canon.Sum(raw)}
	for i, line := range bytes.Split(raw, []byte("\n")) {
		text := strings.TrimSpace(string(line))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		e, err := parseLine(text)
		if err != nil {
			return List{}, fault.Wrap(err, fault.Config, "%s, line %d: %v", file, i+1, err)
		}
		e.line = i + 1
		l.entries = append(l.entries, e)
	}
	if len(l.entries) == 0 {
		return List{}, fault.New(fault.Config, "%s names no signer; add lines such as: alice@example.net ssh-ed25519 AAAA…", file)
	}
	return l, nil
}

// Signers is the list's digest and whose keys are on it.
func (l List) Signers() approval.Signers {
	s := approval.Signers{Digest: l.digest}
	for _, e := range l.entries {
		if name := e.signer(); e.forApprovals && !slices.Contains(s.Names, name) {
			s.Names = append(s.Names, name)
		}
	}
	return s
}

// read takes a regular file, never through a symbolic link.
func read(file string) ([]byte, error) {
	raw, err := regular.Read(file, maxList, func(info fs.FileInfo) string {
		if problem := owner.Steady(info); problem != "" {
			return problem + "; check each key in it, then: chmod 644"
		}
		return ""
	})
	if err == nil {
		return raw, nil
	}
	problem := err.Error()
	if errors.Is(err, fs.ErrNotExist) {
		problem += "; put the keys of those who may approve there"
	}
	return nil, fault.Wrap(err, fault.Config, "the list of signers %s %s", file, problem).With("path", file)
}

func parseLine(text string) (entry, error) {
	principals, rest, found := cutField(text)
	if !found {
		return entry{}, errors.New("a signer is principals, a kind of key and the key")
	}
	key, _, options, more, err := ssh.ParseAuthorizedKey([]byte(rest))
	if err != nil || len(bytes.TrimSpace(more)) > 0 {
		return entry{}, errors.New("the key cannot be read; it is what a .pub file has")
	}
	e := entry{principals: principals, key: key, forApprovals: true}
	for _, o := range options {
		if err := e.option(o); err != nil {
			return entry{}, err
		}
	}
	return e, nil
}

// cutField takes the first field, which may be quoted.
func cutField(text string) (field, rest string, found bool) {
	if strings.HasPrefix(text, `"`) {
		field, rest, found = strings.Cut(text[1:], `"`)
		return field, strings.TrimSpace(rest), found && field != ""
	}
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return "", "", false
	}
	return text[:i], strings.TrimSpace(text[i:]), true
}

func (e *entry) option(text string) error {
	name, value, _ := strings.Cut(text, "=")
	value = strings.Trim(value, `"`)
	var err error
	switch strings.ToLower(name) {
	case "namespaces":
		e.forApprovals = matchesAny(value)
	case "valid-after":
		e.after, err = parseTime(value)
	case "valid-before":
		e.before, err = parseTime(value)
	case "verify-required":
		e.verifyRequired = true
	case "cert-authority":
		return errors.New("certificate authorities are not taken; list each signer's key")
	default:
		return fmt.Errorf("the option %q is not known", name)
	}
	return err
}

// matchesAny says whether a list of patterns, in which ! excludes, holds the
// namespace of approvals.
func matchesAny(patterns string) bool {
	matched := false
	for p := range strings.SplitSeq(patterns, ",") {
		p, not := strings.CutPrefix(p, "!")
		ok, err := path.Match(p, approval.Namespace)
		if err != nil || !ok {
			continue
		}
		if not {
			return false
		}
		matched = true
	}
	return matched
}

// parseTime reads YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, in local time or, with
// a Z, in UTC.
func parseTime(text string) (time.Time, error) {
	digits, utc := strings.CutSuffix(text, "Z")
	where := time.Local
	if utc {
		where = time.UTC
	}
	for _, layout := range []string{"20060102", "200601021504", "20060102150405"} {
		if len(digits) == len(layout) {
			t, err := time.ParseInLocation(layout, digits, where)
			if err == nil {
				return t, nil
			}
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time such as 20261231 or 20261231235959Z", text)
}
