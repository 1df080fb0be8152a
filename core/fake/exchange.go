package fake

import (
	"context"
	"net/url"
	"regexp"
	"strings"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/wire"
)

// do is the one way to the device: it applies faults, carries the request out
// and writes it down. handle runs with the lock held.
func (d *Device) do(ctx context.Context, call Call, r wire.Request, handle func() answer) (exchange.Exchange, answer) {
	if d.halted != nil && d.halted() {
		return exchange.Exchange{Failure: exchange.FailDial}, answer{}
	}
	if ctx.Err() != nil {
		return exchange.Exchange{Failure: exchange.FailDeadline}, answer{}
	}
	e, a, f := d.locked(call, r, handle)
	if f.After != nil {
		f.After()
	}
	return e, a
}

func (d *Device) locked(call Call, r wire.Request, handle func() answer) (exchange.Exchange, answer, Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.strike(call, r)
	entry := Entry{Call: call, Request: r, Arrived: !f.NotArrived}
	var a answer
	if entry.Arrived {
		before := d.rows.copied()
		a = handle()
		switch {
		case f.NoEffect:
			entry.Ignored = true
			d.rows = before
		case a.changed != nil && *a.changed:
			entry.Effect = true
			d.alter(r, a, f)
		}
	}
	e := a.exchange(d.identity.Serial)
	if f.Facts != nil {
		f.Facts(&e)
	}
	entry.Exchange = e
	d.log = append(d.log, entry)
	return e, a, f
}

// alter changes the row that was just written.
func (d *Device) alter(r wire.Request, a answer, f Fault) {
	t, no := d.route(r)
	if f.Alter == nil || no != nil {
		return
	}
	i := 0
	if t.resource.Key != "" {
		i = d.rows.index(t.at, t.resource.Key, a.mkey)
	}
	if i < 0 || i >= len(d.rows[t.at]) {
		return
	}
	object := clonedObject(d.rows[t.at][i])
	f.Alter(object)
	d.rows[t.at][i] = object
}

// ask routes a read and fills in what every answer has.
func (d *Device) ask(r wire.Request, read func(target) answer) answer {
	t, no := d.route(r)
	if no != nil {
		return d.refuse(t, no)
	}
	a := read(t)
	if a.status == 0 {
		a.status = statusOK
	}
	a.vdom = t.vdom
	return a
}

func (d *Device) refuse(t target, no *refusal) answer {
	a := no.answer()
	a.vdom = or(t.vdom, d.management)
	if no.nameless {
		a.vdom = ""
	}
	return a
}

// readError is what the facts of a read mean to its caller; nil for an answer.
func readError(e exchange.Exchange, r wire.Request) error {
	resource, key := addressed(r.Path)
	what := strings.TrimSuffix(resource+" "+key, " ")
	switch {
	case e.Failure == exchange.FailTLS:
		return fault.New(fault.TLS, "the device's certificate is not the one that the profile trusts; nothing was sent")
	case e.Failure == exchange.FailRefused:
		return fault.New(fault.NotFortiOS, "what answered does not speak HTTP; check the profile's host and port")
	case e.Failure != exchange.FailNone:
		return fault.New(fault.DeviceUnreachable, "%s could not be read: no whole answer came from the device; try again", what).
			With("failure", string(e.Failure))
	}
	return statusError(e, what)
}

func statusError(e exchange.Exchange, what string) error {
	json := e.Body == exchange.BodyObject
	switch {
	case e.Status == statusUnauthorized:
		return fault.New(fault.Auth, "the device refused the token; check it and its trusted hosts")
	case e.Status == statusLockedOut:
		return fault.New(fault.Auth, "the device has locked this address out after failed log-ins; wait before trying again")
	case e.Status == statusForbidden:
		return fault.New(fault.PermissionDenied, "the token may not read %s in this virtual domain, or the domain does not exist", what)
	case e.Status == statusNotFound && json:
		return fault.New(fault.NotFound, "the device has no %s", what)
	case e.Status == statusOK && (!json || e.APIStatus == ""), e.Status >= 300 && e.Status < 400, e.Status == statusNotFound:
		return fault.New(fault.NotFortiOS, "what answered is not the FortiOS API; check the profile's host and port")
	case e.Status != statusOK || e.APIStatus != "success":
		return fault.New(fault.DeviceError, "the device refused to give %s", what).
			With("http_status", e.Status).With("device_error", e.ErrorNumber)
	}
	return nil
}

var serials = regexp.MustCompile(`^[A-Z0-9]{6,24}$`)

func serialForm(serial string) bool { return serials.MatchString(serial) }

// get is the request of a read.
func get(resource, vdom string) wire.Request {
	segments := strings.Split(resource, "/")
	if segments[0] != "monitor" {
		segments = append([]string{"cmdb"}, segments...)
	}
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	r := wire.Request{Method: "GET", Path: wire.Prefix + strings.Join(segments, "/"), Query: []wire.Pair{}}
	if vdom != "" {
		r.Query = append(r.Query, wire.Pair{Name: "vdom", Value: vdom})
	}
	return r
}

func getRow(at port.Location, key operation.Key) wire.Request {
	r := get(at.Resource, at.VDOM)
	if !key.IsZero() {
		r.Path += "/" + url.PathEscape(key.String())
	}
	return r
}
