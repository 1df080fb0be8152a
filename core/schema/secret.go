package schema

import "strings"

// NamesSecret finds a secret that a name can reach, at any depth and in any spelling, and
// gives its path, "" where there is none. The name may be dotted or a path; its last part
// counts. FortiOS looks for the name of a filter in nested rows too, takes no notice of
// case in places and writes some names with "_" in queries, so that a name is taken for
// the secret's wherever it can be.
func (r *Resource) NamesSecret(name string) string {
	last := name[strings.LastIndexAny(name, "./")+1:]
	path, _ := namedSecret(r.Attributes, fold(strings.TrimSpace(last)), "")
	return path
}

func namedSecret(attributes []Attribute, name, above string) (path string, found bool) {
	for i := range attributes {
		a := &attributes[i]
		if fold(a.Name) == name {
			if path, found = a.secretBelow(above); found {
				return path, true
			}
		}
		if path, found = namedSecret(a.Attributes, name, above+a.Name+"/"); found {
			return path, true
		}
	}
	return "", false
}

// secretBelow is the path of the attribute itself or of the first secret in it.
func (a *Attribute) secretBelow(above string) (path string, found bool) {
	if a.Secret {
		return above + a.Name, true
	}
	for i := range a.Attributes {
		if path, found = a.Attributes[i].secretBelow(above + a.Name + "/"); found {
			return path, true
		}
	}
	return "", false
}

// HoldsSecret reports whether the attribute or anything below it is secret.
func (a *Attribute) HoldsSecret() bool {
	_, found := a.secretBelow("")
	return found
}

// SecretSet reports whether a value that was read of the attribute has a secret in it.
// A secret that is not set reads as empty, and there is nothing of it to lose.
func (a *Attribute) SecretSet(v any) bool {
	switch value := v.(type) {
	case nil:
		return false
	case map[string]any:
		for i := range a.Attributes {
			if a.Attributes[i].SecretSet(value[a.Attributes[i].Name]) {
				return true
			}
		}
		return a.Secret && len(value) > 0
	case []any:
		for _, row := range value {
			if a.SecretSet(row) {
				return true
			}
		}
		return false
	}
	return a.Secret && v != ""
}

// fold is what spellings of one name have in common.
func fold(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }
