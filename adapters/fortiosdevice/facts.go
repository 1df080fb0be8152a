package fortiosdevice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// facts turns an answer of the client into the core's facts, without a verdict.
func facts(answer fortios.Response, hide *scrubber) exchange.Exchange {
	x := exchange.Exchange{
		Sent: answer.Sent, Failure: ended(answer), HeaderComplete: answer.HeaderOK, Status: answer.Status,
		Body: bodyKind(answer), BodyComplete: answer.BodyComplete,
	}
	if x.Body == exchange.BodyObject && answer.BodyComplete {
		members(&x, answer, hide)
	}
	return x
}

// ended says where an exchange without a complete answer ended.
func ended(answer fortios.Response) exchange.Failure {
	if answer.Err == nil {
		return exchange.FailNone
	}
	e := clientError(answer.Err)
	switch {
	case !answer.Sent:
		return before(answer.Err, e)
	case answer.HeaderOK:
		return exchange.FailBody
	case e == nil:
		return exchange.FailRead
	case e.Kind == fortios.KindTimeout, e.Kind == fortios.KindCanceled:
		return exchange.FailDeadline
	case e.Kind == fortios.KindNotFortiOS, e.Kind == fortios.KindTooLarge:
		return exchange.FailRefused
	}
	var network *net.OpError
	if errors.As(answer.Err, &network) && network.Op == "write" {
		return exchange.FailWrite
	}
	return exchange.FailRead
}

// before sorts what happened before the first byte.
func before(err error, e *fortios.Error) exchange.Failure {
	switch {
	case e != nil && e.Kind == fortios.KindTLS:
		return exchange.FailTLS
	case errors.Is(err, context.DeadlineExceeded):
		return exchange.FailDeadline
	}
	return exchange.FailDial
}

// bodyKind looks at the body itself; a content type is only a claim. What was cut
// is no JSON.
func bodyKind(answer fortios.Response) exchange.BodyKind {
	body := bytes.Trim(answer.Body, " \t\r\n")
	switch {
	case len(body) == 0:
		return exchange.BodyNone
	case answer.IsHTML():
		return exchange.BodyHTML
	case !json.Valid(body):
		return exchange.BodyOther
	case body[0] == '{':
		return exchange.BodyObject
	}
	return exchange.BodyJSON
}

// maxKey bounds the key that an answer names; no table has longer ones.
const maxKey = 1024

// members fills in what the envelope says. An object that is no envelope, names
// a member twice or has an impossible serial number says nothing at all.
func members(x *exchange.Exchange, answer fortios.Response, hide *scrubber) {
	envelopes, err := fortios.DecodeEnvelope(answer.Body)
	if err != nil || len(envelopes) != 1 {
		return
	}
	e := envelopes[0]
	x.APIStatus, x.ErrorNumber, x.Serial, x.VDOM = e.Status, e.Error, e.Serial, e.VDOM
	x.RevisionChanged = e.RevisionChanged
	if len(e.MKey) <= maxKey {
		x.MKey = e.MKey
	}
	x.Text = redact.Line(redact.Text(hide.hide(e.CLIError)), textColumns)
	if e.Status == "success" && e.HTTPStatus != 0 && e.HTTPStatus != answer.Status {
		x.APIStatus = "" // an envelope that contradicts its own header is no success
	}
}
