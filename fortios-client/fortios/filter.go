package fortios

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	attributeName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([A-Za-z0-9_-]|\\\.)+(\.([A-Za-z0-9_-]|\\\.)+)*$`) })
	operators     = []string{"==", "!=", "=@", "!@", "<=", "<", ">=", ">", "=*", "!*"}
	filterEscapes = strings.NewReplacer(`\`, `\\`, `.`, `\.`)
)

// Filter writes one filter expression. In the value a dot and a backslash are
// escaped with a backslash; percent-encoding is left to Do. Dots in the name
// stay: they separate nested names; one that is part of a name is given as "\.". Several expressions in ListQuery.Filter must
// all hold; expressions joined with a comma are alternatives, and therefore a
// comma in a value is refused ([KindInvalid]).
//
// Case: == is sensitive in some releases and insensitive in others, =@ and !@
// are insensitive. A filter narrows a listing and never identifies an object.
func Filter(name, operator, value string) (string, error) {
	switch {
	case !attributeName().MatchString(name):
		return "", invalid("filter: %q is not the name of an attribute", clean(name, 80))
	case !slices.Contains(operators, operator):
		return "", invalid("filter: %q is none of the operators %s", clean(operator, 10), strings.Join(operators, " "))
	case strings.Contains(value, ","):
		return "", invalid("filter: a comma in a value cannot be expressed, it separates alternatives; filter for a part without it")
	}
	return name + operator + filterEscapes.Replace(value), nil
}
