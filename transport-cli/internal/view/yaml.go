package view

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/core/fault"
)

// yamlOf rewrites JSON as YAML, members in the same order.
func yamlOf(data []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root, err := node(d)
	if err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be turned into YAML")
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(root); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be encoded as YAML")
	}
	return []byte(inert(b.String(), writeUTF32)), nil
}

var errToken = errors.New("view: an end without a beginning")

// node reads one JSON value.
func node(d *json.Decoder) (*yaml.Node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		switch t {
		case '{':
			return inside(d, &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"})
		case '[':
			return inside(d, &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"})
		}
		return nil, errToken
	case string:
		return text(t), nil
	case json.Number:
		n := &yaml.Node{Kind: yaml.ScalarNode, Value: t.String(), Tag: "!!int"}
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
		return n, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: map[bool]string{true: "true", false: "false"}[t]}, nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
}

// inside reads what a list or an object holds.
func inside(d *json.Decoder, of *yaml.Node) (*yaml.Node, error) {
	for d.More() {
		inner, err := node(d)
		if err != nil {
			return nil, err
		}
		of.Content = append(of.Content, inner)
	}
	_, err := d.Token() // the closing bracket
	return of, err
}

// text is a string. The encoder puts it into quotes where it would be read as
// something else; what has to be escaped needs them, since only a quoted text can
// hold an escape.
func text(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsFunc(s, func(r rune) bool { return acts(r) || r == '\n' }) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
