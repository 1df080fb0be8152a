package engine

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
)

// pageRows is how many rows one request of a whole table asks for.
const pageRows = 1000

// Streamed is what is told of a table that was read whole.
type Streamed struct {
	Rows int `json:"rows"`
	// Redacted are the attributes that were masked somewhere.
	Redacted []string `json:"redacted,omitempty"`
	// Moved: the number of rows changed meanwhile. Rows are read by their place, so
	// rows that were deleted before that place may have hidden others, and rows that
	// were put before it may have come twice; rows that were added at the end, where
	// FortiOS adds them, do neither.
	Moved bool `json:"moved,omitempty"`
	// Notes say what was assumed of the filter.
	Notes []string `json:"notes,omitempty"`
}

// Each reads a whole table, in pages, over one connection, and gives row after row,
// secrets masked; the memory does not grow with the table. Start is where it begins,
// Count is refused. The error of yield ends it and is returned.
//
// Failures are those of [Engine.Read].
func (e *Engine) Each(ctx context.Context, c Caller, r request.Read, yield func(row map[string]any) error) (*Streamed, error) {
	if r.Count != 0 || !r.Key.IsZero() || strings.HasPrefix(r.Resource, monitorPrefix) {
		return nil, problem("/count", "a whole table is read without count and without a key, and is none of the monitor endpoints")
	}
	if err := e.decoder.Check(&r); err != nil {
		return nil, err
	}
	p, err := e.profile(ctx, r.Profile)
	if err != nil {
		return nil, err
	}
	if err := allowed(p, r.Resource); err != nil {
		return nil, err
	}
	s, err := e.connect(ctx, p, r.VDOM)
	if err != nil {
		return nil, err
	}
	defer s.close()
	resource, err := s.resource(r.Resource)
	if err != nil {
		return nil, err
	}
	if resource.Kind != schema.Table {
		return nil, problem("/resource", r.Resource+" is not a table; read it as it is")
	}
	done, err := s.each(ctx, resource, r, yield)
	return done, s.explain(ctx, r.VDOM, err)
}

func (s *session) each(ctx context.Context, r *schema.Resource, in request.Read, yield func(row map[string]any) error) (*Streamed, error) {
	q, notes, err := query(s, r, in)
	if err != nil {
		return nil, err
	}
	q.Count = pageRows
	done, total := &Streamed{Notes: notes}, -1
	masked := map[string]bool{}
	whole := s.whole(r)
	masks, veil, ask := redact.For(whole.Attributes), veilOf(whole, q.Filter), q
	skip := 0
	if ask.Fields = veil.with(q.Fields); veil.needed() {
		ask.Start, skip = 0, q.Start // places are counted over what is seen
	}
	for {
		rows, unseen := 0, 0
		var failed error
		info, err := s.device.List(ctx, ask, func(row map[string]any) bool {
			rows++
			if veil.hides(row) {
				unseen++
				return true
			}
			if skip > 0 {
				skip--
				unseen++
				return true
			}
			clean, pointers := masks.Object(pick(row, q.Fields))
			for _, pointer := range pointers {
				masked[general(clean, pointer)] = true
			}
			failed = yield(clean)
			return failed == nil
		})
		switch {
		case failed != nil:
			return done, failed
		case err != nil:
			return done, err
		}
		done.Rows += rows - unseen
		ask.Start += rows
		done.Moved = done.Moved || total >= 0 && info.Matched >= 0 && info.Matched != total
		total = info.Matched
		if rows < ask.Count {
			done.Redacted = slices.Sorted(maps.Keys(masked))
			return done, nil
		}
	}
}
