package fortisim

import (
	"bytes"
	"net/http"
	"slices"
)

// maxRecords bounds the request log; older records give way.
const maxRecords = 100_000

// RequestRecord is a request that reached the device, whatever became of it.
// The token is never in it.
type RequestRecord struct {
	// Method and Path are as sent; Path is escaped.
	Method, Path string
	// Query is the raw query, without access_token.
	Query string
	// Body is a copy.
	Body []byte
	// Write says whether the request was a change of the configuration or an
	// action; a backup by POST is not.
	Write bool
}

type requestLog struct {
	records []RequestRecord
	writes  int
	changed bool // something was written since the start
}

// record notes a request before anything is done with it.
func (d *Device) record(r *http.Request, body []byte) {
	values := r.URL.Query()
	raw := r.URL.RawQuery
	if values.Has("access_token") {
		values.Del("access_token")
		raw = values.Encode()
	}
	rec := RequestRecord{Method: r.Method, Path: r.URL.EscapedPath(), Query: raw, Body: bytes.Clone(body)}
	d.mu.Lock()
	defer d.mu.Unlock()
	if q, ok := d.newQuery(r.Method, r.URL, nil); ok {
		rec.Write = q.write()
	}
	if rec.Write {
		d.log.writes++
		d.log.changed = true
	}
	if len(d.log.records) >= maxRecords {
		d.log.records = slices.Delete(d.log.records, 0, maxRecords/10)
	}
	d.log.records = append(d.log.records, rec)
	if d.options.Observe != nil {
		d.options.Observe(rec)
	}
}

// Requests are the requests so far, oldest first.
func (d *Device) Requests() []RequestRecord {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.log.records)
}

// Writes is the number of requests so far that were a change of the
// configuration or an action, refused ones included.
func (d *Device) Writes() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.log.writes
}

// ForgetRequests empties the log and sets Writes to 0.
func (d *Device) ForgetRequests() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log.records, d.log.writes = nil, 0
}
