package zaplog

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/forti-mcp/forti/core/redact"
)

// Redact puts the wall before a core: values of fields whose name promises a
// secret are masked, and so are secrets that their form gives away in messages
// and values at any depth. Text is escaped, so that an entry stays one line and
// cannot move a cursor. Names, numbers and times pass.
func Redact(core zapcore.Core) zapcore.Core { return &wall{core} }

type wall struct{ zapcore.Core }

// With masks the fields that the entries to come have in common.
func (w *wall) With(fields []zapcore.Field) zapcore.Core { return &wall{w.Core.With(clean(fields))} }

// Check takes part where the core behind the wall does.
func (w *wall) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if w.Enabled(e.Level) {
		return ce.AddCore(e, w)
	}
	return ce
}

// Write masks an entry and hands it on.
func (w *wall) Write(e zapcore.Entry, fields []zapcore.Field) error {
	e.Message = text(e.Message)
	e.Stack = maskForms(e.Stack)
	return w.Core.Write(e, clean(fields))
}

func clean(fields []zapcore.Field) []zapcore.Field {
	safe := make([]zapcore.Field, 0, len(fields))
	for _, f := range fields {
		if f.Type == zapcore.NamespaceType || f.Type == zapcore.SkipType {
			safe = append(safe, f)
			continue
		}
		values := zapcore.NewMapObjectEncoder()
		f.AddTo(values)
		for _, name := range slices.Sorted(maps.Keys(values.Fields)) {
			safe = append(safe, zap.Any(redact.Escape(name), member(name, values.Fields[name])))
		}
	}
	return safe
}

func member(name string, v any) any {
	if !secretName(name) {
		return value(v)
	}
	switch v.(type) {
	case nil, bool:
		return v
	}
	if v == "" {
		return v
	}
	return redact.Mask
}

// value masks what a field holds. What is neither plain nor made of plain things
// is turned into them by way of JSON, which secrets mask themselves in.
func value(v any) any {
	switch x := v.(type) {
	case nil, bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr,
		float32, float64, complex64, complex128, time.Time, time.Duration, json.Number:
		return v
	case string:
		return text(x)
	case []byte:
		return text(string(x))
	case []any:
		list := make([]any, len(x))
		for i := range x {
			list[i] = value(x[i])
		}
		return list
	case map[string]any:
		masked := make(map[string]any, len(x))
		for name, v := range x {
			masked[redact.Escape(name)] = member(name, v)
		}
		return masked
	}
	return viaJSON(v)
}

func viaJSON(v any) any {
	data, err := json.Marshal(v)
	var plain any
	if err == nil {
		err = json.Unmarshal(data, &plain)
	}
	if err != nil {
		return fmt.Sprintf("(a %T that cannot be shown)", v)
	}
	return value(plain)
}
