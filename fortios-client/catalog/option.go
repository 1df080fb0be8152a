package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// optionObject is Option without its methods, for the object form.
type optionObject Option

// UnmarshalJSON reads both forms of an option: a plain string, or an object
// with a window.
func (o *Option) UnmarshalJSON(data []byte) error {
	*o = Option{}
	var err error
	if len(data) > 0 && data[0] == '"' {
		err = json.Unmarshal(data, &o.Value)
	} else {
		err = json.Unmarshal(data, (*optionObject)(o))
	}
	if err != nil {
		return fmt.Errorf("catalog: option: %w", err)
	}
	return nil
}

// MarshalJSON writes the shortest form: a plain string where o has no window.
// It leaves it to the caller's encoder whether to escape for HTML.
func (o Option) MarshalJSON() ([]byte, error) {
	var form any = optionObject(o)
	if o.Since == "" && o.Until == "" && len(o.Spans) == 0 {
		form = o.Value
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(form); err != nil {
		return nil, fmt.Errorf("catalog: option: %w", err)
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// String is the value.
func (o Option) String() string { return o.Value }
