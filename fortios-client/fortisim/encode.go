package fortisim

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// get is the value of the last member of that name.
func (o object) get(name string) (any, bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].name == name {
			return o[i].value, true
		}
	}
	return nil, false
}

// appendJSON writes what the package puts into answers. A FortiGate escapes
// "/" inside strings (R), so does this.
func appendJSON(b []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case bool:
		return strconv.AppendBool(b, v)
	case json.Number:
		return append(b, v.String()...)
	case json.RawMessage:
		return append(b, v...) // a default of the facts: a number or a plain word
	case object:
		return appendObject(b, v)
	case []object:
		return appendList(b, v)
	case []string:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	}
	return appendString(b, fmt.Sprint(value))
}

func appendObject(b []byte, o object) []byte {
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.name), ':')
		b = appendJSON(b, m.value)
	}
	return append(b, '}')
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, v)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '/':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < 0x20 || r == 0x7f:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
