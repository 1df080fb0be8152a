package audit

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/forti-mcp/forti/core/canon"
)

const (
	recordDomain  = "forti-audit-v1"
	genesisDomain = "forti-audit-genesis-v1"
)

// Genesis is the link of the first record: it binds the chain to one installation.
func Genesis(install string) canon.Digest {
	return canon.SumIn(genesisDomain, []byte(install))
}

// Link is where the next record goes: its number and the hash before it.
type Link struct {
	Seq  uint64
	Prev canon.Digest
}

// First is the link of the first record of an installation.
func First(install string) Link { return Link{Prev: Genesis(install)} }

// After is the link that follows a record.
func After(h Head) Link { return Link{Seq: h.Seq + 1, Prev: h.Hash} }

// Seal gives an entry its place in the chain and returns the line to append,
// with its newline, and the new head.
func Seal(e Entry, at Link) (line []byte, head Head, err error) {
	r := Record{V: Format, Seq: at.Seq, Prev: at.Prev, Entry: e}
	if r.Hash, err = hash(r); err != nil {
		return nil, Head{}, err
	}
	line, err = canon.Marshal(r)
	if err != nil {
		return nil, Head{}, err
	}
	return append(line, '\n'), Head{Seq: r.Seq, Hash: r.Hash}, nil
}

func hash(r Record) (canon.Digest, error) {
	r.Hash = canon.Digest{}
	body, err := canon.Marshal(r)
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.SumIn(recordDomain, body), nil
}

// ErrChain is wrapped by every finding of a broken chain.
var ErrChain = errors.New("the audit chain is broken")

// ErrTorn is wrapped where only the last line is incomplete or unreadable.
var ErrTorn = errors.New("the last audit record is torn")

// ParseLine reads one line, without its newline, and checks its form and hash.
func ParseLine(line []byte) (Record, error) {
	var r Record
	if err := canon.Unmarshal(line, &r); err != nil {
		return Record{}, err
	}
	if r.V != Format {
		return Record{}, fmt.Errorf("format %d is not known", r.V)
	}
	want, err := hash(r)
	if err != nil {
		return Record{}, err
	}
	if want != r.Hash || r.Hash.IsZero() {
		return Record{}, errors.New("the hash does not fit the record")
	}
	return r, nil
}

// Report is the result of verifying a log.
type Report struct {
	Records int `json:"records"`
	// Head is the newest good record; nil for an empty log.
	Head *Head `json:"head,omitempty"`
	// BadSeq is the number at which the chain breaks, -1 where it does not.
	BadSeq  int64  `json:"bad_seq"`
	Problem string `json:"problem,omitempty"`
	// Torn: the last line is incomplete.
	Torn bool `json:"torn,omitempty"`
	// Warnings are findings that do not break the chain.
	Warnings []string `json:"warnings,omitempty"`
	// Incomplete: consistent so far, but something is still open.
	Incomplete []string `json:"incomplete,omitempty"`
}

// Broken reports whether the chain is broken.
func (r Report) Broken() bool { return r.BadSeq >= 0 }

// waiting is how much older than the record before it a record may be though the clock
// went on: it has the time of what it tells, and may have waited for others to be written.
const waiting = 30 * time.Second

// Verify walks the log's lines (newline included) from the first link. each, which
// may be nil, hears every good record. The error is the lines' own.
func Verify(first Link, lines iter.Seq2[[]byte, error], each func(Record)) (Report, error) {
	report, at := Report{BadSeq: -1}, first
	var last Record
	for line, err := range lines {
		if err != nil {
			return report, err
		}
		if report.Torn {
			report.Torn, report.BadSeq, report.Problem = false, badSeq(at), fmt.Sprintf("record %d: the line is incomplete and others follow", at.Seq)
			return report, nil
		}
		body, whole := bytes.CutSuffix(line, []byte("\n"))
		if !whole {
			report.Torn = true
			continue
		}
		r, err := ParseLine(body)
		if problem := misfit(r, err, at); problem != "" {
			report.BadSeq, report.Problem = badSeq(at), problem
			return report, nil
		}
		if back := last.At.Sub(r.At); back > waiting {
			report.Warnings = append(report.Warnings, fmt.Sprintf("record %d is %s older than the one before it: the clock was set back", r.Seq, back.Round(time.Second)))
		}
		last, at = r, After(Head{Seq: r.Seq, Hash: r.Hash})
		report.Records++
		report.Head = &Head{Seq: r.Seq, Hash: r.Hash}
		if each != nil {
			each(r)
		}
	}
	return report, nil
}

func badSeq(at Link) int64 { return int64(at.Seq) } //nolint:gosec // a log has fewer than 2^63 records

func misfit(r Record, err error, at Link) string {
	switch {
	case err != nil:
		return fmt.Sprintf("record %d: %v", at.Seq, err)
	case r.Seq != at.Seq:
		return fmt.Sprintf("record %d stands where %d belongs", r.Seq, at.Seq)
	case r.Prev != at.Prev:
		return fmt.Sprintf("record %d does not follow the one before it", r.Seq)
	}
	return ""
}
