package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/schema"
)

// operators are those of FortiOS filters, longer ones first.
var operators = [...]string{"==", "!=", "=@", "!@", "<=", ">=", "<", ">"}

// parseFilter reads one filter text; its alternatives, with commas between, are
// ORed. Secret attributes are refused: a filter would let a caller guess a secret
// bit by bit.
func parseFilter(r *schema.Resource, text string) (port.Clause, string) {
	var clause port.Clause
	for part := range strings.SplitSeq(text, ",") {
		c, problem := parseCondition(r, part)
		if problem != "" {
			return nil, problem
		}
		clause = append(clause, c)
	}
	return clause, ""
}

func parseCondition(r *schema.Resource, text string) (port.Condition, string) {
	at, operator := len(text), ""
	for _, o := range operators {
		if i := strings.Index(text, o); i >= 0 && (i < at || (i == at && len(o) > len(operator))) {
			at, operator = i, o
		}
	}
	if operator == "" {
		return port.Condition{}, fmt.Sprintf("%q has no operator; use one of %s, as in name=@lan", text, strings.Join(operators[:], " "))
	}
	c := port.Condition{Attribute: strings.TrimSpace(text[:at]), Operator: operator, Value: text[at+len(operator):]}
	a, ok := r.Find(strings.ReplaceAll(c.Attribute, ".", "/"))
	switch {
	case !ok:
		return c, unknownField(r, c.Attribute)
	case a.HoldsSecret():
		return c, fmt.Sprintf("%q is secret; it cannot be filtered on", c.Attribute)
	}
	return c, checkOption(a, c)
}

func checkOption(a *schema.Attribute, c port.Condition) string {
	if len(a.Options) == 0 || (c.Operator != "==" && c.Operator != "!=") {
		return ""
	}
	if slices.ContainsFunc(a.Options, func(o schema.Option) bool { return o.Value == c.Value }) {
		return ""
	}
	return fmt.Sprintf("%q is not a value of %s; it takes %s", c.Value, c.Attribute, optionNames(a))
}
