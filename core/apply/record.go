package apply

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
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
	// Skipped: the precondition said that nothing had to be sent.
	Skipped bool `json:"skipped,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	sum := crc32.Checksum(body, castagnoli)
	return hex.EncodeToString([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

// ErrCorrupt is wrapped where a journal is damaged other than by a torn last
// line; nothing more is done with its plan.
var ErrCorrupt = errors.New("the journal is damaged")

// ParseJournal reads the lines of a journal. A last line that is incomplete or
// fails its checksum is torn and counts as absent; good is the length of what
// is whole. The same fault anywhere else is ErrCorrupt.
func ParseJournal(data []byte) (records []Record, good int, err error) {
	for good < len(data) {
		line := data[good:]
		end := bytes.IndexByte(line, '\n')
		last := end < 0 || good+end+1 == len(data)
		if end < 0 {
			return records, good, nil
		}
		r, err := parseLine(line[:end], len(records))
		if err != nil {
			if last {
				return records, good, nil
			}
			return nil, good, fmt.Errorf("%w: line %d: %w", ErrCorrupt, len(records), err)
		}
		records = append(records, r)
		good += end + 1
	}
	return records, good, nil
}

func parseLine(line []byte, n int) (Record, error) {
	var r Record
	if err := canon.Unmarshal(line, &r); err != nil {
		return Record{}, err
	}
	claimed := r.CRC
	r.CRC = ""
	body, err := canon.Marshal(r)
	if err != nil {
		return Record{}, err
	}
	r.CRC = claimed
	switch {
	case checksum(body) != claimed:
		return Record{}, errors.New("the checksum is wrong")
	case r.N != n:
		return Record{}, fmt.Errorf("number %d stands where %d belongs", r.N, n)
	case r.V != Format:
		return Record{}, fmt.Errorf("format %d is not known", r.V)
	}
	return r, nil
}
