package fortios

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ListQuery asks for the rows of a table.
type ListQuery struct {
	// Resource is a table such as "firewall/address".
	Resource string
	// VDOM is one VDOM's name; empty means Config.VDOM.
	VDOM string
	// Filter holds expressions as Filter writes them; all must hold.
	Filter []string
	// Format names the attributes to return; none means all. The device returns
	// all of them as well where it does not know one of the names.
	Format []string
	// Start is the index of the first row, from 0. Count is how many rows to ask
	// for, 0 for all. A device may send more than it was asked for.
	Start, Count int
	// AnyVDOM and Fresh are the options of other reads.
	AnyVDOM, Fresh bool
}

// ListInfo is what the answer says about its rows.
type ListInfo struct {
	// Rows is how many were yielded.
	Rows int
	// Stopped reports that yield ended the listing. What stands behind the rows
	// in the answer, often the serial number and the VDOM, was then not read and
	// not checked.
	Stopped bool
	// Size counts the rows of the table, Matched those that passed the filter;
	// nil where the release does not tell (6.x) or it was not read.
	Size, Matched *int
	Serial        string
	VDOM          string
	Version       string
	Build         int
	Revision      string
}

// List reads a table and yields row after row while they arrive, so that memory
// does not grow with the table; a row, which is the caller's to keep, may have
// MaxBody bytes. When yield returns false, reading stops and the connection is
// dropped. Errors are as for Get; because members that come after the rows may
// cause one, rows already yielded are void where the error is not nil.
func (c *Client) List(ctx context.Context, q ListQuery, yield func(row json.RawMessage) bool) (ListInfo, error) {
	req, vdom, err := c.listRequest(q)
	if err != nil {
		return ListInfo{}, err
	}
	x := c.open(ctx, req)
	defer x.close()
	if x.Err != nil || x.Status != http.StatusOK || x.IsHTML() {
		x.readAll(c.maxBody)
		_, err := c.judge(x.op, x.Response, vdom)
		return ListInfo{}, err
	}
	begins := &beginning{from: x}
	s, err := stream(begins, c.maxBody, yield)
	if KindOf(err) == KindNotFortiOS {
		if fault := (Response{Status: x.Status, Body: begins.bytes}).foreign(); fault != nil {
			err = x.stamp(fault)
		}
	}
	if x.Err != nil {
		err = x.Err
	}
	if err == nil {
		err = asError(s.judge(x.Status, vdom))
	}
	return s.info(), c.named(x.op, err)
}

// beginning keeps the first bytes of what is read, which tell what an answer is.
type beginning struct {
	from  io.Reader
	bytes []byte
}

const beginningBytes = 64

func (b *beginning) Read(p []byte) (int, error) {
	n, err := b.from.Read(p)
	if room := beginningBytes - len(b.bytes); room > 0 {
		b.bytes = append(b.bytes, p[:min(n, room)]...)
	}
	return n, err
}

func (c *Client) listRequest(q ListQuery) (Request, []string, error) {
	path, err := CMDBPath(q.Resource)
	if err != nil {
		return Request{}, nil, err
	}
	query, err := c.withVDOM(q.VDOM)
	switch {
	case err != nil:
		return Request{}, nil, err
	case q.Start < 0 || q.Count < 0:
		return Request{}, nil, invalid("start and count of a listing must not be negative")
	}
	for _, expression := range q.Filter {
		query = append(query, [2]string{"filter", expression})
	}
	for _, name := range q.Format {
		if !attributeName().MatchString(name) {
			return Request{}, nil, invalid("format: %q is not the name of an attribute", clean(name, 80))
		}
	}
	query = appendUnless(query, "format", strings.Join(q.Format, "|"), "")
	query = appendUnless(query, "start", strconv.Itoa(q.Start), "0")
	query = appendUnless(query, "count", strconv.Itoa(q.Count), "0")
	req := Request{Method: http.MethodGet, Path: path, Query: query, Fresh: q.Fresh}
	if q.AnyVDOM {
		return req, nil, nil
	}
	vdom, err := askedVDOM(query)
	return req, vdom, err
}

func appendUnless(query [][2]string, name, value, absent string) [][2]string {
	if value == absent {
		return query
	}
	return append(query, [2]string{name, value})
}

// streamed is what a listing has told so far.
type streamed struct {
	envelope Envelope
	rows     int
	stopped  bool
	isList   bool
}

var errStopped = errors.New("stopped by the caller")

// stream decodes an envelope whose results are rows. limit bounds each row and
// each other member in bytes.
func stream(from io.Reader, limit int64, yield func(json.RawMessage) bool) (*streamed, error) {
	s, meter := &streamed{}, &quota{from: from, left: limit}
	dec := json.NewDecoder(meter)
	err := members(dec, func(name string) error {
		defer meter.refill(limit)
		if name == "results" {
			return s.results(dec, meter, limit, yield)
		}
		var raw json.RawMessage
		if err := decodeWithin(dec, &raw, limit, maxDepth-1); err != nil {
			return err
		}
		return s.envelope.set(name, raw)
	})
	if errors.Is(err, errStopped) {
		return s, nil
	}
	if err == nil {
		err = s.envelope.check()
	}
	if err == nil {
		err = atEnd(dec)
	}
	if err != nil {
		err = jsonFault(err)
	}
	return s, err
}

func decodeWithin(dec *json.Decoder, raw *json.RawMessage, limit int64, depth int) error {
	if err := dec.Decode(raw); err != nil {
		return err
	}
	switch {
	case int64(len(*raw)) > limit:
		return errQuota
	case tooDeep(*raw, depth):
		return errTooDeep
	}
	return nil
}

func (s *streamed) results(dec *json.Decoder, meter *quota, limit int64, yield func(json.RawMessage) bool) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return skip(dec, token)
	}
	s.isList = true
	for ; dec.More(); meter.refill(limit) {
		var row json.RawMessage // A new one each time: the caller may keep it.
		if err := decodeWithin(dec, &row, limit, maxDepth-2); err != nil {
			return err
		}
		s.rows++
		if !yield(row) {
			s.stopped = true
			return errStopped
		}
	}
	return expect(dec, ']')
}

// skip passes over the rest of a value that is not a list; the decoder checks
// that brackets match.
func skip(dec *json.Decoder, first json.Token) error {
	depth := 0
	for token := first; ; {
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		switch {
		case depth == 0:
			return nil
		case depth >= maxDepth:
			return errTooDeep
		}
		var err error
		if token, err = dec.Token(); err != nil {
			return err
		}
	}
}

// judge checks what was read. A listing that the caller stopped is judged by
// what came before.
func (s *streamed) judge(status int, vdom []string) *Error {
	if fault := sameVDOM(&s.envelope, vdom); fault != nil {
		return fault
	}
	if s.stopped {
		return nil
	}
	if fault := s.envelope.fault(status); fault != nil {
		return fault
	}
	if !s.isList {
		return notFortiOS("the answer holds no list of rows: is the resource a table?")
	}
	return nil
}

func (s *streamed) info() ListInfo {
	e := &s.envelope
	return ListInfo{Rows: s.rows, Stopped: s.stopped, Size: e.Size, Matched: e.MatchedCount,
		Serial: e.Serial, VDOM: e.VDOM, Version: e.Version, Build: e.Build, Revision: e.Revision}
}
