package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// batch is how many rows one request asks for by key.
const batch = 100

// strays is how many rows more than asked for an answer may have: a filter of FortiOS
// may be less exact than a key.
const strays = 1000

// loadObjects reads objects into a world: singletons and single rows each with a
// request of its own, several rows of a table together.
func (s *session) loadObjects(ctx context.Context, w *change.World, refs []change.Ref) error {
	byTable := map[change.Table][]change.Ref{}
	var tables []change.Table
	asked := map[change.Ref]bool{}
	for _, r := range refs {
		if _, known := w.Object(r); known || asked[r] {
			continue
		}
		asked[r] = true
		if byTable[r.Table()] == nil {
			tables = append(tables, r.Table())
		}
		byTable[r.Table()] = append(byTable[r.Table()], r)
	}
	for _, t := range tables {
		if err := s.loadTable(ctx, w, byTable[t]); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) loadTable(ctx context.Context, w *change.World, refs []change.Ref) error {
	var together []change.Ref
	for _, r := range refs {
		if r.Key.IsZero() || strings.ContainsAny(r.Key.String(), `,"`) || len(refs) == 1 {
			if err := s.loadOne(ctx, w, r); err != nil {
				return err
			}
			continue
		}
		together = append(together, r)
	}
	for part := range slices.Chunk(together, batch) {
		if err := s.loadBatch(ctx, w, part); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) loadOne(ctx context.Context, w *change.World, r change.Ref) error {
	object, err := s.object(ctx, r)
	if err != nil {
		return err
	}
	w.Load(r, object)
	return nil
}

// object reads one object; nil where there is none. A row that has another key than
// the one asked for is an error, whatever the device meant by it.
func (s *session) object(ctx context.Context, ref change.Ref) (map[string]any, error) {
	object, err := s.device.Object(ctx, port.Location{Resource: ref.Resource, VDOM: ref.VDOM}, ref.Key)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil //nolint:nilnil // absence is an answer here
	}
	if err != nil {
		return nil, err
	}
	r, err := s.engine.ports.Catalog.Resource(ref.Resource, s.release)
	if err != nil || ref.Key.IsZero() || r.Key == "" {
		return object, err
	}
	if key, ok := keyOf(r, object); !ok || key != ref.Key {
		return nil, fault.New(fault.DeviceError, "the device answered with another row of %s than %s; nothing is concluded from it", ref.Resource, ref.Key)
	}
	return object, nil
}

func (s *session) loadBatch(ctx context.Context, w *change.World, refs []change.Ref) error {
	r, err := s.engine.ports.Catalog.Resource(refs[0].Resource, s.release)
	if err != nil {
		return err
	}
	clause := make(port.Clause, 0, len(refs))
	for _, ref := range refs {
		clause = append(clause, port.Condition{Attribute: r.Key, Operator: "==", Value: ref.Key.String()})
	}
	found := map[operation.Key]map[string]any{}
	wanted := map[operation.Key]bool{}
	for _, ref := range refs {
		wanted[ref.Key] = true
	}
	query := port.ListQuery{At: port.Location{Resource: r.Path, VDOM: refs[0].VDOM}, Filter: []port.Clause{clause}}
	rows := 0
	_, err = s.device.List(ctx, query, func(row map[string]any) bool {
		rows++
		if key, ok := keyOf(r, row); ok && wanted[key] {
			found[key] = row
		}
		return len(found) < len(wanted) && rows < strays+len(wanted)
	})
	if err != nil {
		return err
	}
	if rows >= strays+len(wanted) && len(found) < len(wanted) {
		return fault.New(fault.DeviceError, "the device answers a question about %d rows of %s with all others; it ignores filters", len(wanted), r.Path)
	}
	for _, ref := range refs {
		w.Load(ref, found[ref.Key]) // the filter narrows; the key identifies
	}
	return nil
}

// keyOf is the key of a row in the table's own kind.
func keyOf(r *schema.Resource, row map[string]any) (operation.Key, bool) {
	key, err := operation.KeyOf(row[r.Key])
	if err != nil {
		return operation.Key{}, false
	}
	return key.As(r.IntegerKey()), true
}

// keys reads the keys of a table in the device's order.
func (s *session) keys(ctx context.Context, r *schema.Resource) ([]operation.Key, error) {
	keys := []operation.Key{}
	query := port.ListQuery{At: port.Location{Resource: r.Path, VDOM: s.vdomFor(r)}, Fields: []string{r.Key}}
	_, err := s.device.List(ctx, query, func(row map[string]any) bool {
		if key, ok := keyOf(r, row); ok {
			keys = append(keys, key)
		}
		return true
	})
	return keys, err
}

// loadOrder reads a table's order into a world once.
func (s *session) loadOrder(ctx context.Context, w *change.World, r *schema.Resource) error {
	table := s.ref(r).Table()
	if _, known := w.Order(table); known {
		return nil
	}
	keys, err := s.keys(ctx, r)
	if err != nil {
		return err
	}
	w.LoadOrder(table, keys)
	return nil
}
