package fortisim

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// coerce checks a written value against the facts of its attribute and gives
// it in the form in which the device keeps it.
func (d *Device) coerce(f *field, raw, old any, w *writing) (any, *Refusal) {
	switch f.kindOf {
	case childTable:
		return d.coerceRows(f, raw, w)
	case nestedObject:
		return d.coerceObject(f, raw, old, w)
	case textValue, intValue, optionValue, addressValue, secretValue:
	}
	text, ok := scalarText(raw)
	if !ok {
		return nil, badValue(-651, f.Name, "")
	}
	if text == "" && d.behaviour().EmptyRefused && f.kindOf != textValue && f.kindOf != secretValue {
		return nil, mustBeSet(f.Name)
	}
	switch f.kindOf {
	case intValue:
		return d.coerceInt(f, text)
	case optionValue:
		return d.coerceOption(f, text)
	case addressValue:
		return d.coerceAddress(f, text)
	case secretValue:
		return d.coerceSecret(f, text)
	case textValue, childTable, nestedObject:
	}
	return coerceText(f, text)
}

// scalarText is a string, number or truth value as text.
func scalarText(raw any) (string, bool) {
	switch v := raw.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// coerceInt takes numbers and texts of numbers; unset may be written as "".
func (d *Device) coerceInt(f *field, text string) (any, *Refusal) {
	if text == f.def || text == "" {
		return f.def, nil // a default such as "unspecified"
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return nil, badValue(-651, f.Name, text)
	}
	if f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max {
		// The default may lie outside the range (0 for "none").
		if n != f.def {
			return nil, badValue(d.behaviour().RangeError, f.Name, text)
		}
	}
	return n, nil
}

// coerceOption takes one option, or for a set several with spaces between,
// which it puts in the device's order (I).
func (d *Device) coerceOption(f *field, text string) (any, *Refusal) {
	if text == f.def {
		return text, nil
	}
	if !f.Multi {
		if !slices.Contains(f.options, text) {
			return nil, badValue(-651, f.Name, text)
		}
		return text, nil
	}
	words := strings.Fields(text)
	for _, word := range words {
		if !slices.Contains(f.options, word) {
			return nil, badValue(-651, f.Name, word)
		}
	}
	if d.behaviour().OptionSetsAsWritten {
		return strings.Join(words, " "), nil
	}
	ordered := slices.DeleteFunc(slices.Clone(f.options), func(o string) bool { return !slices.Contains(words, o) })
	return strings.Join(ordered, " "), nil
}

func (d *Device) coerceAddress(f *field, text string) (any, *Refusal) {
	if text == "" {
		return f.def, nil
	}
	spelled, ok := addressForms[f.Type](text, d.behaviour())
	if !ok {
		return nil, badValue(-651, f.Name, text)
	}
	return spelled, nil
}

func (d *Device) coerceSecret(f *field, text string) (any, *Refusal) {
	if d.behaviour().EncryptedRefused && strings.HasPrefix(text, encPrefix) {
		return nil, badValue(-651, f.Name, maskedSecret)
	}
	secret := d.readSecret(text)
	if f.Size > 0 && len(secret) > f.Size && !strings.HasPrefix(secret, encPrefix) {
		return nil, refused(-1, "node_check_object fail! for "+f.Name+"\n\n")
	}
	return secret, nil
}

func coerceText(f *field, text string) (any, *Refusal) {
	if f.Size > 0 && len(text) > f.Size {
		return nil, badValue(-1, f.Name, text)
	}
	if f.Type == "uuid" && text != "" && !uuidForm().MatchString(text) {
		return nil, badValue(-651, f.Name, text)
	}
	return text, nil
}

// coerceObject changes only the named members of a nested object (I).
func (d *Device) coerceObject(f *field, raw, old any, w *writing) (any, *Refusal) {
	o, ok := raw.(object)
	if !ok {
		return nil, badValue(-651, f.Name, "")
	}
	e := newEntry()
	if prior, _ := old.(*entry); prior != nil {
		e = prior.clone()
	}
	return e, d.apply(f.child, e, o, w)
}

// coerceRows takes the whole new list of a child table.
func (d *Device) coerceRows(f *field, raw any, w *writing) (any, *Refusal) {
	list, ok := raw.([]any)
	if !ok {
		return nil, badValue(-651, f.Name, "")
	}
	if limit := f.child.limits.Item; limit > 0 && len(list) > limit {
		return nil, tooMany()
	}
	rows := []*entry{}
	for _, item := range list {
		o, ok := item.(object)
		if !ok {
			// A list of bare names gets error -1 without a word (U).
			return nil, &Refusal{Status: 500, Number: -1}
		}
		more, no := d.addRow(f.child, rows, o, w)
		if w.forgive(no) != nil {
			return nil, no
		}
		if no == nil {
			rows = more
		}
	}
	return rows, nil
}

// addRow adds a child row, with an id of the device where it has none. A row
// that is named again changes the first one: duplicates are not kept.
func (d *Device) addRow(s *shape, rows []*entry, o object, w *writing) ([]*entry, *Refusal) {
	key, no := d.rowKey(s, func() int64 { return nextID(rows, s.key) }, o)
	if no != nil {
		return nil, no
	}
	e := newEntry()
	e.values[s.key] = key
	at := slices.IndexFunc(rows, func(r *entry) bool { return r.values[s.key] == key })
	if at >= 0 {
		e = rows[at].clone()
	}
	if no := d.apply(s, e, o, w); no != nil {
		return nil, no
	}
	if at >= 0 {
		rows[at] = e
		return rows, nil
	}
	return append(rows, e), nil
}

// rowKey is the key that a new row asks for, or gets.
func (d *Device) rowKey(s *shape, next func() int64, o object) (any, *Refusal) {
	f, known := s.byName[s.key]
	raw, given := o.get(s.key)
	if !known {
		// Tables of whose key the catalog has no attribute: the text counts.
		f = &field{Attribute: &catalog.Attribute{Name: s.key}, def: ""}
	}
	if f.kindOf == intValue {
		text, _ := scalarText(raw)
		if !given || text == "0" || text == "" {
			return next(), nil
		}
	}
	if !given {
		return nil, mustBeSet(s.key)
	}
	v, no := d.coerce(f, raw, nil, nil)
	if no == nil && v == "" {
		no = mustBeSet(s.key)
	}
	if text, isText := v.(string); no == nil && isText && badName(s.path, s.key, text) {
		no = badValue(-651, s.key, text)
	}
	if text, isText := v.(string); no == nil && isText && s.name == "" && strings.ContainsAny(text, `"'<>`) {
		// Characters that could be script in the GUI (U).
		no = refused(-173, "The string contains XSS vulnerability characters\nvalue parse error before '"+text+"'\n")
	}
	return v, no
}
