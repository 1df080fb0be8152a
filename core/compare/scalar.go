package compare

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

// textTypes are the types besides addresses whose values are texts or numbers.
var textTypes = map[string]bool{"string": true, "var-string": true, "user": true, "integer": true, "option": true}

// same compares two values of one attribute in their normal form; values that
// have none compare exactly.
func same(a *schema.Attribute, want, got any) bool {
	w, ok := normal(a, want)
	g, also := normal(a, got)
	if !ok || !also {
		return exact(want, got)
	}
	return slices.Equal(w, g)
}

// normal is the normal form of a scalar value of an attribute: its words. Words
// are in order, except for sets of options. ok is false for values that are not
// scalars or lists of scalars, and for types that are not known.
func normal(a *schema.Attribute, v any) (words []string, ok bool) {
	if _, isAddress := addressForms[a.Type]; !isAddress && !textTypes[a.Type] {
		return nil, false
	}
	if !a.Multi && a.Type != "user" {
		text, ok := scalarText(v)
		return []string{normalWord(a, text)}, ok
	}
	if text, isText := v.(string); isText && !a.Multi {
		v = unquoted(text)
	}
	if words, ok = wordsOf(v); !ok {
		return nil, false
	}
	for i := range words {
		words[i] = normalWord(a, words[i])
	}
	if a.Type == "option" {
		slices.Sort(words)
		words = slices.Compact(words)
	}
	return words, true
}

// normalWord is the normal form of one text by the attribute's type.
func normalWord(a *schema.Attribute, text string) string {
	if form, known := addressForms[a.Type]; known {
		if n, ok := form(text); ok {
			return n
		}
		return text
	}
	switch a.Type {
	case "integer":
		return integerText(a, text)
	case "option":
		if !a.Multi && isDigits(text) {
			return decimal(text)
		}
	case "string":
		if isDomainName(a.Name) {
			return strings.ToLower(text)
		}
	}
	return text
}

// integerText: an unset integer may read as "", which means its default.
func integerText(a *schema.Attribute, text string) string {
	text = strings.TrimSpace(text)
	if text == "" && a.Default != nil {
		text, _ = scalarText(a.Default)
	}
	return decimal(text)
}

// isIndex: a number where the options have names.
func isIndex(a *schema.Attribute, v any) bool {
	text, ok := scalarText(v)
	if !ok || !isDigits(text) || len(a.Options) == 0 {
		return false
	}
	return !slices.ContainsFunc(a.Options, func(o schema.Option) bool {
		return isDigits(o.Value) && decimal(o.Value) == decimal(text)
	})
}

// isDomainName: the device may change the case of domain names.
func isDomainName(name string) bool { return name == "fqdn" || strings.HasSuffix(name, "-fqdn") }

// scalarText is a text or number as text.
func scalarText(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case int64:
		return strconv.FormatInt(x, 10), true
	case int:
		return strconv.Itoa(x), true
	case canon.Number:
		return string(x), true
	case json.Number:
		return x.String(), true
	case map[string]any:
		if digits, ok := x[numberKey].(string); ok && len(x) == 1 {
			return digits, true
		}
	}
	return "", false
}

// wordsOf takes a scalar or a list of scalars apart into words.
func wordsOf(v any) ([]string, bool) {
	list, isList := v.([]any)
	if !isList {
		text, ok := scalarText(v)
		return splitWords(text), ok
	}
	words := make([]string, 0, len(list))
	for _, item := range list {
		text, ok := scalarText(item)
		if !ok {
			return nil, false
		}
		words = append(words, text)
	}
	return words, true
}

// splitWords splits at white space. A word in quotation marks keeps what is in
// it; the marks themselves do not count, since the device adds them.
func splitWords(text string) []string {
	var words []string
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return words
		}
		word, rest := firstWord(text)
		words = append(words, word)
		text = rest
	}
}

func firstWord(text string) (word, rest string) {
	if text[0] == '"' {
		if end := closingMark(text[1:]); end >= 0 {
			return strings.ReplaceAll(text[1:1+end], `\"`, `"`), text[end+2:]
		}
	}
	if end := strings.IndexAny(text, " \t\r\n"); end >= 0 {
		return text[:end], text[end:]
	}
	return text, ""
}

// unquoted takes quotation marks off that stand around a whole text, as the
// device puts them around certificates.
func unquoted(text string) string {
	trimmed := strings.TrimSpace(text)
	if len(trimmed) > 1 && trimmed[0] == '"' && closingMark(trimmed[1:]) == len(trimmed)-2 {
		return trimmed[1 : len(trimmed)-1]
	}
	return text
}

func closingMark(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// decimal is the shortest form of a plain decimal number; other texts, numbers
// with an exponent among them, stay as they are.
func decimal(text string) string {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if !isDigits(whole) || point && !isDigits(fraction) {
		return text
	}
	short := strings.TrimLeft(whole, "0")
	if short == "" {
		short = "0"
	}
	if fraction = strings.TrimRight(fraction, "0"); fraction != "" {
		short += "." + fraction
	}
	if negative && short != "0" {
		return "-" + short
	}
	return short
}
