package filestate

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// repairCommand is what an operator runs where the log cannot go on by itself.
const repairCommand = "forti audit repair"

// anchor reads the head that is remembered outside the log; nil where there is
// none.
func (v *visit) anchor() (*audit.Head, error) {
	data, err := v.read(anchorFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var head audit.Head
	body, whole := bytes.CutSuffix(data, []byte("\n"))
	err = canon.Unmarshal(body, &head)
	if err == nil && (!whole || head.Hash.IsZero()) {
		err = errors.New("the anchor is cut off")
	}
	if err != nil {
		return nil, v.needsRepair(err, anchorFile, "is damaged")
	}
	return &head, nil
}

// remember writes the anchor.
func (v *visit) remember(head audit.Head) error {
	data, err := canon.Marshal(head)
	if err != nil {
		return err
	}
	if err := v.replace(anchorFile, durable.Bytes(append(data, '\n'))); err != nil {
		return trouble(err, "write", v.path(anchorFile))
	}
	return nil
}

// against says what speaks against a log whose remembered head is anchor; "" for
// nothing. One record more than there are is fine where the last one is torn:
// then it is the one that is remembered.
func (t tail) against(anchor *audit.Head, torn bool) string {
	if anchor == nil {
		return ""
	}
	records := t.next.Seq
	if torn {
		records++
	}
	if anchor.Seq >= records {
		return fmt.Sprintf("has %d records, but record %d was remembered outside of it: it was cut, or put back from an older copy",
			t.next.Seq, anchor.Seq)
	}
	p := t.remembered
	if p == nil || p.Hash == anchor.Hash || p.Event == audit.Repaired || p.Event == audit.Gap {
		return ""
	}
	return fmt.Sprintf("has another record %d than the one remembered outside of it: it was rewritten, or put back from an older copy", p.Seq)
}

func (v *visit) needsRepair(cause error, name, problem string) error {
	return fault.Wrap(cause, fault.Config, "%s %s; look at it with forti audit verify, then run: %s", v.path(name), problem, repairCommand).
		With("path", v.path(name)).With("command", repairCommand)
}
