package engine

import (
	"fmt"
	"strings"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// operators are those of FortiOS filters, longer ones first.
var operators = [...]string{"==", "!=", "=@", "!@", "<=", ">=", "<", ">"}

// parseFilter reads one filter text; its alternatives, with commas between, are
// ORed. Secret attributes are refused: a filter would let a caller guess a secret
// bit by bit. The notes say what was assumed.
func parseFilter(r *schema.Resource, text string) (clause port.Clause, notes []string, problem string) {
	for part := range strings.SplitSeq(text, ",") {
		c, note, problem := parseCondition(r, part)
		if problem != "" {
			return nil, nil, problem
		}
		if note != "" {
			notes = append(notes, note)
		}
		clause = append(clause, c)
	}
	return clause, notes, ""
}

func parseCondition(r *schema.Resource, text string) (c port.Condition, note, problem string) {
	at, operator := len(text), ""
	for _, o := range operators {
		if i := strings.Index(text, o); i >= 0 && (i < at || (i == at && len(o) > len(operator))) {
			at, operator = i, o
		}
	}
	if operator == "" {
		return c, "", fmt.Sprintf("%q has no operator; use one of %s, as in name=@lan", text, strings.Join(operators[:], " "))
	}
	given, value := strings.TrimSpace(text[:at]), text[at+len(operator):]
	if strings.HasSuffix(text[:at], " ") {
		value = strings.TrimLeft(value, " ") // written with spaces around the operator
	}
	path, a := attributeAt(r.Attributes, given)
	switch {
	case a == nil:
		return c, "", unknownField(r, given)
	case a.HoldsSecret():
		return c, "", fmt.Sprintf("%q is secret; it cannot be filtered on", given)
	}
	sought := sought{a, given, operator, value}
	if problem = sought.problem(); problem != "" {
		return c, "", problem
	}
	value, note = sought.written()
	return port.Condition{Attribute: path, Operator: operator, Value: value}, note, ""
}

// attributeAt finds an attribute by its name, or in nested rows by the names on the way
// with dots or slashes between. A few names have a dot themselves ("http-0.9"), so that
// the catalog decides where a name ends. The path has slashes between its names.
func attributeAt(attributes []schema.Attribute, text string) (path string, a *schema.Attribute) {
	for i := range attributes {
		name := attributes[i].Name
		if name == text {
			return name, &attributes[i]
		}
		if rest, below := inRows(&attributes[i], text); below {
			if path, a = attributeAt(attributes[i].Attributes, rest); a != nil {
				return name + "/" + path, a
			}
		}
	}
	return "", nil
}

// inRows gives what follows the name of an attribute that has rows, behind a dot or a
// slash.
func inRows(a *schema.Attribute, text string) (rest string, below bool) {
	rest, below = strings.CutPrefix(text, a.Name)
	if !below || len(a.Attributes) == 0 || rest == "" || !strings.ContainsAny(rest[:1], "./") {
		return "", false
	}
	return rest[1:], true
}
