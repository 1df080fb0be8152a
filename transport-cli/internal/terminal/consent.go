package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// The limits of a question.
const (
	// Pause is how long a drawn screen stands before the prompt appears.
	Pause = 2 * time.Second
	// Patience is how long the prompt waits for an answer.
	Patience = 10 * time.Minute
	// Tries is how many wrong answers end it.
	Tries = 3
	// PageOver is the number of operations above which a screen is shown page by
	// page, to be walked to its end.
	PageOver = 50
)

// Answer says how a person answered. Everything but Yes means no.
type Answer string

// The answers.
const (
	Yes         Answer = "yes"
	Declined    Answer = "declined"
	WrongText   Answer = "wrong text three times"
	Interrupted Answer = "interrupted"
	EndOfInput  Answer = "end of input"
	TimedOut    Answer = "no answer within 10 minutes"
)

// Question is what a person is asked to agree to.
type Question struct {
	// Screen is the whole text, lines ended by LF.
	Screen string
	// Header is drawn again above the prompt.
	Header string
	// Operations is how many operations the screen shows.
	Operations int
	// Prompt asks, Wanted is the one text that means yes.
	Prompt, Wanted string
}

// Consent draws a question and waits for the answer. The error is the
// terminal's own; then nobody has agreed.
func Consent(ctx context.Context, t Terminal, c Clock, q Question) (Answer, error) {
	if answer, err := show(ctx, t, q); err != nil || answer != Yes {
		return outcome(answer, err)
	}
	if err := c.Sleep(ctx, Pause); err != nil {
		return outcome("", err)
	}
	return outcome(ask(ctx, t, c, q))
}

// outcome tells a person's no from a terminal that failed.
func outcome(answer Answer, err error) (Answer, error) {
	switch {
	case err == nil:
		return answer, nil
	case errors.Is(err, errPatience):
		return TimedOut, nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Interrupted, nil
	case errors.Is(err, io.EOF):
		return EndOfInput, nil
	}
	return "", err
}

var errPatience = errors.New("terminal: nobody answered")

// ask gives a person three tries within the time limit.
func ask(ctx context.Context, t Terminal, c Clock, q Question) (Answer, error) {
	ctx, give := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() { // ends when ask does
		defer close(ended)
		if c.Sleep(ctx, Patience) == nil {
			give(errPatience)
		}
	}()
	defer func() {
		give(nil)
		<-ended
	}()
	if err := t.Write(q.Header); err != nil {
		return "", err
	}
	for left := Tries - 1; ; left-- {
		line, err := t.Ask(ctx, q.Prompt)
		if err != nil {
			return "", err
		}
		switch typed := strings.Join(strings.Fields(line), " "); {
		case typed == q.Wanted:
			return Yes, nil
		case strings.EqualFold(typed, "no"), strings.EqualFold(typed, "n"):
			return Declined, nil
		case left == 0:
			return WrongText, nil
		}
		if err := t.Write(again(left)); err != nil {
			return "", err
		}
	}
}

func again(left int) string {
	return fmt.Sprintf("That is not what is asked for. %d left; \"no\" or Ctrl-C ends this without approval.\n", left)
}
