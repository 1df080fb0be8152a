package compare

import (
	"maps"
	"slices"

	"github.com/forti-mcp/forti/core/schema"
)

// originKey is the member in which the device repeats the key of a row.
const originKey = "q_origin_key"

// asRows takes a value as rows of a child table. A bare text or number stands
// for the row of that key.
func asRows(a *schema.Attribute, v any) ([]map[string]any, bool) {
	list, isList := v.([]any)
	if !isList || !a.IsTable() && len(a.Attributes) == 0 {
		return nil, false
	}
	rows := make([]map[string]any, 0, len(list))
	for _, item := range list {
		if row, isRow := item.(map[string]any); isRow {
			rows = append(rows, row)
			continue
		}
		if _, scalar := scalarText(item); !scalar || a.Key == "" {
			return nil, false
		}
		rows = append(rows, map[string]any{a.Key: item})
	}
	return rows, true
}

// examineRows compares tables as sets: rows with a key are matched by it,
// whatever their order and however often they are named. Rows for which no key
// was given are matched in order with the rows that are left, since the device
// numbers them in the order in which they came.
func examineRows(a *schema.Attribute, want, got []map[string]any) finding {
	wantKeyed, wantLoose := byKey(a, want)
	gotKeyed, gotLoose := byKey(a, got)
	f := finding{compared: true}
	for _, key := range slices.Sorted(maps.Keys(wantKeyed)) {
		row, there := gotKeyed[key]
		if !there {
			f.differs = true
			continue
		}
		f.add("", examineMembers(a.Attributes, a.Key, wantKeyed[key], row))
	}
	left := leftOver(a, got, wantKeyed, gotLoose)
	if len(left) != len(wantLoose) {
		f.differs = true
	}
	for i := range min(len(left), len(wantLoose)) {
		f.add("", examineMembers(a.Attributes, a.Key, wantLoose[i], left[i]))
	}
	f.unverified = trimSlashes(f.unverified)
	return f
}

// byKey sorts rows into those with a key and the rest. A row that is named again
// changes the one before.
func byKey(a *schema.Attribute, rows []map[string]any) (keyed map[string]map[string]any, loose []map[string]any) {
	keyed = map[string]map[string]any{}
	for _, row := range rows {
		key, ok := rowKey(a, row)
		if !ok {
			loose = append(loose, row)
			continue
		}
		merged := map[string]any{}
		maps.Copy(merged, keyed[key])
		maps.Copy(merged, row)
		keyed[key] = merged
	}
	return keyed, loose
}

// leftOver are the rows of got that no wanted key names, in the device's order.
func leftOver(a *schema.Attribute, got []map[string]any, wanted map[string]map[string]any, loose []map[string]any) []map[string]any {
	left := slices.Clone(loose)
	seen := map[string]bool{}
	for _, row := range got {
		key, ok := rowKey(a, row)
		if _, named := wanted[key]; ok && !named && !seen[key] {
			seen[key] = true
			left = append(left, row)
		}
	}
	return left
}

// rowKey is a row's key in normal form; ok is false where it has none, or 0,
// which asks the device to choose one.
func rowKey(a *schema.Attribute, row map[string]any) (key string, ok bool) {
	v, given := row[a.Key]
	if a.Key == "" || !given {
		v = row[originKey]
	}
	if key, ok = scalarText(v); !ok || key == "" {
		return "", false
	}
	if a.KeyType == "integer" {
		key = decimal(key)
		return key, key != "0"
	}
	if attribute, known := a.Attribute(a.Key); known {
		key = normalWord(attribute, key)
	}
	return key, true
}

func trimSlashes(paths []string) []string {
	for i, path := range paths {
		if path != "" && path[0] == '/' {
			paths[i] = path[1:]
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
