package fortios

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Request is one request, as it will stand on the wire.
type Request struct {
	// Method is GET, POST, PUT or DELETE.
	Method string
	// Path is the percent-encoded path and is sent byte for byte. A path with an
	// empty, a dot or an unprintable segment is refused, and so is a DELETE in
	// /api/v2/cmdb that names no key.
	Path string
	// Query holds names and values as plain text, sent in this order: every byte
	// but letters, digits and - _ . ~ is percent-encoded, a blank as %20. The
	// names plain-text-password and access_token are refused in every spelling.
	Query [][2]string
	// Body is JSON for POST and PUT; nil for none.
	Body []byte
	// Fresh asks for a new connection, whatever is kept.
	Fresh bool
}

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}

func (r Request) check() error {
	if !slices.Contains(methods, r.Method) {
		return invalid("method %q is none of %s", clean(r.Method, 20), strings.Join(methods, ", "))
	}
	if len(r.Body) > 0 && r.Method != http.MethodPost && r.Method != http.MethodPut {
		return invalid("a %s has no body", r.Method)
	}
	for _, pair := range r.Query {
		if err := checkName(pair[0]); err != nil {
			return err
		}
	}
	return checkPath(r.Method, r.Path)
}

// checkName refuses the parameters that put a secret on the wire or into logs.
func checkName(name string) error {
	switch strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-") {
	case "":
		return invalid("a query parameter without a name")
	case "plain-text-password":
		return invalid("plain-text-password makes the device return secrets in clear and is never sent")
	case "access-token":
		return invalid("the token is never sent in a URL, where it would end up in logs")
	}
	return nil
}

func (r Request) query() string {
	pairs := make([]string, len(r.Query))
	for i, pair := range r.Query {
		pairs[i] = escape(pair[0]) + "=" + escape(pair[1])
	}
	return strings.Join(pairs, "&")
}

// encode writes the whole request into memory, so that it goes to TLS in one
// piece and nothing can rewind or resend it. GetBody stays nil.
func (c *Client) encode(r Request, token string) (*http.Request, []byte, error) {
	req := &http.Request{
		Method: r.Method,
		URL:    &url.URL{Scheme: "https", Host: c.authority, Opaque: r.Path, RawQuery: r.query()},
		Host:   c.authority,
		Header: http.Header{
			"Accept": {"application/json"},
			// One release labels a plain body as gzip unless told otherwise.
			"Accept-Encoding": {"identity"},
			"Authorization":   {"Bearer " + token},
			"User-Agent":      {c.userAgent},
		},
	}
	if len(r.Body) > 0 {
		req.Header.Set("Content-Type", "application/json")
		req.Body = io.NopCloser(bytes.NewReader(r.Body))
		req.ContentLength = int64(len(r.Body))
	}
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		return nil, nil, err
	}
	return req, wire.Bytes(), nil
}
