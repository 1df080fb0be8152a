package fortisim

import (
	"bytes"
	"cmp"
	"context"
	"net"
	"net/http"
)

// connKey carries the connection in a request's context, so that a fault can
// reset it whatever the protocol on it is.
type connKey struct{}

func withConn(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connKey{}, c)
}

// misbehave answers a request that a fault befalls.
func (d *Device) misbehave(w http.ResponseWriter, r *http.Request, body []byte, f Fault) {
	switch f := f.(type) {
	case Refuse:
		cut(r, false)
	case ResetBefore:
		cut(r, true)
	case ResetAfter:
		d.handle(r, body)
		cut(r, true)
	case LoginPage:
		send(w, loginPage())
	case Redirect:
		http.Redirect(w, r, f.To, cmp.Or(f.Status, http.StatusTemporaryRedirect))
	case Answer:
		d.otherAnswer(w, r, body, f)
	case Truncate:
		truncate(w, r, d.handle(r, body), f.Bytes)
	case SlowDrip:
		d.drip(w, r, d.handle(r, body), f)
	case Latency:
		if d.options.Sleep(r.Context(), f.Wait) == nil {
			send(w, d.handle(r, body))
		}
	case *Hold:
		d.hold(w, r, body, f)
	case Become:
		d.become(f)
		send(w, d.handle(r, body))
	case LoseManagement:
		d.loseManagement(w, r, body, f)
	case Serial, IgnoreWrite, Shorten, DropEntry:
		send(w, d.handleAltered(r, body, f))
	}
}

// cut closes the connection without an answer; with reset the peer sees a TCP
// reset. The panic is net/http's own way to leave a handler without answering.
func cut(r *http.Request, reset bool) {
	conn, _ := r.Context().Value(connKey{}).(net.Conn)
	if wrapped, ok := conn.(interface{ NetConn() net.Conn }); ok {
		conn = wrapped.NetConn()
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0) // without it the peer sees an end instead of a reset
	}
	if conn != nil {
		_ = conn.Close() // it is being broken on purpose
	}
	panic(http.ErrAbortHandler)
}

func (d *Device) otherAnswer(w http.ResponseWriter, r *http.Request, body []byte, f Answer) {
	if f.Effect {
		d.handle(r, body)
	}
	send(w, &answer{
		status: cmp.Or(f.Status, http.StatusOK),
		header: map[string]string{"Content-Type": cmp.Or(f.ContentType, "application/json")},
		body:   []byte(f.Body),
	})
}

func truncate(w http.ResponseWriter, r *http.Request, a *answer, n int) {
	writeHeader(w, a)
	_, _ = w.Write(a.body[:min(max(n, 0), len(a.body))])
	_ = http.NewResponseController(w).Flush() // a writer that cannot flush has nothing to cut
	cut(r, false)
}

func (d *Device) drip(w http.ResponseWriter, r *http.Request, a *answer, f SlowDrip) {
	writeHeader(w, a)
	rest := a.body
	for len(rest) > 0 {
		n := min(max(f.Bytes, 1), len(rest))
		if _, err := w.Write(rest[:n]); err != nil {
			return
		}
		rest = rest[n:]
		_ = http.NewResponseController(w).Flush()
		if len(rest) > 0 && d.options.Sleep(r.Context(), f.Wait) != nil {
			return
		}
	}
}

// hold waits for the release, or until the client goes away.
func (d *Device) hold(w http.ResponseWriter, r *http.Request, body []byte, h *Hold) {
	var a *answer
	if h.after {
		a = d.handle(r, body)
	}
	h.heldOnce.Do(func() { close(h.held) })
	select {
	case <-h.release:
	case <-r.Context().Done():
		return
	}
	if !h.after {
		a = d.handle(r, body)
	}
	send(w, a)
}

// handleAltered answers with an altered effect or identity.
func (d *Device) handleAltered(r *http.Request, body []byte, f Fault) *answer {
	switch f := f.(type) {
	case Shorten, DropEntry:
		return d.handle(r, alter(body, f))
	case Serial:
		a := d.handle(r, body)
		a.body = bytes.ReplaceAll(a.body, appendString(nil, d.Serial()), appendString(nil, f.Value))
		return a
	default:
		return d.handleDry(r, body)
	}
}

// handleDry checks and answers a write whose effect is undone at once.
func (d *Device) handleDry(r *http.Request, body []byte) *answer {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.keep()
	a := d.handleLocked(r, body)
	d.restore(before)
	return a
}

// alter changes a body before it is stored. A body that is not an object, or
// lacks the attribute, stays.
func alter(body []byte, f Fault) []byte {
	o, err := decodeObject(body)
	if err != nil {
		return body
	}
	for i, m := range o {
		switch f := f.(type) {
		case Shorten:
			if text, ok := m.value.(string); ok && m.name == f.Attribute && f.Length < len(text) {
				o[i].value = text[:max(f.Length, 0)]
			}
		case DropEntry:
			if list, ok := m.value.([]any); ok && m.name == f.Attribute {
				o[i].value = without(list, f.Key)
			}
		}
	}
	return appendJSON(nil, o)
}

// without is the list less the rows that have the key as one of their values.
func without(list []any, key string) []any {
	out := []any{}
	for _, item := range list {
		row, _ := item.(object)
		if len(row) == 0 || !holdsText(row, key) {
			out = append(out, item)
		}
	}
	return out
}

func holdsText(row object, text string) bool {
	for _, m := range row {
		if v, ok := scalarText(m.value); ok && v == text {
			return true
		}
	}
	return false
}
