package request

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/operation"
)

// Shape is the JSON type of a field.
type Shape string

// The shapes.
const (
	Text    Shape = "string"
	Integer Shape = "integer"
	Boolean Shape = "boolean"
	List    Shape = "array"
	Object  Shape = "object"
	// KeyShape is a string or an integer.
	KeyShape Shape = "key"
	// Anything is any JSON value.
	Anything Shape = "any"
)

// Field describes one field of a request, from the struct's tags.
type Field struct {
	Name     string
	Doc      string
	Shape    Shape
	Required bool
	// Options are the permitted texts.
	Options []string
	// Min and Max bound a text's length, a list's length or an integer; nil: open.
	Min, Max *int
	// Item describes a list's entries; Fields a struct's fields; Values what an
	// open object's members are.
	Item   *Field
	Fields []Field
	Values *Field
}

// Describe lists the fields of a request struct in their order.
func Describe(request any) []Field {
	return fields(reflect.TypeOf(request))
}

func fields(t reflect.Type) []Field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var list []Field
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		d := describe(f.Type)
		d.Name, d.Doc = name, f.Tag.Get("doc")
		apply(&d, strings.Split(f.Tag.Get("validate"), ","))
		list = append(list, d)
	}
	return list
}

var keyType = reflect.TypeFor[operation.Key]()

func describe(t reflect.Type) Field {
	if t == keyType {
		return Field{Shape: KeyShape}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return describe(t.Elem())
	case reflect.String:
		return Field{Shape: Text}
	case reflect.Int:
		return Field{Shape: Integer}
	case reflect.Bool:
		return Field{Shape: Boolean}
	case reflect.Slice:
		item := describe(t.Elem())
		return Field{Shape: List, Item: &item}
	case reflect.Map:
		values := describe(t.Elem())
		return Field{Shape: Object, Values: &values}
	case reflect.Struct:
		return Field{Shape: Object, Fields: fields(t)}
	default:
		return Field{Shape: Anything}
	}
}

// apply reads the validation rules; those after "dive" are about the entries.
func apply(f *Field, rules []string) {
	for i, rule := range rules {
		name, value, _ := strings.Cut(rule, "=")
		switch name {
		case "required":
			f.Required = true
		case "oneof":
			f.Options = strings.Fields(value)
		case "min":
			f.Min = number(value)
		case "max":
			f.Max = number(value)
		case "dive":
			if f.Item != nil {
				apply(f.Item, rules[i+1:])
			}
			return
		}
	}
}

func number(text string) *int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return nil
	}
	return &n
}
