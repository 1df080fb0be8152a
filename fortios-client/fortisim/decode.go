package fortisim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxDepth bounds the nesting of a body; FortiOS tables nest four deep.
const maxDepth = 16

var errNotObject = errors.New("the body is not one JSON object")

// decodeObject reads a body into values of the types object, []any, string,
// json.Number, bool and nil, keeping the order of members: the device applies
// them in that order and stops at the first bad one (U).
func decodeObject(body []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := decodeValue(dec, 0)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if _, err := dec.Token(); !ok || !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return o, nil
}

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("the body nests deeper than %d", maxDepth)
	}
	token, err := dec.Token()
	if err != nil {
		return nil, fmt.Errorf("the body is not JSON: %w", err)
	}
	switch token {
	case json.Delim('{'):
		return decodeMembers(dec, depth)
	case json.Delim('['):
		return decodeItems(dec, depth)
	}
	return token, nil
}

func decodeMembers(dec *json.Decoder, depth int) (object, error) {
	o := object{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("the body is not JSON: %w", err)
		}
		value, err := decodeValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		o = append(o, member{name.(string), value})
	}
	_, err := dec.Token()
	return o, err
}

func decodeItems(dec *json.Decoder, depth int) ([]any, error) {
	list := []any{}
	for dec.More() {
		value, err := decodeValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	_, err := dec.Token()
	return list, err
}
