package fortios

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"
)

// exchange is one request and its answer while they are on the wire. It is an
// io.Reader of the answer's body.
type exchange struct {
	Response
	op      string
	client  *Client
	ctx     context.Context //nolint:containedctx // An exchange is one call.
	cancel  context.CancelFunc
	link    *link
	unwatch func() bool
	asked   *http.Request
	answer  *http.Response
}

// open sends the request and reads the answer's header. What went wrong stands
// in Response.Err; close must follow in any case.
func (c *Client) open(ctx context.Context, req Request) *exchange {
	x := &exchange{client: c, op: req.Method + " " + clean(req.Path, 300), cancel: func() {}}
	if err := req.check(); err != nil {
		x.failWith(err)
		return x
	}
	token, fault := c.token.get(ctx)
	if fault != nil {
		x.fail(fault)
		return x
	}
	asked, wire, err := c.encode(req, token)
	if err != nil {
		x.fail(&Error{Kind: KindInvalid, Message: "the request cannot be written", Err: err})
		return x
	}
	x.asked = asked
	x.ctx, x.cancel = context.WithTimeout(ctx, c.timeout)
	if x.connect(req.Fresh) && x.send(wire) {
		x.receive()
	}
	return x
}

func (x *exchange) failWith(err error) {
	fault, ok := errors.AsType[*Error](err)
	if !ok {
		fault = &Error{Kind: KindInvalid, Message: "the request cannot be made", Err: err}
	}
	x.fail(fault)
}

func (x *exchange) fail(fault *Error) {
	fault.Op, fault.Status = x.op, x.Status
	x.Err = fault
}

func (x *exchange) connect(fresh bool) bool {
	x.link = x.client.pool.take()
	if fresh && x.link != nil {
		x.link.close()
		x.link = nil
	}
	if x.link == nil {
		l, fault := x.client.route.dial(x.ctx)
		if fault != nil {
			x.fail(fault)
			return false
		}
		x.link = l
	}
	x.Local, x.Remote = x.link.wire.LocalAddr().String(), x.link.wire.RemoteAddr().String()
	x.link.gate.sent, x.link.wire.idle = &x.Sent, 0
	// Closing is final, where a deadline could be overwritten by a later one.
	x.unwatch = context.AfterFunc(x.ctx, x.link.close)
	return true
}

func (x *exchange) send(wire []byte) bool {
	if err := x.ctx.Err(); err != nil {
		x.fail(unreachable(x.ctx, err))
		return false
	}
	_, err := x.link.gate.Write(wire)
	if err != nil {
		x.fail(x.broken(err, "the connection ended while the request was being sent"))
	}
	return err == nil
}

// maxInterim bounds the 1xx answers before the real one.
const maxInterim = 5

func (x *exchange) receive() {
	x.link.allow(maxHeader)
	for range maxInterim + 1 {
		answer, err := http.ReadResponse(x.link.in, x.asked) //nolint:bodyclose // Close would read on; the connection is dropped instead.
		if err != nil {
			x.fail(x.noHeader(err))
			return
		}
		if answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			x.accept(answer)
			return
		}
	}
	x.fail(notFortiOS("what answers sends one interim answer after the other: check host and port"))
}

func (x *exchange) accept(answer *http.Response) {
	if answer.ProtoMajor != 1 {
		x.fail(notFortiOS("what answers does not speak HTTP/1.1: check host and port"))
		return
	}
	x.answer, x.HeaderOK, x.Status = answer, true, answer.StatusCode
	x.ContentType = answer.Header.Get("Content-Type")
	x.link.quota.left = math.MaxInt64 // The body has bounds of its own.
	x.link.wire.idle = x.client.bodyIdle
}

// Read reads the body and notices whether it ended as announced.
func (x *exchange) Read(p []byte) (int, error) {
	if x.Err != nil {
		return 0, x.Err
	}
	n, err := x.answer.Body.Read(p)
	switch {
	case err == nil:
		return n, nil
	case errors.Is(err, io.EOF) && !x.cutAtEnd():
		x.BodyComplete = true
		return n, io.EOF
	}
	x.fail(x.badBody(err))
	return n, x.Err
}

// cutAtEnd reports that a body without announced length ended by the end of the
// connection and not by the farewell of TLS, so that anybody may have cut it.
func (x *exchange) cutAtEnd() bool {
	return x.answer.ContentLength < 0 && len(x.answer.TransferEncoding) == 0 && x.link.wire.ended
}

// readAll reads the body into Response.Body, limit bytes at most.
func (x *exchange) readAll(limit int64) {
	if x.Err != nil {
		return
	}
	x.Body, _ = io.ReadAll(io.LimitReader(x, limit+1)) // Read has put the error into Err.
	x.client.token.erase(x.Body)
	if int64(len(x.Body)) > limit {
		x.Body, x.BodyComplete = x.Body[:limit:limit], false
		x.fail(tooLarge("the answer is larger than %d bytes: ask for less, or raise MaxBody", limit))
	}
}

// close keeps the connection for the next request after a complete 2xx answer,
// and otherwise drops it and whatever else is kept.
func (x *exchange) close() {
	defer x.cancel()
	if x.link == nil {
		return
	}
	undisturbed := x.unwatch()
	if undisturbed && x.Err == nil && x.BodyComplete && x.Status/100 == 2 && !x.answer.Close && x.link.in.Buffered() == 0 {
		x.client.pool.keep(x.link)
		return
	}
	x.link.close()
	x.client.pool.drop()
}
