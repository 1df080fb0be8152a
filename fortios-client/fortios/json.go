package fortios

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
)

const (
	maxDepth   = 64  // nesting of a whole answer
	maxMembers = 256 // of one envelope
)

var (
	errNotJSON    = notFortiOS("the answer is not valid JSON: check that host and port are those of the HTTPS administration")
	errTooDeep    = notFortiOS("the answer's JSON is nested deeper than %d levels", maxDepth)
	errDuplicate  = notFortiOS("the answer's JSON names a member twice")
	errManyNames  = notFortiOS("the answer's JSON has more than %d members", maxMembers)
	errWrongShape = notFortiOS("the answer is JSON, but not a FortiOS envelope: check that host and port are those of the HTTPS administration")
)

// members walks over an object and calls visit behind each name; visit must
// consume the value. Names are taken literally and may stand once, where
// encoding/json would fold their case and let the last one win.
func members(dec *json.Decoder, visit func(name string) error) error {
	if err := expect(dec, '{'); err != nil {
		return err
	}
	seen := map[string]bool{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		name, ok := token.(string)
		switch {
		case !ok:
			return errNotJSON
		case seen[name]:
			return errDuplicate
		case len(seen) >= maxMembers:
			return errManyNames
		}
		seen[name] = true
		if err := visit(name); err != nil {
			return err
		}
	}
	return expect(dec, '}')
}

func expect(dec *json.Decoder, want json.Delim) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	if token != want {
		return errWrongShape
	}
	return nil
}

// atEnd demands that nothing but blanks follows.
func atEnd(dec *json.Decoder) error {
	_, err := dec.Token()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return errNotJSON
	default:
		return err
	}
}

// tooDeep reports that valid JSON is nested deeper than limit.
func tooDeep(raw []byte, limit int) bool {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// scalar is a string's text, or a number as it was written.
func scalar(raw json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var number json.Number
	if json.Unmarshal(raw, &number) == nil {
		return number.String(), true
	}
	return "", false
}

// whole is an integer, which some releases write as a string.
func whole(raw json.RawMessage) (int, bool) {
	text, ok := scalar(raw)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// firstByte is the first one that is not a blank, 0 where there is none.
func firstByte(raw []byte) byte {
	for _, c := range raw {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c
		}
	}
	return 0
}
