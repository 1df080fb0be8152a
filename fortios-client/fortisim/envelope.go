package fortisim

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is an HTTP answer before it is sent.
type answer struct {
	status int
	header map[string]string
	body   []byte
	// cookies are whole Set-Cookie headers.
	cookies []string
	// lost says that the answer never reaches the client.
	lost bool
}

func jsonAnswer(status int, value any) *answer {
	return &answer{
		status: status,
		header: map[string]string{"Content-Type": "application/json"},
		body:   append(appendJSON(nil, value), '\n'),
	}
}

// reply collects the members of one envelope.
type reply struct {
	status int
	body   object
}

func (r *reply) add(name string, value any) { r.body = append(r.body, member{name, value}) }

func statusWord(status int) string {
	if status == http.StatusOK {
		return "success"
	}
	return "error"
}

// identity ends an envelope: serial, version and build.
func (d *Device) identity(r *reply) {
	r.add("serial", d.serial)
	r.add("version", "v"+d.options.Version.String())
	r.add("build", d.options.Build)
}

// revision is the 32 hexadecimal digits that change with a table (R).
func (d *Device) revision(p place) string {
	vdom := p.vdom
	if p.shape.shared() {
		vdom = ""
	}
	return d.hash(vdom+" "+p.shape.path, p.table.changes)
}

// hash has the form of a revision and follows from what changed how often.
func (d *Device) hash(what string, changes int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d", d.options.Serial, what, changes))
	return hex.EncodeToString(sum[:16])
}

func (p place) tableKey() tableKey {
	if p.shape.shared() {
		return tableKey{"", p.shape.path}
	}
	return tableKey{p.vdom, p.shape.path}
}

// opening begins an envelope of the configuration.
func (d *Device) opening(q *query) *reply {
	r := &reply{status: http.StatusOK}
	r.add("http_method", q.method)
	if d.behaviour().EmptyAction {
		r.add("action", "")
	}
	return r
}

// closing adds what every envelope of the configuration ends with.
func (d *Device) closing(r *reply, q *query, key any) *reply {
	path, name := q.words()
	if key != nil {
		r.add("mkey", key)
	}
	r.add("status", statusWord(r.status))
	r.add("http_status", r.status)
	r.add("vdom", q.vdom)
	r.add("path", path)
	r.add("name", name)
	d.identity(r)
	return r
}

// refusal is the envelope of a refused request. 404 has revision and key and
// no number, 405 neither (R); the rest has number and text.
func (d *Device) refusal(q *query, p place, no *Refusal) *reply {
	r := d.opening(q)
	r.status = d.status(no.Status)
	known := p.shape != nil && no.Status != http.StatusMethodNotAllowed
	if known {
		r.add("revision", d.revision(p))
	}
	var key any
	if q.config.key != "" && no.Status == http.StatusNotFound {
		key = q.config.key
	}
	if no.Number != 0 {
		r.add("revision_changed", false)
		if no.CLI != "" {
			r.add("cli_error", d.cliError(no.CLI))
		}
		r.add("error", d.number(no.Number))
	}
	return d.closing(r, q, key)
}

// cliError is one text, from 7.6.5 a list of lines (R).
func (d *Device) cliError(text string) any {
	if !d.behaviour().CLIErrorList {
		return text
	}
	lines := []string{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// changed is the envelope of a write that went well; POST is 200 too (R).
func (d *Device) changed(q *query, p place, before string, key any) *reply {
	r := d.opening(q)
	after := d.revision(p)
	r.add("revision", after)
	r.add("revision_changed", before != after)
	r.add("old_revision", before)
	return d.closing(r, q, key)
}

// forbidden is 403 without serial, version, build or number (R), both for a
// VDOM that the token may not use and for one that does not exist (U).
func forbidden(q *query) *reply {
	path, name := q.words()
	r := &reply{status: http.StatusForbidden}
	r.add("http_method", q.method)
	r.add("status", "error")
	r.add("http_status", http.StatusForbidden)
	r.add("vdom", q.vdom)
	r.add("path", path)
	r.add("name", name)
	r.add("action", "")
	return r
}

// download is a file (D).
func download(name string, content []byte) *answer {
	return &answer{status: http.StatusOK, body: content, header: map[string]string{
		"Content-Type":        "application/octet-stream",
		"Content-Disposition": "attachment; filename=" + strconv.Quote(name),
	}}
}
