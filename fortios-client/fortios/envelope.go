package fortios

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
)

// Envelope is what FortiOS wraps around every JSON answer. A member that the
// answer lacks, or gives as null, is the zero value. All of it is the device's
// word and untrusted.
type Envelope struct {
	HTTPMethod string
	// Results is what was asked for, as it came; nil where there is none.
	Results json.RawMessage
	VDOM    string
	Path    string
	Name    string
	Action  string
	// MKey is the object's key as text, whether it came as string or as number.
	MKey string
	// Status is "success" or "error".
	Status string
	// HTTPStatus is absent (0) from successful monitor answers.
	HTTPStatus int
	// Serial is 6 to 32 capital letters and digits, or empty: a refusal by the
	// web server in front names none.
	Serial  string
	Version string
	Build   int
	// Revision identifies the state of a table; OldRevision, the one before a write.
	Revision    string
	OldRevision string
	// RevisionChanged is nil where the answer does not say.
	RevisionChanged *bool
	// Error is FortiOS's negative number, 0 for none; see Meaning.
	Error int
	// CLIError is the device's text (where it sends a list, joined with "; "),
	// with control characters escaped, cut after 2 KiB.
	CLIError string
	// Size counts the rows of the table, MatchedCount those that passed the
	// filter. NextIdx differs by release: do not page by it.
	Size         *int
	MatchedCount *int
	NextIdx      *int
}

const (
	maxCLIError  = 2 << 10
	maxEnvelopes = 4096 // far above the number of VDOMs of any model
)

var serialNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z0-9]{6,32}$`) })

// DecodeEnvelope reads an answer: an object gives one envelope, a list (the
// answer for several VDOMs) one for each. The error is an [*Error] of
// [KindNotFortiOS]: invalid JSON, nesting beyond 64, a member named twice, an
// impossible serial number, anything that is not an envelope. Whether the
// envelope reports success is not judged; Response.Fault does.
func DecodeEnvelope(body []byte) ([]Envelope, error) {
	envelopes, err := decodeEnvelopes(body)
	if err != nil {
		return nil, jsonFault(err)
	}
	return envelopes, nil
}

func decodeEnvelopes(body []byte) ([]Envelope, error) {
	if tooDeep(body, maxDepth) {
		return nil, errTooDeep
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	var envelopes []Envelope
	var err error
	switch firstByte(body) {
	case '{':
		envelopes, err = appendEnvelope(nil, dec)
	case '[':
		envelopes, err = decodeList(dec)
	default:
		err = errNotJSON
	}
	if err != nil {
		return nil, err
	}
	return envelopes, atEnd(dec)
}

func decodeList(dec *json.Decoder) (list []Envelope, err error) {
	if err := expect(dec, '['); err != nil {
		return nil, err
	}
	for dec.More() {
		if len(list) >= maxEnvelopes {
			return nil, errWrongShape
		}
		if list, err = appendEnvelope(list, dec); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 { // Nobody reported success.
		return nil, errWrongShape
	}
	return list, expect(dec, ']')
}

func appendEnvelope(list []Envelope, dec *json.Decoder) ([]Envelope, error) {
	var e Envelope
	err := members(dec, func(name string) error {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		return e.set(name, raw)
	})
	if err != nil {
		return nil, err
	}
	return append(list, e), e.check()
}

func (e *Envelope) check() error {
	if e.HTTPMethod == "" && e.Status == "" {
		return errWrongShape
	}
	return nil
}

// set takes one member over. Members that are not part of the envelope are
// skipped: newer releases add some.
func (e *Envelope) set(name string, raw json.RawMessage) error {
	if string(raw) == "null" {
		return nil
	}
	ok := true
	switch name {
	case "results":
		e.Results = raw
	case "cli_error":
		e.CLIError, ok = cliError(raw)
	case "revision_changed":
		ok = json.Unmarshal(raw, &e.RevisionChanged) == nil
	case "serial":
		e.Serial, ok = scalar(raw)
		ok = ok && (e.Serial == "" || serialNumber().MatchString(e.Serial))
	default:
		ok = e.setText(name, raw) && e.setNumber(name, raw)
	}
	if !ok {
		return notFortiOS("the answer's member %s has an impossible value", name)
	}
	return nil
}

func (e *Envelope) setText(name string, raw json.RawMessage) (ok bool) {
	field, known := map[string]*string{
		"http_method": &e.HTTPMethod, "vdom": &e.VDOM, "path": &e.Path, "name": &e.Name, "action": &e.Action, "mkey": &e.MKey,
		"status": &e.Status, "version": &e.Version, "revision": &e.Revision, "old_revision": &e.OldRevision,
	}[name]
	if !known {
		return true
	}
	*field, ok = scalar(raw)
	return ok
}

func (e *Envelope) setNumber(name string, raw json.RawMessage) (ok bool) {
	var n int
	switch name {
	case "http_status":
		e.HTTPStatus, ok = whole(raw)
	case "build":
		e.Build, ok = whole(raw)
	case "error":
		e.Error, ok = whole(raw)
	case "size":
		n, ok = whole(raw)
		e.Size = &n
	case "matched_count":
		n, ok = whole(raw)
		e.MatchedCount = &n
	case "next_idx":
		n, ok = whole(raw)
		e.NextIdx = &n
	default:
		ok = true
	}
	return ok
}

// cliError reads both shapes: one text (up to 7.4), or a list of them (7.6.5).
func cliError(raw json.RawMessage) (string, bool) {
	var lines []string
	if text, ok := scalar(raw); ok {
		lines = []string{text}
	} else if json.Unmarshal(raw, &lines) != nil {
		return "", false
	}
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return clean(strings.Join(lines, "; "), maxCLIError), true
}

// jsonFault gives each error of the decoder a kind. The texts of encoding/json
// quote the device and are not passed on.
func jsonFault(err error) error {
	fault, ok := errors.AsType[*Error](err)
	switch {
	case ok:
		copied := *fault // The package's own errors are shared.
		return &copied
	case errors.Is(err, errQuota):
		return tooLarge("a part of the answer is larger than allowed: ask for less, or raise MaxBody")
	default:
		copied := *errNotJSON
		return &copied
	}
}
