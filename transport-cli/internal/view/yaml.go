package view

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/core/fault"
)

// yamlOf rewrites JSON as YAML, members in the same order.
func yamlOf(data []byte) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil { // JSON is YAML
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be read as YAML")
	}
	unquote(&document)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&document); err != nil {
		return nil, fault.Wrap(err, fault.Internal, "an answer could not be encoded as YAML")
	}
	return []byte(inert(b.String(), writeUTF32)), nil
}

// unquote takes JSON's brackets and quotes off; the encoder puts quotes back
// where a text would be read as something else. What has to be escaped keeps
// them, since only a quoted text can hold an escape.
func unquote(n *yaml.Node) {
	n.Style = 0
	if n.Kind == yaml.ScalarNode && strings.ContainsFunc(n.Value, func(r rune) bool { return acts(r) || r == '\n' }) {
		n.Style = yaml.DoubleQuotedStyle
	}
	for _, inner := range n.Content {
		unquote(inner)
	}
}
