package compare

import "strings"

// LooksMasked reports whether a value is what stands in the place of a secret:
// the device's encrypted form, the mask of this or another program, or a run of
// asterisks or dots. Such a value is never sent to a device, which would take it
// for the new secret.
func LooksMasked(v any) bool {
	text, ok := v.(string)
	if !ok {
		return false
	}
	text = strings.ToLower(strings.Trim(text, " \t\r\n\"'"))
	if strings.HasPrefix(text, "enc ") || text == "enc" {
		return true
	}
	if len([]rune(text)) > 1 && strings.Trim(text, "*•●") == "" {
		return true
	}
	inner := strings.Trim(text, "<>[](){}")
	return inner != text && maskWords[inner]
}

var maskWords = map[string]bool{
	"redacted": true, "masked": true, "hidden": true, "secret": true, "encrypted": true, "password": true,
}
