package apply

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"sync"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/profile"
)

// Format is the version of the journal's lines.
const Format = 1

// RecordType names a journal line.
type RecordType string

// The journal's lines, in the order in which they can appear.
const (
	Claimed   RecordType = "claim"
	Intended  RecordType = "intent"
	Answered  RecordType = "answered"
	Judged    RecordType = "verdict"
	Probed    RecordType = "probe"
	RolledOut RecordType = "rollback"
	Ended     RecordType = "end"
	Recovered RecordType = "recovered"
)

// Record is one line of a plan's journal. Members that a type does not use are
// left out of the line.
type Record struct {
	V    int        `json:"v"`
	N    int        `json:"n"`
	At   time.Time  `json:"t"`
	Type RecordType `json:"type"`

	// Claim.
	PlanID   plan.ID      `json:"plan_id,omitzero"`
	Digest   canon.Digest `json:"digest,omitzero"`
	Approval canon.Digest `json:"approval_sha256,omitzero"`
	Mode     profile.Mode `json:"mode,omitempty"`
	Serial   string       `json:"serial,omitempty"`
	BootID   string       `json:"boot_id,omitempty"`

	// Op is the index of the operation, for intent, answered, verdict and probe.
	Op *int `json:"op,omitempty"`
	// Wire is the hash of the request that is about to be sent.
	Wire canon.Digest `json:"wire_sha256,omitzero"`
	// Class, HTTP and Sent are the answer.
	Class exchange.Class `json:"class,omitempty"`
	HTTP  int            `json:"http,omitempty"`
	Sent  bool           `json:"sent,omitempty"`
	// Verdict is how the operation ended.
	Verdict *Outcome `json:"verdict,omitempty"`
	// OK is the probe's result.
	OK *bool `json:"ok,omitempty"`
	// Rollback is the stored rollback plan, in rollback and end.
	Rollback plan.ID `json:"rollback,omitzero"`
	// State is the plan's state at the end.
	State State `json:"state,omitempty"`
	// By is the program that recovered the journal.
	By string `json:"by,omitempty"`
	// CRC is CRC-32C over the canonical line without this member, in hex.
	CRC string `json:"crc,omitempty"`
}

// Outcome is the end of one operation with everything that is known of it.
type Outcome struct {
	Status   exchange.Status   `json:"status"`
	Changed  exchange.Changed  `json:"changed,omitempty"`
	Observed exchange.Observed `json:"observed,omitempty"`
	Class    exchange.Class    `json:"class,omitempty"`
	HTTP     int               `json:"http_status,omitempty"`
	// DeviceError is FortiOS's error number.
	DeviceError int `json:"device_error,omitempty"`
	// Code is the error code of an operation that was not verified.
	Code fault.Code `json:"code,omitempty"`
	// Message is ours; DeviceText the device's own words, escaped and capped.
	Message    string `json:"message,omitempty"`
	DeviceText string `json:"device_message,omitempty"`
	// Unverified are attributes that cannot be compared (secrets).
	Unverified []string `json:"unverified_attributes,omitempty"`
	// Mismatch are attributes that read back differently.
	Mismatch []string `json:"mismatch,omitempty"`
	// SideEffects are attributes that changed without being asked to.
	SideEffects []string `json:"side_effects,omitempty"`
	// Key is the key of the row where the device chose it.
	Key operation.Key `json:"key,omitzero"`
	// Post is the hash of the object's comparable image after the operation, and
	// Gone is set where the object was found absent. Rollbacks are built on them.
	Post canon.Digest `json:"post_sha256,omitzero"`
	Gone bool         `json:"gone,omitempty"`
	// Order is the order of the table's keys that was read back, where it is not the
	// wanted one.
	Order []operation.Key `json:"order,omitempty"`
	// Skipped: the precondition said that nothing had to be sent.
	Skipped bool `json:"skipped,omitempty"`
}

// castagnoli is made when a journal is first used: most programs never do.
var castagnoli = sync.OnceValue(func() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) })

// EncodeLine writes a record as one journal line with its checksum and newline.
func EncodeLine(r Record) ([]byte, error) {
	r.V, r.CRC = Format, ""
	body, err := canon.Marshal(r)
	if err != nil {
		return nil, err
	}
	r.CRC = checksum(body)
	line, err := canon.Marshal(r)
	if err != nil {
		return nil, err
	}
	return append(line, '\n'), nil
}

func checksum(body []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(body, castagnoli()))
}

// ErrCorrupt is wrapped where a journal is damaged other than by a torn last
// line; nothing more is done with its plan.
var ErrCorrupt = errors.New("the journal is damaged")

// ParseJournal reads the lines of a journal. A last line that is incomplete,
// fails its checksum or has the wrong number is torn and counts as absent; good
// is the length of what is whole. The same fault anywhere else is ErrCorrupt, and
// so is, wherever it stands, a whole line that this program does not understand:
// cutting off what a newer one wrote could hide a request that was sent.
func ParseJournal(data []byte) (records []Record, good int, err error) {
	for good < len(data) {
		end := bytes.IndexByte(data[good:], '\n')
		if end < 0 {
			return records, good, nil
		}
		next := good + end + 1
		r, err := parseLine(data[good:next-1], len(records))
		switch {
		case err == nil:
		case next == len(data) && !errors.Is(err, ErrCorrupt):
			return records, good, nil
		case errors.Is(err, ErrCorrupt):
			return nil, good, fmt.Errorf("line %d: %w", len(records), err)
		default:
			return nil, good, fmt.Errorf("line %d: %w: %w", len(records), ErrCorrupt, err)
		}
		records = append(records, r)
		good = next
	}
	return records, good, nil
}

// parseLine reads line n. The error is ErrCorrupt where the line is whole.
func parseLine(line []byte, n int) (Record, error) {
	if err := checkSum(line); err != nil {
		return Record{}, err
	}
	var r Record
	if err := canon.Unmarshal(line, &r); err != nil {
		return Record{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	switch {
	case r.V != Format:
		return Record{}, fmt.Errorf("%w: format %d is not known", ErrCorrupt, r.V)
	case r.N != n:
		return Record{}, fmt.Errorf("number %d stands where %d belongs", r.N, n)
	case !r.complete():
		return Record{}, fmt.Errorf("%w: a %q record is not known or lacks a member", ErrCorrupt, r.Type)
	}
	return r, nil
}

// checkSum compares a line with its checksum without knowing its members.
func checkSum(line []byte) error {
	v, err := canon.Decode(line)
	if err != nil {
		return err
	}
	object, isObject := v.(map[string]any)
	claimed, has := object["crc"].(string)
	if !isObject || !has {
		return errors.New("the checksum is missing")
	}
	delete(object, "crc")
	body, err := canon.Encode(object)
	if err != nil {
		return err
	}
	if checksum(body) != claimed {
		return errors.New("the checksum is wrong")
	}
	return nil
}

// complete: the record is of a known type and has what its readers rely on.
func (r *Record) complete() bool {
	hasOp := r.Op != nil && *r.Op >= 0
	switch r.Type {
	case Claimed:
		return r.N == 0
	case Intended, Answered:
		return hasOp
	case Judged:
		return hasOp && r.Verdict != nil
	case Probed:
		return hasOp && r.OK != nil
	case RolledOut, Ended, Recovered:
		return true
	}
	return false
}
