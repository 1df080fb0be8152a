package compare

import (
	"reflect"
	"slices"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

// deviceState are attributes that hold the device's state, not configuration.
var deviceState = map[string]bool{
	"uuid": true, "uuid-idx": true, "dirty": true, "devindex": true, "vindex": true, "snmp-index": true,
	"cli-conn-status": true, "ping-serv-status": true,
}

// interfaceState are such attributes of system/interface; elsewhere the same
// names are settings.
var interfaceState = map[string]bool{"internal": true, "external": true}

// isMetadata: members of the interface, not of the configuration.
func isMetadata(name string) bool { return strings.HasPrefix(name, "q_") }

func isDeviceState(name string) bool {
	return deviceState[name] || strings.HasSuffix(name, "-utc")
}

// changesByItself: the device chooses or respells these values. Reading the
// same value confirms it, reading another one says nothing.
func changesByItself(a *schema.Attribute) bool {
	return a.ReadOnly || a.Type == "uuid" || a.Type == "datetime" || isMetadata(a.Name) || isDeviceState(a.Name)
}

func isEmpty(v any) bool {
	switch x := v.(type) {
	case nil:
		return true
	case string:
		return x == ""
	case []any:
		return len(x) == 0
	case map[string]any:
		return len(x) == 0
	}
	return false
}

// isUnset: the attribute's default, or a way of writing "nothing".
func isUnset(a *schema.Attribute, v any) bool {
	switch {
	case isEmpty(v):
		return true
	case a.Default != nil:
		return same(a, a.Default, v)
	case a.Type == "integer":
		return same(a, int64(0), v)
	}
	_, isAddress := addressForms[a.Type]
	return isAddress && same(a, "", v)
}

func names(object map[string]any) []string { return canon.Keys(object) }

// exact compares canonical values, without members named q_*.
func exact(want, got any) bool {
	switch w := want.(type) {
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, exact)
	case map[string]any:
		if digits, isNumber := w[numberKey].(string); isNumber && len(w) == 1 {
			return digits == number(got)
		}
		g, ok := got.(map[string]any)
		return ok && exactObject(w, g)
	case canon.Number:
		return string(w) == number(got)
	case int:
		return exact(int64(w), got)
	}
	if g, isInt := got.(int); isInt {
		got = int64(g)
	}
	return reflect.DeepEqual(want, got)
}

// number is the digits of a number that is not canonical, or nil.
func number(v any) any {
	switch x := v.(type) {
	case canon.Number:
		return string(x)
	case map[string]any:
		if len(x) == 1 {
			return x[numberKey]
		}
	}
	return nil
}

func exactObject(want, got map[string]any) bool {
	for _, pair := range [2][2]map[string]any{{want, got}, {got, want}} {
		for name, v := range pair[0] {
			other, there := pair[1][name]
			if !isMetadata(name) && (!there || !exact(v, other)) {
				return false
			}
		}
	}
	return true
}
