package fortiosdevice

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// judged says from where an answer may come. Without a VDOM the resource is
// global: the profile's VDOM goes along as the right to ask, and the answer may
// name whichever the device likes. With one, an answer from another is an error.
func judged(at port.Location) []fortios.ReadOption {
	if at.VDOM == "" {
		return []fortios.ReadOption{fortios.AnyVDOM}
	}
	return nil
}

// Object reads one row, or a singleton where key is zero.
func (d *Device) Object(ctx context.Context, at port.Location, key operation.Key) (map[string]any, error) {
	text, err := d.Row(ctx, at, key)
	if err != nil {
		return nil, err
	}
	return object(text, named(at.Resource, key.String()))
}

// Row is Object as the device wrote it.
func (d *Device) Row(ctx context.Context, at port.Location, key operation.Key) ([]byte, error) {
	what := named(at.Resource, key.String())
	var e *fortios.Envelope
	var err error
	if key.IsZero() {
		e, err = d.client.Singleton(ctx, at.Resource, at.VDOM, judged(at)...)
	} else {
		e, err = d.client.Object(ctx, at.Resource, key.String(), at.VDOM, judged(at)...)
	}
	if err != nil {
		return nil, cmp.Or(d.sameUnit(refuser(err), what), failure(err, what))
	}
	if err := d.sameUnit(e.Serial, what); err != nil {
		return nil, err
	}
	return e.Results, nil
}

// refuser is the serial number of the device that refused, "" where it is not known.
func refuser(err error) string {
	var f *fortios.Error
	if errors.As(err, &f) {
		return f.Serial
	}
	return ""
}

// List streams a table's rows. Total and Matched are known only where yield took
// all rows, and from FortiOS 7.0 on. A device that sends more rows than were
// asked for is cut off.
func (d *Device) List(ctx context.Context, q port.ListQuery, yield func(row map[string]any) bool) (port.ListInfo, error) {
	var bad error
	info, err := d.Rows(ctx, q, func(text []byte) bool {
		row, err := object(text, named(q.At.Resource, ""))
		if err != nil {
			bad = err
			return false
		}
		return yield(row)
	})
	if bad != nil {
		return port.ListInfo{Total: -1, Matched: -1}, bad
	}
	return info, err
}

// Rows is List with the rows as the device wrote them.
func (d *Device) Rows(ctx context.Context, q port.ListQuery, yield func(row []byte) bool) (port.ListInfo, error) {
	what := named(q.At.Resource, "")
	none := port.ListInfo{Total: -1, Matched: -1}
	filter, err := expressions(q.Filter)
	if err != nil {
		return none, failure(err, what)
	}
	rows := 0
	info, err := d.client.List(ctx, fortios.ListQuery{
		Resource: q.At.Resource, VDOM: q.At.VDOM, AnyVDOM: q.At.VDOM == "",
		Filter: filter, Format: q.Fields, Start: q.Start, Count: q.Count,
	}, func(raw json.RawMessage) bool {
		if rows++; q.Count > 0 && rows > q.Count {
			return false
		}
		return yield(raw)
	})
	if err != nil {
		return none, failure(err, what)
	}
	if err := d.sameUnit(info.Serial, what); err != nil {
		return none, err
	}
	return port.ListInfo{Total: counted(info.Size), Matched: counted(info.Matched)}, nil
}

// expressions writes the filter: clauses must all hold, the alternatives of one
// are joined with commas.
func expressions(filter []port.Clause) ([]string, error) {
	var out []string
	for _, clause := range filter {
		alternatives := make([]string, 0, len(clause))
		for _, c := range clause {
			text, err := fortios.Filter(filterName(c.Attribute), c.Operator, c.Value)
			if err != nil {
				return nil, err
			}
			alternatives = append(alternatives, text)
		}
		if len(alternatives) > 0 {
			out = append(out, strings.Join(alternatives, ","))
		}
	}
	return out, nil
}

// filterName writes a path of names with the dots that FortiOS wants between them; a dot
// within a name is escaped.
func filterName(path string) string {
	return strings.NewReplacer(".", `\.`, "/", ".").Replace(path)
}

// counted is -1 where the release does not count.
func counted(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// Monitor reads a monitor endpoint with GET. Answers may be of any type; nil
// stands for an answer without results.
func (d *Device) Monitor(ctx context.Context, q port.MonitorQuery) (any, error) {
	what := named(q.At.Resource, "")
	var query [][2]string
	if q.At.VDOM != "" {
		query = append(query, [2]string{"vdom", q.At.VDOM})
	}
	for _, p := range q.Params {
		query = append(query, [2]string{p.Name, p.Value})
	}
	e, err := d.client.Monitor(ctx, q.At.Resource, query, judged(q.At)...)
	if err != nil {
		return nil, failure(err, what)
	}
	if err := d.sameUnit(e.Serial, what); err != nil {
		return nil, err
	}
	if len(e.Results) == 0 {
		return nil, nil //nolint:nilnil // no results is an answer
	}
	return value(e.Results, what)
}

// Schema asks the device for its own description of a resource.
func (d *Device) Schema(ctx context.Context, at port.Location) (map[string]any, error) {
	what := "the schema of " + named(at.Resource, "")
	raw, err := d.client.Schema(ctx, at.Resource, at.VDOM, judged(at)...)
	if err != nil {
		return nil, failure(err, what)
	}
	return object(raw, what)
}
