package change

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/compare"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// Checker checks values against a resource's attributes and brings them into the
// form in which FortiOS takes them. It collects problems, and notes of what was
// assumed; both carry JSON pointers.
type Checker struct {
	Problems fault.Problems
	Notes    []string
	// Unknown explains an attribute that this release does not have, such as
	// "exists in 7.6.1 and later"; it may return "".
	Unknown func(resource *schema.Resource, path string) string
	// KeyOf gives the key of an earlier operation's object, for {"$key_of": n}.
	KeyOf func(op int) (operation.Key, bool)
}

const keyOfMember = "$key_of"

// Problem reports a failure of the request at a place of it.
func (c *Checker) Problem(at, format string, args ...any) {
	c.Problems.Add(at, fmt.Sprintf(format, args...))
}

// Note reports what was assumed at a place of the request. It may quote other
// people's words, which are escaped, and is bounded.
func (c *Checker) Note(at, format string, args ...any) {
	c.Notes = append(c.Notes, redact.Line(at+": "+fmt.Sprintf(format, args...), 1000))
}

// Object checks an object's members. Members with a problem are left out of the
// result.
func (c *Checker) Object(r *schema.Resource, object map[string]any, at string) map[string]any {
	return c.object(r, r.Attributes, "", object, at)
}

func (c *Checker) object(r *schema.Resource, attrs []schema.Attribute, under string, object map[string]any, at string) map[string]any {
	result := map[string]any{}
	for _, name := range canon.Keys(object) {
		here := at + fault.Pointer(name)
		a := find(attrs, name)
		if a == nil {
			c.Problem(here, "%s", c.unknown(r, attrs, under+name))
			continue
		}
		if a.ReadOnly {
			c.Problem(here, "is read-only on the device")
			continue
		}
		before := len(c.Problems)
		v := c.value(r, a, under+name+"/", object[name], here)
		if len(c.Problems) == before {
			result[name] = v
		}
	}
	return result
}

// Attribute finds an attribute of a resource by name. One that is not there is a
// problem at the place that names it.
func (c *Checker) Attribute(r *schema.Resource, name, at string) (a *schema.Attribute, known bool) {
	if a = find(r.Attributes, name); a == nil {
		c.Problem(at, "%s", c.unknown(r, r.Attributes, name))
	}
	return a, a != nil
}

