package compare

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/schema"
)

// numberKey is the only member of an object that stands for a number which a
// canonical value cannot hold.
const numberKey = "$num"

// Image is the comparable image of an object of a resource: what stays the same
// from one reading to the next as long as nobody changes the configuration, and
// holds no secret. Left out, at every depth, are secret and read-only attributes,
// attributes that the resource does not have and whose name promises a secret,
// encrypted values, device state (uuid, indexes, UTC twins of dates) and members
// named q_*. Fractions and integers beyond 2^53-1 become {"$num": "digits"}.
// Nothing else is changed: a value in another spelling gives another image.
//
// The image shares nothing with the object. The image of nil is nil.
func Image(r *schema.Resource, object map[string]any) map[string]any {
	skip := map[string]bool{}
	if r.Path == "system/interface" {
		skip = interfaceState
	}
	return imageObject(r.Attributes, r.Key, skip, object)
}

// ImageDigest is the hash of an object's image. It fails for nil, which is no
// object, and for values that have no canonical form.
func ImageDigest(r *schema.Resource, object map[string]any) (canon.Digest, error) {
	if object == nil {
		return canon.Digest{}, errors.New("compare: no object, no image")
	}
	return canon.SumOf(Image(r, object))
}

func imageObject(attrs []schema.Attribute, key string, skip map[string]bool, object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	image := make(map[string]any, len(object))
	for name, v := range object {
		a := find(attrs, name)
		if skip[name] || isMetadata(name) || name != key && leftOut(a, name) || isEncrypted(v) {
			continue
		}
		image[name] = imageValue(a, v)
	}
	return image
}

func leftOut(a *schema.Attribute, name string) bool {
	switch {
	case isDeviceState(name):
		return true
	case a == nil:
		return redact.SecretName(name)
	}
	// A "key" is a listing for display, not configuration.
	return a.Secret || a.ReadOnly || a.Type == "uuid" || a.Type == "key"
}

func imageValue(a *schema.Attribute, v any) any {
	var attrs []schema.Attribute
	key := ""
	if a != nil {
		attrs, key = a.Attributes, a.Key
	}
	switch x := v.(type) {
	case map[string]any:
		return imageObject(attrs, key, nil, x)
	case []any:
		list := make([]any, 0, len(x))
		for _, item := range x {
			if !isEncrypted(item) {
				list = append(list, imageValue(a, item))
			}
		}
		return list
	case int:
		return int64(x)
	case canon.Number:
		return map[string]any{numberKey: string(x)}
	case json.Number:
		return imageNumber(x)
	}
	return v
}

func imageNumber(n json.Number) any {
	v, err := canon.DecodeLoose([]byte(n))
	if err != nil {
		return string(n)
	}
	return imageValue(nil, v)
}

// isEncrypted: FortiOS encrypts a secret anew each time it shows it, so such a
// value would make every image another one, and it is as good as the secret.
func isEncrypted(v any) bool {
	text, ok := v.(string)
	return ok && strings.HasPrefix(text, "ENC ")
}
