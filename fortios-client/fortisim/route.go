package fortisim

import (
	"net/url"
	"strings"
)

// address is what a request's path names.
type address struct {
	area     string // "cmdb", "monitor" or "log"
	segments []string
}

const apiPrefix = "/api/v2/"

// addressOf splits a path as the device's web server does: dot segments go
// first, then each segment is decoded, so "%2F" is part of a name. A trailing
// slash leaves an empty last segment.
func addressOf(u *url.URL) (address, bool) {
	rest, ok := strings.CutPrefix(u.EscapedPath(), apiPrefix)
	if !ok {
		return address{}, false
	}
	parts := strings.Split(rest, "/")
	a := address{area: parts[0]}
	for _, part := range parts[1:] {
		text, err := url.PathUnescape(part)
		if err != nil {
			return address{}, false
		}
		switch text {
		case ".":
			text = ""
		case "..":
			a.segments = a.segments[:max(0, len(a.segments)-1)]
			text = ""
		}
		a.segments = append(a.segments, text)
	}
	return a, a.area == "cmdb" || a.area == "monitor" || a.area == "log"
}

// configuration is what a cmdb path names: a table, a row, a child table of a
// row, or a row of that.
type configuration struct {
	path     string
	key      string // "" where there is none, or an empty one
	child    string
	childKey string
}

func (a address) configuration() (configuration, bool) {
	if len(a.segments) < 2 {
		return configuration{path: strings.Join(a.segments, "/")}, false
	}
	c := configuration{path: a.segments[0] + "/" + a.segments[1]}
	rest := a.segments[2:]
	for _, part := range []*string{&c.key, &c.child, &c.childKey} {
		if len(rest) > 0 {
			*part, rest = rest[0], rest[1:]
		}
	}
	// One empty segment is a trailing slash.
	return c, len(rest) == 0 || len(rest) == 1 && rest[0] == ""
}

// singleton shifts the segments: a singleton has no key.
func (c configuration) singleton() configuration {
	return configuration{path: c.path, child: c.key, childKey: c.child}
}
