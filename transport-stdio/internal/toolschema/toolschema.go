// Package toolschema turns the description of a request struct into the JSON
// schema of a tool's arguments, so that no schema is written by hand.
//
// The schemas keep to what every client understands: an object at the root that
// refuses unknown names, no $ref, no combinator at the root, no lists of types, and
// neither a boolean nor {} in the place of a schema: some clients, and the strict
// mode of the MCP Inspector, take a schema without a type for a mistake.
package toolschema

import "github.com/forti-mcp/forti/core/request"

// Schema is a JSON schema; it encodes with its names in order.
type Schema map[string]any

// Of is the schema of an object with these fields and no others.
func Of(fields []request.Field) Schema {
	properties := make(Schema, len(fields))
	var required []string
	for _, f := range fields {
		properties[f.Name] = field(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := Schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

func field(f request.Field) Schema {
	s := shape(f)
	if f.Doc != "" {
		s["description"] = f.Doc
	}
	return s
}

func shape(f request.Field) Schema {
	switch f.Shape {
	case request.Text:
		return text(f)
	case request.Integer:
		return bounded(f, Schema{"type": "integer"}, "minimum", "maximum")
	case request.Boolean:
		return Schema{"type": "boolean"}
	case request.List:
		return bounded(f, Schema{"type": "array", "items": field(*f.Item)}, "minItems", "maxItems")
	case request.Object:
		return mapping(f)
	case request.KeyShape:
		return anyOf("string", "integer")
	case request.Anything:
	}
	return anyOf("object", "string", "number", "boolean")
}

// mapping is an object: with known fields, or with names that the caller chooses.
func mapping(f request.Field) Schema {
	switch {
	case f.Values == nil:
		return Of(f.Fields)
	case f.Values.Shape == request.Anything:
		return Schema{"type": "object"} // which allows any value to any name
	}
	return Schema{"type": "object", "additionalProperties": field(*f.Values)}
}

func anyOf(types ...string) Schema {
	var list []Schema
	for _, t := range types {
		list = append(list, Schema{"type": t})
	}
	return Schema{"anyOf": list}
}

func text(f request.Field) Schema {
	s := Schema{"type": "string"}
	if len(f.Options) > 0 {
		s["enum"] = f.Options
		return s
	}
	if f.Required && f.Min == nil {
		s["minLength"] = 1 // an empty text counts as left out
	}
	return bounded(f, s, "minLength", "maxLength")
}

func bounded(f request.Field, s Schema, lowest, highest string) Schema {
	if f.Min != nil {
		s[lowest] = *f.Min
	}
	if f.Max != nil {
		s[highest] = *f.Max
	}
	return s
}

// Envelope is the schema of every tool's result.
func Envelope() Schema {
	failure := Schema{
		"type":     "object",
		"required": []string{"code", "message"},
		"properties": Schema{
			"code":    Schema{"type": "string"},
			"message": Schema{"type": "string"},
			"details": Schema{"type": "object"},
		},
	}
	return Schema{
		"type":     "object",
		"required": []string{"ok"},
		"properties": Schema{
			"ok":    Schema{"type": "boolean"},
			"data":  anyOf("object", "array", "string", "number", "boolean", "null"),
			"meta":  Schema{"type": "object"},
			"error": failure,
		},
	}
}
