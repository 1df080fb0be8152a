package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// AppendResult appends the line of a response. id and result are valid JSON
// without line breaks.
func AppendResult(dst, id, result []byte) []byte {
	dst = append(dst, `{"id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"jsonrpc":"2.0","result":`...)
	dst = append(dst, result...)
	return append(dst, "}\n"...)
}

// AppendError appends the line of an error response; without an id the member is
// left out. It fails where the error's data cannot be encoded.
func AppendError(dst, id []byte, e *Error) ([]byte, error) {
	dst = append(dst, `{"error":{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	if e.Data != nil {
		data, err := Encode(e.Data)
		if err != nil {
			return nil, err
		}
		dst = append(dst, `,"data":`...)
		dst = append(dst, data...)
	}
	message, err := Encode(e.Message)
	if err != nil {
		return nil, err
	}
	dst = append(dst, `,"message":`...)
	dst = append(dst, message...)
	dst = append(dst, '}')
	if id != nil {
		dst = append(dst, `,"id":`...)
		dst = append(dst, id...)
	}
	return append(dst, `,"jsonrpc":"2.0"}`+"\n"...), nil
}

// Encode is the JSON of a value on one line, maps in the order of their names,
// without escapes for HTML.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("jsonrpc: encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
