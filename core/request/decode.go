package request

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
)

// Decoder reads requests. It is safe for concurrent use.
type Decoder struct{ validate *validator.Validate }

// NewDecoder makes a decoder. Making one costs some microseconds; keep it.
func NewDecoder() *Decoder {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	return &Decoder{validate: v}
}

// Decode reads JSON arguments into a request struct and checks it. Every problem
// is collected: unknown names (with the permitted ones), wrong types, missing
// fields, limits. Empty data and null count as no arguments. The error has code
// usage and details.problems.
func (d *Decoder) Decode(data []byte, into any) error {
	if len(strings.TrimSpace(string(data))) == 0 || string(data) == "null" {
		data = []byte("{}")
	}
	value, err := canon.DecodeLoose(data)
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the arguments are not valid JSON: %s", strings.TrimPrefix(err.Error(), "canon: "))
	}
	var problems fault.Problems
	target := reflect.ValueOf(into).Elem()
	assign(&problems, "", value, target)
	return d.check(into, problems)
}

// Check validates a struct that was filled by code, as Decode does.
func (d *Decoder) Check(request any) error { return d.check(request, nil) }

func (d *Decoder) check(request any, problems fault.Problems) error {
	reported := slices.Clone(problems)
	var failures validator.ValidationErrors
	switch err := d.validate.Struct(request).(type) { //nolint:errorlint // validator returns this type itself
	case nil:
	case validator.ValidationErrors:
		failures = err
	default:
		return fault.Wrap(err, fault.Internal, "a request could not be checked")
	}
	for _, f := range failures {
		pointer := pointerOf(f.Namespace())
		if !covers(reported, pointer) {
			problems.Add(pointer, describeFailure(f))
		}
	}
	problems.Sort()
	return problems.Err()
}

// covers: the place, or one that it is part of, has a problem already. What a
// value of the wrong type lacks is not another problem.
func covers(reported fault.Problems, pointer string) bool {
	return slices.ContainsFunc(reported, func(p fault.Problem) bool { return fault.Within(pointer, p.Pointer) })
}

func assign(ps *fault.Problems, at string, v any, into reflect.Value) {
	if into.Type() == keyType {
		assignKey(ps, at, v, into)
		return
	}
	if v == nil {
		return // null counts as left out
	}
	switch into.Kind() {
	case reflect.Pointer:
		fresh := reflect.New(into.Type().Elem())
		assign(ps, at, v, fresh.Elem())
		into.Set(fresh)
	case reflect.Struct:
		assignStruct(ps, at, v, into)
	case reflect.Slice:
		assignList(ps, at, v, into)
	case reflect.Map:
		assignMap(ps, at, v, into)
	case reflect.Interface:
		refuseNumbers(ps, at, v)
		into.Set(reflect.ValueOf(v))
	default:
		assignScalar(ps, at, v, into)
	}
}

// refuseNumbers reports numbers that could not be kept exactly in what a caller
// gives freely.
func refuseNumbers(ps *fault.Problems, at string, v any) {
	switch x := v.(type) {
	case canon.Number:
		ps.Add(at, "is "+nameOf(v)+"; give an integer or a string")
	case []any:
		for i, item := range x {
			refuseNumbers(ps, at+fault.Pointer(i), item)
		}
	case map[string]any:
		for _, name := range canon.Keys(x) {
			refuseNumbers(ps, at+fault.Pointer(name), x[name])
		}
	}
}

func assignScalar(ps *fault.Problems, at string, v any, into reflect.Value) {
	switch x := v.(type) {
	case string:
		if into.Kind() == reflect.String {
			into.SetString(x)
			return
		}
	case bool:
		if into.Kind() == reflect.Bool {
			into.SetBool(x)
			return
		}
	case int64:
		if into.Kind() == reflect.Int {
			into.SetInt(x)
			return
		}
	}
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "an integer"}[into.Kind()]
	ps.Add(at, fmt.Sprintf("must be %s, not %s", want, nameOf(v)))
}

