package terminal

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// show draws a question's screen, page by page where it is long. Yes means that
// it was walked to its end.
func show(ctx context.Context, t Terminal, q Question) (Answer, error) {
	if q.Operations <= PageOver {
		return Yes, t.Write(q.Screen)
	}
	_, rows := t.Size()
	lines := slices.Collect(strings.Lines(q.Screen))
	drawn := 0
	for page := range slices.Chunk(lines, max(rows-1, 5)) {
		if err := t.Write(strings.Join(page, "")); err != nil {
			return "", err
		}
		if drawn += len(page); drawn == len(lines) {
			break
		}
		if answer, err := turn(ctx, t, drawn, len(lines)); err != nil || answer != Yes {
			return answer, err
		}
	}
	return Yes, nil
}

// turn waits until the next page is asked for.
func turn(ctx context.Context, t Terminal, drawn, all int) (Answer, error) {
	prompt := fmt.Sprintf("-- %d of %d lines; Enter: go on, q: no --", drawn, all)
	for {
		key, err := t.Key(ctx, prompt)
		if err != nil {
			return "", err
		}
		if err := t.Write("\n"); err != nil {
			return "", err
		}
		switch key {
		case ' ', '\r', '\n':
			return Yes, nil
		case 'q', 'Q':
			return Declined, nil
		}
	}
}
