package fortisim

import (
	"errors"
	"io"
	"net/http"
	"strconv"
)

// maxBody bounds a request's body, in bytes. The device's own limit is not
// known (?); beyond it the answer is 413.
const maxBody = 16 << 20

// ServeHTTP answers one request.
func (d *Device) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if d.unreachable() {
		cut(r, false)
	}
	defer d.leave()
	if !d.enter() {
		cut(r, true)
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.As(err, &tooLarge) {
		return // the client went away
	}
	d.record(r, body)
	rule := d.injections.match(r)
	switch {
	case tooLarge != nil:
		send(w, d.htmlAnswer(http.StatusRequestEntityTooLarge))
	case rule == nil:
		a := d.handle(r, body)
		if a.lost {
			cut(r, true)
		}
		d.label(r, a)
		send(w, a)
	default:
		d.misbehave(w, r, body, rule)
	}
}

func send(w http.ResponseWriter, a *answer) {
	writeHeader(w, a)
	_, _ = w.Write(a.body) // the client may be gone; nothing is left to tell it
}

func writeHeader(w http.ResponseWriter, a *answer) {
	for name, value := range a.header {
		w.Header().Set(name, value)
	}
	for _, cookie := range a.cookies {
		w.Header().Add("Set-Cookie", cookie)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(a.body)))
	w.WriteHeader(a.status)
}

// handle authenticates and answers.
func (d *Device) handle(r *http.Request, body []byte) *answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.handleLocked(r, body)
}

func (d *Device) handleLocked(r *http.Request, body []byte) *answer {
	d.undoUnsaved()
	if a := d.signOn(r, body); a != nil {
		return a
	}
	q, ok := d.newQuery(r.Method, r.URL, body)
	if !ok && d.behaviour().PagesNotFound {
		return d.htmlAnswer(http.StatusNotFound)
	}
	if !ok {
		return loginPage()
	}
	q.header = r.Header
	admin, status := d.authenticate(r, q.values)
	if admin == nil {
		return d.htmlAnswer(status)
	}
	q.admin = admin
	if a := d.recorded(r); a != nil {
		return a
	}
	if !q.many {
		return d.inVDOM(q, q.vdoms[0])
	}
	return d.inEach(q)
}

// inEach answers with a list of envelopes (R).
func (d *Device) inEach(q *query) *answer {
	b := []byte{'['}
	for i, vdom := range q.vdoms {
		a := d.inVDOM(q, vdom)
		if a.header["Content-Type"] != "application/json" {
			return a
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, a.body...)
	}
	return &answer{status: http.StatusOK, header: map[string]string{"Content-Type": "application/json"}, body: append(b, ']', '\n')}
}

func (d *Device) inVDOM(q *query, vdom string) *answer {
	one := *q
	q = &one
	q.vdom = vdom
	if !d.permitted(q) {
		return d.forbiddenAnswer(q)
	}
	if q.area == "log" {
		return d.logs(q)
	}
	if q.area == "monitor" {
		if d.monitorDenied(q) {
			return d.forbiddenAnswer(q)
		}
		if d.passwordMissing(q) {
			return d.monitorRefusal(q, passwordRequired())
		}
		return d.monitor(q)
	}
	if q.config.path == "" {
		r := d.transact(q)
		return jsonAnswer(r.status, r.body)
	}
	if p, no := d.placeOf(q.config.path, q.vdom); no == nil {
		if a := d.denied(q, p); a != nil {
			return a
		}
		if q.method != http.MethodGet {
			d.noteSaving()
		}
		q.hidden = !d.rightsOf(q.admin, groupOf(p.shape)).read
	}
	r := d.configure(q)
	a := jsonAnswer(r.status, r.body)
	d.aftermath(q, r, a)
	return a
}