func assignKey(ps *fault.Problems, at string, v any, into reflect.Value) {
	if v == nil {
		return
	}
	k, err := operation.KeyOf(v)
	if err != nil {
		ps.Add(at, err.Error())
		return
	}
	into.Set(reflect.ValueOf(k))
}

func assignStruct(ps *fault.Problems, at string, v any, into reflect.Value) {
	object, ok := v.(map[string]any)
	if !ok {
		ps.Add(at, fmt.Sprintf("must be an object, not %s", nameOf(v)))
		return
	}
	index, names := map[string]int{}, []string{}
	for i := range into.NumField() {
		name, _, _ := strings.Cut(into.Type().Field(i).Tag.Get("json"), ",")
		index[name] = i
		names = append(names, name)
	}
	for _, name := range canon.Keys(object) {
		i, known := index[name]
		if !known {
			ps.Add(at+fault.Pointer(name), "unknown argument; allowed: "+strings.Join(names, ", "))
			continue
		}
		assign(ps, at+fault.Pointer(name), object[name], into.Field(i))
		if object[name] == int64(0) && wantsPositive(into.Type().Field(i)) {
			ps.Add(at+fault.Pointer(name), "must be at least 1")
		}
	}
}

// wantsPositive: a zero in such a field of a struct means that nothing was given, so
// one that was given must be told while it can be.
func wantsPositive(f reflect.StructField) bool {
	rules := strings.Split(f.Tag.Get("validate"), ",")
	return slices.Contains(rules, "omitempty") && slices.Contains(rules, "min=1")
}

func assignList(ps *fault.Problems, at string, v any, into reflect.Value) {
	list, ok := v.([]any)
	if !ok {
		ps.Add(at, fmt.Sprintf("must be a list, not %s", nameOf(v)))
		return
	}
	made := reflect.MakeSlice(into.Type(), len(list), len(list))
	for i, item := range list {
		if item == nil && made.Index(i).Kind() != reflect.Interface {
			ps.Add(at+fault.Pointer(i), "must not be null")
			continue
		}
		assign(ps, at+fault.Pointer(i), item, made.Index(i))
	}
	into.Set(made)
}

func assignMap(ps *fault.Problems, at string, v any, into reflect.Value) {
	object, ok := v.(map[string]any)
	if !ok {
		ps.Add(at, fmt.Sprintf("must be an object, not %s", nameOf(v)))
		return
	}
	made := reflect.MakeMap(into.Type())
	for _, name := range canon.Keys(object) {
		item := reflect.New(into.Type().Elem()).Elem()
		assign(ps, at+fault.Pointer(name), object[name], item)
		made.SetMapIndex(reflect.ValueOf(name), item)
	}
	into.Set(made)
}

func nameOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case int64:
		return "an integer"
	case canon.Number:
		return "a fraction or an integer beyond 2^53"
	case []any:
		return "a list"
	}
	return "an object"
}

func describeFailure(f validator.FieldError) string {
	switch f.Tag() {
	case "required":
		return "is required"
	case "oneof":
		return `must be one of "` + strings.Join(strings.Fields(f.Param()), `", "`) + `"`
	case "min":
		return bound(f, "at least")
	case "max":
		return bound(f, "at most")
	}
	return "is not valid (" + f.Tag() + ")"
}

func bound(f validator.FieldError, word string) string {
	switch f.Kind() {
	case reflect.String:
		return fmt.Sprintf("must have %s %s characters, has %d", word, f.Param(), utf8.RuneCountInString(fmt.Sprint(f.Value())))
	case reflect.Slice, reflect.Map:
		return fmt.Sprintf("must have %s %s entries, has %d", word, f.Param(), reflect.ValueOf(f.Value()).Len())
	default:
		return fmt.Sprintf("must be %s %s", word, f.Param())
	}
}

// pointerOf turns "Plan.operations[0].op" into "/operations/0/op".
func pointerOf(namespace string) string {
	_, rest, _ := strings.Cut(namespace, ".")
	rest = strings.NewReplacer("[", ".", "]", "").Replace(rest)
	return "/" + strings.ReplaceAll(rest, ".", "/")
}
