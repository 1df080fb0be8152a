package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// The facts are JSON with one attribute, call or parameter a line, so that a
// diff shows which of them changed. Without their line feeds and indents, they
// are the lines of the fact table.

// writeResources lays out an array of resources.
func writeResources(list []catalog.Resource) ([]byte, error) {
	return array(list, "", func(r catalog.Resource, indent string) ([]byte, error) {
		attrs := r.Attributes
		r.Attributes = nil
		return withList(r, "attrs", attrs, indent, writeAttribute)
	})
}

func writeAttribute(a catalog.Attribute, indent string) ([]byte, error) {
	attrs := a.Attributes
	a.Attributes = nil
	return withList(a, "attrs", attrs, indent, writeAttribute)
}

// writeEndpoints lays out an array of monitor endpoints.
func writeEndpoints(list []catalog.Endpoint) ([]byte, error) {
	return array(list, "", func(e catalog.Endpoint, indent string) ([]byte, error) {
		head := struct {
			Path string `json:"path"`
		}{e.Path}
		return withList(head, "calls", e.Calls, indent, writeCall)
	})
}

func writeCall(c catalog.Call, indent string) ([]byte, error) {
	params := c.Params
	c.Params = nil
	return withList(c, "params", params, indent, func(p catalog.Param, _ string) ([]byte, error) { return compact(p) })
}

// withList is the head's JSON with list as its last member.
func withList[T any](head any, name string, list []T, indent string, line func(T, string) ([]byte, error)) ([]byte, error) {
	text, err := compact(head)
	if err != nil || len(list) == 0 {
		return text, err
	}
	items, err := array(list, indent, line)
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("}"))
	return fmt.Appendf(text, ",%q:%s}", name, items), nil
}

// array puts each item on lines of its own, one space further in.
func array[T any](list []T, indent string, line func(T, string) ([]byte, error)) ([]byte, error) {
	out := []byte("[")
	for i, item := range list {
		text, err := line(item, indent+" ")
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, "\n "+indent...)
		out = append(out, text...)
	}
	return append(out, "\n"+indent+"]"...), nil
}

// compact is JSON in the fact table's manner: no spaces, no escaping for HTML.
func compact(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// strict decodes one JSON value and refuses keys that the types do not have:
// a fact that the types cannot hold would be lost silently.
func strict(data []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if dec.More() {
		return fmt.Errorf("more than one JSON value")
	}
	return nil
}

// fileOf is the file of facts that holds path: by its first segment, and by
// the second for monitor endpoints.
func fileOf(path string) string {
	first, rest, _ := strings.Cut(path, "/")
	if first != "monitor" {
		return "cmdb/" + first + ".json"
	}
	second, _, _ := strings.Cut(rest, "/")
	return "monitor/" + second + ".json"
}
