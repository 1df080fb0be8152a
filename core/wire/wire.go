// Package wire builds the exact requests of the FortiOS REST API: method, path,
// query and body. Nothing else in the product writes a path.
//
// Every segment is escaped on its own and the finished path is taken apart again
// and compared, so that a key can never address another object, its table, or a
// table's parent. A change to a table row without a key cannot be built.
package wire

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/operation"
)

// Prefix is the root of the API.
const Prefix = "/api/v2/"

// Request is one request, exactly as it will be sent. Path is escaped already.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	// Query is in order; names and values are not escaped yet.
	Query []Pair `json:"query"`
	// Body is a canonical object, or nil for none.
	Body map[string]any `json:"body"`
}

// Pair is one query parameter.
type Pair struct{ Name, Value string }

// MarshalJSON writes a pair as ["name","value"].
func (p Pair) MarshalJSON() ([]byte, error) { return canon.Encode([]any{p.Name, p.Value}) }

// UnmarshalJSON reads ["name","value"].
func (p *Pair) UnmarshalJSON(data []byte) error {
	var two []string
	if err := json.Unmarshal(data, &two); err != nil || len(two) != 2 {
		return fmt.Errorf("a query parameter is a list of its name and its value")
	}
	p.Name, p.Value = two[0], two[1]
	return nil
}

// Encode is the canonical encoding of the request.
func (r Request) Encode() ([]byte, error) { return canon.Marshal(r) }

// Digest is the hash of the request, used by the journal and the audit log.
func (r Request) Digest() (canon.Digest, error) {
	data, err := r.Encode()
	if err != nil {
		return canon.Digest{}, err
	}
	return canon.Sum(data), nil
}

// Payload is the body as it is sent: canonical JSON, or nil for none.
func (r Request) Payload() ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return canon.Encode(r.Body)
}

// RawQuery is the query as it is sent.
func (r Request) RawQuery() string {
	parts := make([]string, 0, len(r.Query))
	for _, p := range r.Query {
		parts = append(parts, escape(p.Name)+"="+escape(p.Value))
	}
	return strings.Join(parts, "&")
}

// Create builds POST /cmdb/<resource> with the object as its body.
func Create(resource, vdom string, object map[string]any) (Request, error) {
	path, err := table(resource)
	return build("POST", path, vdom, object, err)
}

// Update builds PUT /cmdb/<resource>/<key> with the touched attributes only.
func Update(resource, vdom string, key operation.Key, touched map[string]any) (Request, error) {
	path, err := row(resource, key)
	return build("PUT", path, vdom, touched, err)
}

// UpdateSingleton builds PUT /cmdb/<resource> for a resource without a key. The
// caller guarantees that the resource is a singleton.
func UpdateSingleton(resource, vdom string, touched map[string]any) (Request, error) {
	path, err := table(resource)
	return build("PUT", path, vdom, touched, err)
}

// Delete builds DELETE /cmdb/<resource>/<key>.
func Delete(resource, vdom string, key operation.Key) (Request, error) {
	path, err := row(resource, key)
	return build("DELETE", path, vdom, nil, err)
}

// Move builds PUT /cmdb/<resource>/<key>?action=move with before or after.
func Move(resource, vdom string, key operation.Key, to operation.Position) (Request, error) {
	if err := to.Anchor.Check(); err != nil {
		return Request{}, fmt.Errorf("position: %w", err)
	}
	path, err := row(resource, key)
	return build("PUT", path, vdom, nil, err, Pair{"action", "move"}, Pair{to.Where(), to.Anchor.String()})
}

// Action builds POST /monitor/<path>; resource begins with "monitor/".
func Action(resource, vdom string, params map[string]any) (Request, error) {
	if !strings.HasPrefix(resource, "monitor/") {
		return Request{}, fmt.Errorf("%q is not a monitor endpoint", resource)
	}
	path, err := join(strings.Split(resource, "/"))
	if params == nil {
		params = map[string]any{}
	}
	return build("POST", path, vdom, params, err)
}

// build puts a request together, or gives none at all.
func build(method, path, vdom string, body map[string]any, err error, more ...Pair) (Request, error) {
	if err != nil {
		return Request{}, err
	}
	query := []Pair{}
	if vdom != "" {
		if !IsVDOM(vdom) {
			return Request{}, fmt.Errorf("%q is not the name of one VDOM", vdom)
		}
		query = append(query, Pair{"vdom", vdom})
	}
	return Request{Method: method, Path: path, Query: append(query, more...), Body: body}, nil
}

// IsVDOM reports whether a text names one VDOM.
func IsVDOM(text string) bool { return vdomName().MatchString(text) }

// vdomName keeps out "*" and lists, with which one write would reach many VDOMs.
var vdomName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9._-]{1,31}$`) })

func table(resource string) (string, error) {
	segments, err := cmdb(resource)
	if err != nil {
		return "", err
	}
	return join(segments)
}

func row(resource string, key operation.Key) (string, error) {
	if err := key.Check(); err != nil {
		return "", err
	}
	segments, err := cmdb(resource)
	if err != nil {
		return "", err
	}
	return join(append(segments, key.String()))
}

// cmdb is where a configuration resource lies. All of them have two segments; a
// shorter one could reach a table through what was meant as the key of a row,
// and a longer one a row through what was meant as a table.
func cmdb(resource string) ([]string, error) {
	segments := strings.Split(resource, "/")
	if len(segments) != 2 || segments[0] == "monitor" {
		return nil, fmt.Errorf("%q is not a configuration resource", resource)
	}
	return append([]string{"cmdb"}, segments...), nil
}

// join escapes the segments, joins them and proves that the path, taken apart
// again, has exactly these segments.
func join(segments []string) (string, error) {
	escaped := make([]string, len(segments))
	for i, s := range segments {
		if s == "" || s == "." || s == ".." {
			return "", fmt.Errorf("path segment %q is not allowed", s)
		}
		escaped[i] = escape(s)
	}
	path := Prefix + strings.Join(escaped, "/")
	back, err := Segments(path)
	if err != nil {
		return "", err
	}
	if len(back) != len(segments) {
		return "", fmt.Errorf("path %q does not have %d segments", path, len(segments))
	}
	for i := range back {
		if back[i] != segments[i] {
			return "", fmt.Errorf("path %q does not mean what was asked", path)
		}
	}
	return path, nil
}

// Segments takes an API path apart into its decoded segments after the prefix.
func Segments(path string) ([]string, error) {
	rest, ok := strings.CutPrefix(path, Prefix)
	if !ok {
		return nil, fmt.Errorf("path %q does not begin with %s", path, Prefix)
	}
	segments := strings.Split(rest, "/")
	for i, s := range segments {
		v, err := url.PathUnescape(s)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", path, err)
		}
		segments[i] = v
	}
	return segments, nil
}

// escape percent-encodes every byte that is not unreserved (RFC 3986), so that
// the result means the same in a path and in a query.
func escape(s string) string {
	const hexDigits = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~", c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}
