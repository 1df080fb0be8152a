package fortios

import (
	"bytes"
	"context"
	"strings"
	"sync/atomic"
)

// tokenSource asks for the token until it has been given one, and then keeps
// it: a credential helper is not run again for a later request.
type tokenSource struct {
	ask  func(context.Context) (string, error)
	turn chan struct{} // holds one element while nobody asks
	kept atomic.Pointer[string]
}

func newTokenSource(ask func(context.Context) (string, error)) *tokenSource {
	s := &tokenSource{ask: ask, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

func (s *tokenSource) get(ctx context.Context) (string, *Error) {
	if kept := s.kept.Load(); kept != nil {
		return *kept, nil
	}
	select {
	case <-s.turn:
	case <-ctx.Done():
		return "", &Error{Kind: contextKind(ctx, KindUnreachable), Message: "given up while waiting for the API token", Err: ctx.Err()}
	}
	defer func() { s.turn <- struct{}{} }()
	if kept := s.kept.Load(); kept != nil {
		return *kept, nil
	}
	text, err := s.ask(ctx)
	if err != nil {
		return "", &Error{Kind: KindCredential, Message: "the API token could not be obtained: check its source", Err: err}
	}
	if text == "" || len(text) > 4096 || strings.ContainsFunc(text, notVisible) {
		return "", &Error{Kind: KindCredential, Message: "the source of the API token gave nothing usable: a token is 1 to 4096 visible ASCII characters without blanks"}
	}
	s.kept.Store(&text)
	return text, nil
}

// notVisible finds what must not stand in the header, above all a line break.
func notVisible(r rune) bool { return r <= ' ' || r > '~' }

// hide takes the token out of a text that repeats it.
func (s *tokenSource) hide(text string) string {
	kept := s.kept.Load()
	if kept == nil {
		return text
	}
	return strings.ReplaceAll(text, *kept, strings.Repeat("*", len(*kept)))
}

// minErased is the length below which a token may be an ordinary word, whose
// removal would falsify an answer. FortiOS makes tokens of 30 characters.
const minErased = 16

// erase takes the token out of an answer's body.
func (s *tokenSource) erase(body []byte) {
	kept := s.kept.Load()
	if kept == nil || len(*kept) < minErased {
		return
	}
	for rest := body; ; {
		i := bytes.Index(rest, []byte(*kept))
		if i < 0 {
			return
		}
		copy(rest[i:], bytes.Repeat([]byte("*"), len(*kept)))
		rest = rest[i+len(*kept):]
	}
}
