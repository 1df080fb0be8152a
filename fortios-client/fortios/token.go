package fortios

import "context"

// tokenSource asks for the token until it has been given one, and then keeps
// it: a credential helper is not run again for a later request.
type tokenSource struct {
	ask  func(context.Context) (string, error)
	turn chan struct{} // holds one element while nobody asks
	text string        // guarded by turn
}

func newTokenSource(ask func(context.Context) (string, error)) *tokenSource {
	s := &tokenSource{ask: ask, turn: make(chan struct{}, 1)}
	s.turn <- struct{}{}
	return s
}

func (s *tokenSource) get(ctx context.Context) (string, *Error) {
	select {
	case <-s.turn:
	case <-ctx.Done():
		return "", &Error{Kind: contextKind(ctx, KindUnreachable), Message: "given up while waiting for the API token", Err: ctx.Err()}
	}
	defer func() { s.turn <- struct{}{} }()
	if s.text != "" {
		return s.text, nil
	}
	text, err := s.ask(ctx)
	if err != nil {
		return "", &Error{Kind: KindCredential, Message: "the API token could not be obtained: check its source", Err: err}
	}
	if text == "" || len(text) > 4096 || !tokenText(text) {
		return "", &Error{Kind: KindCredential, Message: "the source of the API token gave nothing usable: a token is 1 to 4096 visible ASCII characters without blanks"}
	}
	s.text = text
	return text, nil
}

// tokenText keeps a line break or a blank out of the header.
func tokenText(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
