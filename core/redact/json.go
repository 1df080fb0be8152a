package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// JSON is [Objects.Object] for an object that is still JSON text, and leaves the text as
// the device wrote it: the order of the members, the digits of numbers, the escapes.
// White space between tokens goes. fields are the members to keep, all where there are
// none. The result shares nothing with the text.
//
// It refuses what [canon.DecodeLoose] refuses, and what is not an object.
func (o *Objects) JSON(text []byte, fields []string) (*Masked, error) {
	c, err := canon.NewCursor(text)
	if err != nil {
		return nil, err
	}
	if c.Peek() != '{' {
		return nil, errors.New("redact: not an object")
	}
	w := &rewriter{Cursor: c, out: make([]byte, 0, len(text)), name: SecretName}
	if err := w.object(o, fields, false); err != nil {
		return nil, err
	}
	slices.Sort(w.pointers)
	return &Masked{Text: w.out, Pointers: slices.Compact(w.pointers), Names: w.seen[0]}, nil
}

// Masked is an object as JSON text without its secrets.
type Masked struct {
	Text []byte
	// Pointers are the places that were masked, each once; "*" stands for the place in
	// a list.
	Pointers []string
	// Names are the members that the object had, also those that were not kept.
	Names map[string]bool
}

// rewriter copies JSON text and masks what [masker] masks in the value of that text.
type rewriter struct {
	*canon.Cursor
	out []byte
	// path leads to the value at hand.
	path     []string
	pointers []string
	// seen are the names of the objects around it, one set a level.
	seen []map[string]bool
	name func(string) bool
}

// object copies the members that fields names. below masks all their texts and numbers.
func (w *rewriter) object(known *Objects, fields []string, below bool) error {
	level, err := w.enter('{')
	if err != nil {
		return err
	}
	for ; w.Peek() != '}'; w.Next() {
		before, masked := len(w.out), len(w.pointers)
		if w.out[before-1] != '{' {
			w.out = append(w.out, ',')
		}
		name, err := w.memberName(known, w.seen[level])
		if err != nil {
			return err
		}
		w.path = append(w.path, name)
		if err := w.member(name, known, below); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
		if len(fields) > 0 && !slices.Contains(fields, name) {
			w.out, w.pointers = w.out[:before], w.pointers[:masked]
		}
	}
	w.leave()
	return nil
}

// enter copies the opening of an object or a list.
func (w *rewriter) enter(opening byte) (level int, err error) {
	level = len(w.path)
	if level >= canon.MaxDepth {
		return 0, canon.ErrTooDeep
	}
	if level == len(w.seen) {
		w.seen = append(w.seen, map[string]bool{})
	}
	clear(w.seen[level])
	w.out = append(w.out, opening)
	w.Enter()
	return level, nil
}

// leave copies the end of an object or a list.
func (w *rewriter) leave() {
	w.out = append(w.out, w.Peek())
	w.Leave()
}

// memberName copies a member's name and the colon.
func (w *rewriter) memberName(known *Objects, seen map[string]bool) (string, error) {
	raw := w.Name()
	w.out = append(append(w.out, raw...), ':')
	name := ""
	if a := attribute(known, raw[1:len(raw)-1]); a != nil {
		name = a.Name
	} else {
		name = canon.Unquote(raw)
	}
	if seen[name] {
		return "", canon.TwiceError(name)
	}
	seen[name] = true
	return name, nil
}

func (w *rewriter) member(name string, known *Objects, below bool) error {
	a := attribute(known, name)
	switch {
	case below:
		return w.value(nil, true)
	case a != nil && a.Secret, known != nil && known.keyed && name == originKey:
		return w.secret()
	case a != nil && len(a.Attributes) == 0:
		return w.value(nil, false)
	case a != nil:
		return w.value(known.in(a), false)
	}
	return w.value(nil, w.name(name))
}

func (w *rewriter) value(known *Objects, below bool) error {
	switch w.Peek() {
	case '{':
		return w.object(known, nil, below)
	case '[':
		return w.list(known, below)
	case '"':
		w.string(below)
	default:
		w.literal(below)
	}
	return nil
}

func (w *rewriter) list(known *Objects, below bool) error {
	if _, err := w.enter('['); err != nil {
		return err
	}
	w.path = append(w.path, "*")
	for ; w.Peek() != ']'; w.Next() {
		if w.out[len(w.out)-1] != '[' {
			w.out = append(w.out, ',')
		}
		if err := w.value(known, below); err != nil {
			return err
		}
	}
	w.path = w.path[:len(w.path)-1]
	w.leave()
	return nil
}

func (w *rewriter) string(below bool) {
	raw := w.Text()
	inner := raw[1 : len(raw)-1]
	switch {
	case below && len(inner) > 0:
		w.mask(Mask)
	case !bytes.ContainsRune(inner, '\\') && !hasForm(inner):
		w.out = append(w.out, raw...)
	default:
		masked, found := maskText(canon.Unquote(raw))
		if !found {
			w.out = append(w.out, raw...)
			return
		}
		w.mask(masked)
	}
}

// literal copies a number, true, false or null.
func (w *rewriter) literal(below bool) {
	token := w.Word()
	if below && (token[0] == '-' || token[0] >= '0' && token[0] <= '9') {
		w.mask(Mask)
		return
	}
	w.out = append(w.out, token...)
}

// secret masks a value whole, whatever its shape, unless it is unset.
func (w *rewriter) secret() error {
	before, masked := len(w.out), len(w.pointers)
	if err := w.value(nil, false); err != nil { // within a secret too, no key stands twice
		return err
	}
	value := string(w.out[before:])
	w.out, w.pointers = w.out[:before], w.pointers[:masked]
	if value == `""` || value == "null" {
		w.out = append(w.out, value...)
		return nil
	}
	w.mask(Mask)
	return nil
}

// mask writes a text in the place of the value at hand and notes the place.
func (w *rewriter) mask(text string) {
	w.out = append(w.out, quoted(text)...)
	var pointer strings.Builder
	for _, token := range w.path {
		pointer.WriteString(fault.Pointer(token))
	}
	w.pointers = append(w.pointers, pointer.String())
}

func quoted(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