func find(attrs []schema.Attribute, name string) *schema.Attribute {
	i := slices.IndexFunc(attrs, func(a schema.Attribute) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &attrs[i]
}

func (c *Checker) unknown(r *schema.Resource, attrs []schema.Attribute, path string) string {
	text := fmt.Sprintf("%s has no attribute %q", r.Path, path)
	if c.Unknown != nil {
		if why := c.Unknown(r, path); why != "" {
			return text + " here: it " + why
		}
	}
	name := path[strings.LastIndex(path, "/")+1:]
	names := make([]string, 0, len(attrs))
	for _, a := range attrs {
		names = append(names, a.Name)
	}
	if near := Nearest(name, names); near != "" {
		return text + fmt.Sprintf("; did you mean %q?", near)
	}
	return text + "; forti_discover with what=resource lists them"
}

func (c *Checker) value(r *schema.Resource, a *schema.Attribute, under string, v any, at string) any {
	if object, ok := v.(map[string]any); ok {
		if index, is := keyOf(object); is {
			if v, ok = c.created(index, at); !ok {
				return nil
			}
		} else if named, is := c.named(a, object, at); is {
			return named
		}
	}
	if v == nil {
		c.Problem(at, "must not be null; to return an attribute to its default use clear")
		return nil
	}
	if a.Uncertain {
		c.Note(at, "the catalog does not know whether this release has %s (%s); the device decides", a.Name, a.Releases)
	}
	if a.Secret && compare.LooksMasked(v) {
		c.Problem(at, "looks like a masked secret, which is never sent; give the real value or leave the attribute out")
		return nil
	}
	switch {
	case a.IsTable():
		return c.table(r, a, under, v, at)
	case a.Type == "complex":
		object, ok := v.(map[string]any)
		if !ok {
			c.Problem(at, "must be an object")
			return nil
		}
		return c.object(r, a.Attributes, under, object, at)
	case a.Multi:
		return c.words(a, v, at)
	case a.Type == "integer":
		return c.integer(a, v, at)
	case a.Type == "option":
		return c.option(a, v, at)
	}
	return c.text(a, v, at)
}

// keyOf reads {"$key_of": n}.
func keyOf(object map[string]any) (index any, is bool) {
	index, is = object[keyOfMember]
	return index, is && len(object) == 1
}

// created is the key of an earlier operation's object; it is checked as any other
// value in its place.
func (c *Checker) created(index any, at string) (key any, ok bool) {
	if n, whole := index.(int64); whole && c.KeyOf != nil {
		if k, known := c.KeyOf(int(n)); known {
			return k.Value(), true
		}
	}
	c.Problem(at, "%s must name an earlier create of this request", keyOfMember)
	return nil, false
}

// named lets {"$secret": {"name": N}} through on secret attributes.
func (c *Checker) named(a *schema.Attribute, object map[string]any, at string) (v any, is bool) {
	secret, is := object[plan.SecretKey]
	if !is || len(object) != 1 {
		return nil, false
	}
	inner, isObject := secret.(map[string]any)
	name, isText := inner["name"].(string)
	switch {
	case !a.Secret:
		c.Problem(at, "%s is accepted on secret attributes only", plan.SecretKey)
	case !isObject || !isText || len(inner) != 1:
		c.Problem(at, `a named secret is {"$secret": {"name": "NAME"}}`)
	}
	return map[string]any{plan.SecretKey: map[string]any{"name": name}}, true
}

func (c *Checker) integer(a *schema.Attribute, v any, at string) any {
	n, ok := v.(int64)
	if text, isText := v.(string); isText {
		if word, known := a.Default.(string); known && text == word {
			return text
		}
		if parsed, err := strconv.ParseInt(text, 10, 64); err == nil {
			c.Note(at, "%q was taken as the number %d", text, parsed)
			n, ok = parsed, true
		}
	}
	switch {
	case !ok:
		c.Problem(at, "must be an integer")
	case a.Min != nil && n < *a.Min, a.Max != nil && n > *a.Max:
		c.Problem(at, "must be %s", rangeText(a))
	}
	return n
}

func rangeText(a *schema.Attribute) string {
	switch {
	case a.Min != nil && a.Max != nil:
		return fmt.Sprintf("from %d to %d", *a.Min, *a.Max)
	case a.Min != nil:
		return fmt.Sprintf("at least %d", *a.Min)
	}
	return fmt.Sprintf("at most %d", *a.Max)
}

func (c *Checker) option(a *schema.Attribute, v any, at string) any {
	text, ok := v.(string)
	if !ok {
		if b, isBool := v.(bool); isBool && c.allowed(a, "enable") && c.allowed(a, "disable") {
			text = map[bool]string{true: "enable", false: "disable"}[b]
			c.Note(at, "%t was taken as %q", b, text)
			return text
		}
		c.Problem(at, "must be one of %s", optionList(a))
		return nil
	}
	if word := spelled(a, text); word != text {
		c.Note(at, "%q was taken as %q", text, word)
		text = word
	}
	if !c.allowed(a, text) {
		c.Problem(at, "%q is not one of %s", text, optionList(a))
	}
	c.doubt(a, text, at)
	return text
}

// doubt notes an option of which it is not known whether the release has it.
func (c *Checker) doubt(a *schema.Attribute, text, at string) {
	for _, o := range a.Options {
		if o.Value == text && o.Uncertain {
			c.Note(at, "the catalog does not know whether this release has the option %q (%s); the device decides", text, o.Releases)
		}
	}
}

func (c *Checker) allowed(a *schema.Attribute, text string) bool {
	return len(a.Options) == 0 || offers(a, text)
}

func optionList(a *schema.Attribute) string {
	names := make([]string, 0, len(a.Options))
	for _, o := range a.Options {
		names = append(names, strconv.Quote(o.Value))
	}
	if len(names) > 24 {
		names = append(names[:24], fmt.Sprintf("… %d more", len(a.Options)-24))
	}
	return strings.Join(names, ", ")
}

// words are several values in one text, with spaces between.
func (c *Checker) words(a *schema.Attribute, v any, at string) any {
	var list []string
	switch x := v.(type) {
	case string:
		list = strings.Fields(x)
	case []any:
		for i, item := range x {
			word, ok := item.(string)
			if !ok || strings.ContainsAny(word, " \t") {
				c.Problem(at+fault.Pointer(i), "must be one word")
				continue
			}
			list = append(list, word)
		}
		c.Note(at, "the list was written as words with spaces between, as FortiOS takes it")
	default:
		c.Problem(at, "must be a text of words with spaces between")
		return nil
	}
	for i, given := range list {
		word := given
		if a.Type == "option" {
			word = spelled(a, given)
		}
		if list[i] = word; word != given {
			c.Note(at, "%q was taken as %q", given, word)
		}
		if a.Type == "option" && !c.allowed(a, word) {
			c.Problem(at, "%q is not one of %s", word, optionList(a))
		}
	}
	return strings.Join(list, " ")
}

func (c *Checker) text(a *schema.Attribute, v any, at string) any {
	text, ok := v.(string)
	if !ok {
		if n, isInt := v.(int64); isInt && !a.Secret {
			text = strconv.FormatInt(n, 10)
			c.Note(at, "the number %d was taken as text", n)
		} else {
			c.Problem(at, "must be a string")
			return nil
		}
	}
	if a.Size > 0 && len(text) > a.Size {
		c.Problem(at, "is %d bytes long, at most %d are allowed", len(text), a.Size)
		return nil
	}
	if strings.HasPrefix(a.Type, "ipv4-") && text != "" {
		return c.ipv4(a, text, at)
	}
	if forms[a.Type] != "" && text != "" {
		return c.formed(a, text, at)
	}
	if !c.promised(a, text, at) {
		return nil
	}
	return text
}
