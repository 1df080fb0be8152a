package filestate

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/forti-mcp/forti/core/audit"
)

// Repair makes a damaged log go on: the records before the damage stay, the rest
// is kept in audit.damaged-<number>, and a record audit.gap with the facts of e
// says what was cut off, or that the log is older than what was remembered
// outside of it. It returns that text, "" where nothing had to be repaired.
// Nothing is invented or thrown away. Only an operator decides to call it.
func (a *AuditLog) Repair(ctx context.Context, e audit.Entry) (string, error) {
	var told []string
	err := a.write(ctx, func(w *writer) error {
		var err error
		told, err = w.repair(e)
		return err
	})
	return strings.Join(told, "; "), err
}

func (w *writer) repair(e audit.Entry) (told []string, err error) {
	bad, err := w.examine()
	if err != nil {
		return nil, err
	}
	torn, err := w.aside(tornPrefix)
	if err != nil {
		return nil, err
	}
	var gap []string
	if w.anchorLost != nil {
		gap = append(gap, "what was remembered outside the log could not be read")
	} else if problem := w.tail.against(w.anchor, !bad && (w.tail.torn() || len(torn) > 0)); problem != "" {
		gap = append(gap, "the log "+problem)
	}
	if bad {
		err = w.setAside(damagedPrefix)
	} else if text, mended := w.mend(e); text != "" || mended != nil {
		told, err = append(told, text), mended
	}
	if err != nil {
		return nil, err
	}
	cut, err := w.aside(damagedPrefix)
	if err != nil {
		return nil, err
	}
	if len(cut) > 0 {
		gap = append(gap, "damaged records were cut off; kept: "+strings.Join(cut, ", "))
	}
	if len(gap) == 0 {
		return told, nil
	}
	_, err = w.append(note(e, audit.Gap, strings.Join(gap, "; ")))
	return append(told, gap...), err
}

// examine reads the whole current file and reports whether it is damaged.
func (w *writer) examine() (bool, error) {
	var err error
	w.tail, err = w.visit.tail(w.log.File(), math.MaxInt64/4, math.MaxInt, w.anchor)
	var d *damage
	if errors.As(err, &d) && !d.foreign {
		return true, nil
	}
	if err != nil {
		return false, w.damaged(err)
	}
	return false, nil
}
