package canon

import (
	"bytes"
	"encoding/json"
)

// Cursor steps through JSON text that is known to be valid. It stands on a value, on a
// member's name, or on the end of a list or an object.
type Cursor struct {
	text []byte
	at   int
}

// NewCursor checks a text, as [CheckText] does, and stands on its value.
func NewCursor(text []byte) (*Cursor, error) {
	if err := CheckText(text); err != nil {
		return nil, err
	}
	c := &Cursor{text: text}
	c.space()
	return c, nil
}

// Peek is the byte that the cursor stands on.
func (c *Cursor) Peek() byte { return c.text[c.at] }

// Enter steps over the opening of a list or an object, or over a colon.
func (c *Cursor) Enter() {
	c.at++
	c.space()
}

// Leave steps over the end of a list or an object.
func (c *Cursor) Leave() { c.at++ }

// Next goes on behind an item or a member, and its comma.
func (c *Cursor) Next() {
	c.space()
	if c.text[c.at] == ',' {
		c.Enter()
	}
}

// Name steps over a member's name and its colon. It gives the name with its quotes.
func (c *Cursor) Name() []byte {
	name := c.Text()
	c.space()
	c.Enter()
	return name
}

// Text steps over a text. It gives it with its quotes.
func (c *Cursor) Text() []byte {
	from := c.at
	for c.at++; c.text[c.at] != '"'; c.at++ {
		if c.text[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
	return c.text[from:c.at]
}

// Word steps over a number, true, false or null.
func (c *Cursor) Word() []byte {
	from := c.at
	for c.at < len(c.text) && !ends(c.text[c.at]) {
		c.at++
	}
	return c.text[from:c.at]
}

// ends reports whether a word ends before a byte.
func ends(b byte) bool {
	switch b {
	case ',', ']', '}', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}

func (c *Cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\r', '\n':
			c.at++
		default:
			return
		}
	}
}

// Unquote gives what a text with its quotes, as a cursor gives it, stands for.
func Unquote(quoted []byte) string {
	if !bytes.ContainsRune(quoted, '\\') {
		return string(quoted[1 : len(quoted)-1])
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // it is known to be valid
	return text
}
