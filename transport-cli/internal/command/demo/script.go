package demo

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// script is a terminal at which nobody sits: it draws what a person would see and
// types what the prompt asks for. It exists in this package alone.
type script struct {
	draw   func(draw func(p *view.Page)) error
	width  int
	serial string
}

var _ terminal.Terminal = (*script)(nil)

func newScript(o *Options) *script {
	width := 76
	if o.Style.Width > 0 {
		width = min(width, max(o.Style.Width-len(margin), 40))
	}
	return &script{draw: o.Draw, width: width}
}

// margin marks what is drawn on the terminal of the person who approves.
const margin = "  | "

// Name says that this is no device.
func (s *script) Name() string { return "demo" }

// Size leaves room for the margin.
func (s *script) Size() (columns, rows int) { return s.width, 1000 }

// Write draws behind the margin.
func (s *script) Write(text string) error {
	return s.draw(func(p *view.Page) {
		for line := range strings.Lines(text) {
			p.Quote(margin, strings.TrimSuffix(line, "\n"))
		}
	})
}

// errPrompt: a prompt asked for something that the script does not know.
var errPrompt = errors.New("the prompt is not one that the demonstration can answer")

// Ask answers as the prompt says: what stands between double blanks is to be
// typed; a critical plan asks for the end of the serial as well.
func (s *script) Ask(ctx context.Context, prompt string) (string, error) {
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	parts := strings.Split(prompt, "  ")
	if len(parts) != 3 || !strings.HasPrefix(prompt, "Type") {
		return "", errPrompt
	}
	typed := parts[1]
	if strings.Contains(parts[0], "serial") {
		typed = s.serial[max(0, len(s.serial)-6):] + " " + typed
	}
	return typed, s.Write(prompt + typed + "\n")
}

// Key goes on to the next page.
func (s *script) Key(context.Context, string) (byte, error) { return '\n', nil }

// hurry is a clock at which nobody needs a pause; patience lasts.
type hurry struct{}

// Sleep returns at once, or waits for the end of ctx where a person would be
// waited for.
func (hurry) Sleep(ctx context.Context, d time.Duration) error {
	if d < terminal.Patience {
		return ctx.Err()
	}
	<-ctx.Done()
	return ctx.Err()
}
