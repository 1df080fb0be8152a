package fortios

import (
	"errors"
	"fmt"
	"net"
	"net/http"
)

// doubt ends the message about a request that was sent and may have acted.
func (x *exchange) doubt() string {
	if x.asked.Method == http.MethodGet {
		return ""
	}
	return "; whether the device acted on the request is not known: read back before trying again"
}

// broken explains a connection that failed once the request was on its way. The
// texts of net and tls are our own side's and safe to pass on.
func (x *exchange) broken(err error, message string) *Error {
	slow, isNet := errors.AsType[net.Error](err)
	switch {
	case contextKind(x.ctx, "") == KindCanceled:
		return &Error{Kind: KindCanceled, Message: "cancelled after the request was sent" + x.doubt(), Err: x.ctx.Err()}
	case x.ctx.Err() != nil:
		return &Error{Kind: KindTimeout, Message: "out of time after the request was sent" + x.doubt(), Err: x.ctx.Err()}
	case isNet && slow.Timeout():
		return &Error{Kind: KindTimeout, Message: "the answer stalled" + x.doubt(), Err: err}
	default:
		return &Error{Kind: KindDisconnected, Message: message + x.doubt(), Err: err}
	}
}

// noHeader explains why no header came. The parser takes a cut line for a whole
// one, and its text quotes the device: what counts is how the reading ended.
func (x *exchange) noHeader(err error) *Error {
	switch {
	case errors.Is(err, errQuota):
		return tooLarge("the header of the answer is larger than %d bytes", maxHeader)
	case x.ctx.Err() != nil, x.link.quota.ended != nil:
		return x.broken(x.link.quota.ended, "the connection ended before an answer came")
	default:
		return notFortiOS("what answers does not speak HTTP: check host and port")
	}
}

func (x *exchange) badBody(err error) *Error {
	if x.ctx.Err() != nil {
		return x.broken(err, "")
	}
	if slow, ok := errors.AsType[net.Error](err); ok && slow.Timeout() {
		return x.broken(err, "")
	}
	return &Error{Kind: KindTruncated, Message: "the answer ended before its announced end" + x.doubt()}
}

func tooLarge(format string, args ...any) *Error {
	return &Error{Kind: KindTooLarge, Message: fmt.Sprintf(format, args...)}
}
