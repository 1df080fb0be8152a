package apply

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Progress tells on standard error how an apply goes.
type Progress struct{ Frame *command.Frame }

var _ port.Progress = (*Progress)(nil)

// Step tells one piece of news.
func (l *Progress) Step(_ context.Context, s port.Step) {
	l.Frame.Tell(func(p *view.Page) { Line(p, s) })
}

// Line writes one piece of news: those of an operation under its number.
func Line(p *view.Page, s port.Step) {
	switch s.Stage {
	case port.StageSend:
		p.Text("", fmt.Sprintf("operation %d, %d of %d: %s", s.Operation, s.Operation+1, s.Of, s.Text))
	case port.StageVerify:
		p.Text("    ", s.Text)
	case port.StageDone:
		p.Text("    ", s.Status)
	case port.StageCheck, port.StageBackup, port.StageClaim, port.StageProbe, port.StageEnd:
		p.Text("", s.Text)
	}
}
