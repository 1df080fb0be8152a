package create

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// fromYAML turns one YAML document into JSON. It takes what has exactly one
// meaning: duplicate keys, anchors, aliases, merges, tags of other kinds, keys
// that are not text and numbers that YAML's versions read differently are
// refused. All refusals are reported together.
func fromYAML(data []byte) ([]byte, error) {
	d := yaml.NewDecoder(bytes.NewReader(data))
	var document yaml.Node
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, broken(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, broken("a second YAML document follows; one file is one plan")
	}
	var c converter
	c.node(&document, "", 0)
	if err := c.problems.Err(); err != nil {
		return nil, err
	}
	return []byte(c.json.String()), nil
}

type converter struct {
	json     strings.Builder
	problems fault.Problems
}

func (c *converter) refuse(n *yaml.Node, at, format string, args ...any) {
	c.problems.Add(at, fmt.Sprintf("line %d: ", n.Line)+fmt.Sprintf(format, args...))
}

func (c *converter) node(n *yaml.Node, at string, depth int) {
	switch {
	case depth > canon.MaxDepth:
		c.refuse(n, at, "nested deeper than %d levels", canon.MaxDepth)
		return
	case n.Anchor != "":
		c.refuse(n, at, "anchors are not taken; write the value where it is meant")
		return
	}
	switch n.Kind {
	case yaml.DocumentNode:
		c.node(n.Content[0], at, depth)
	case yaml.MappingNode:
		c.mapping(n, at, depth)
	case yaml.SequenceNode:
		c.sequence(n, at, depth)
	case yaml.ScalarNode:
		c.scalar(n, at)
	default:
		c.refuse(n, at, "aliases are not taken; write the value where it is meant")
	}
}

func (c *converter) mapping(n *yaml.Node, at string, depth int) {
	if n.ShortTag() != "!!map" {
		c.refuse(n, at, "the tag %s is not taken", n.ShortTag())
		return
	}
	seen := map[string]bool{}
	c.json.WriteByte('{')
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if i > 0 {
			c.json.WriteByte(',')
		}
		switch {
		case key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" || key.Anchor != "":
			c.refuse(key, at, "a key must be text; put it into quotes")
			continue
		case seen[key.Value]:
			c.refuse(key, at, "the key %q stands twice", key.Value)
			continue
		}
		seen[key.Value] = true
		c.text(key.Value)
		c.json.WriteByte(':')
		c.node(value, at+fault.Pointer(key.Value), depth+1)
	}
	c.json.WriteByte('}')
}

func (c *converter) sequence(n *yaml.Node, at string, depth int) {
	if n.ShortTag() != "!!seq" {
		c.refuse(n, at, "the tag %s is not taken", n.ShortTag())
		return
	}
	c.json.WriteByte('[')
	for i, item := range n.Content {
		if i > 0 {
			c.json.WriteByte(',')
		}
		c.node(item, at+fault.Pointer(i), depth+1)
	}
	c.json.WriteByte(']')
}

var (
	decimal  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	fraction = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

func (c *converter) scalar(n *yaml.Node, at string) {
	switch tag := n.ShortTag(); {
	case tag == "!!str", tag == "!!timestamp" && n.Style&yaml.TaggedStyle == 0: // a date is text to FortiOS
		c.text(n.Value)
	case tag == "!!null":
		c.json.WriteString("null")
	case tag == "!!bool":
		c.json.WriteString(strings.ToLower(n.Value))
	case tag == "!!int" && decimal.MatchString(n.Value), tag == "!!float" && fraction.MatchString(n.Value):
		c.json.WriteString(n.Value)
	case tag == "!!int", tag == "!!float":
		c.refuse(n, at, "write %s as a decimal number, or in quotes if it is text", n.Value)
	default:
		c.refuse(n, at, "the tag %s is not taken", tag)
	}
}

// text writes a JSON string; YAML's decoder has made sure that it is UTF-8.
func (c *converter) text(s string) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return // a string always encodes
	}
	c.json.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}
