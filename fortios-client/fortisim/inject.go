package fortisim

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Match says which requests a rule is about. Empty fields match everything.
type Match struct {
	// Method is GET, POST, PUT or DELETE.
	Method string
	// Path is a part of the escaped path after /api/v2/, such as
	// "cmdb/firewall/address": that path and everything below it. A "*" stands
	// for any text, slashes included; with one the whole path must fit.
	Path string
	// Query is a part of the raw query.
	Query string
	// Nth is the one matching request to act on, counted from 1; 0 is every one.
	Nth int
	// After is how many matching requests pass first.
	After int
	// Count is how many requests the rule acts on at most; 0 is no limit.
	Count int
}

// Rule is a fault and the requests that it befalls.
type Rule struct {
	Match Match
	Do    Fault
}

// Injection is a rule at work.
type Injection struct {
	rule  Rule
	owner *injections
	seen  int
	acted int
}

type injections struct {
	mu   sync.Mutex
	list []*Injection
}

// Inject puts a rule to work, before those injected earlier: of several that
// match, the newest acts. The error says what is missing in the rule.
func (d *Device) Inject(rule Rule) (*Injection, error) {
	if rule.Do == nil {
		return nil, errors.New("fortisim: a rule needs a fault in Do")
	}
	if rule.Match.Nth < 0 || rule.Match.After < 0 || rule.Match.Count < 0 {
		return nil, errors.New("fortisim: Nth, After and Count of a rule must not be negative")
	}
	in := &Injection{rule: rule, owner: &d.injections}
	d.injections.mu.Lock()
	defer d.injections.mu.Unlock()
	d.injections.list = slices.Insert(d.injections.list, 0, in)
	return in, nil
}

// Remove ends the rule. A request that it holds stays held.
func (in *Injection) Remove() {
	in.owner.mu.Lock()
	defer in.owner.mu.Unlock()
	in.owner.list = slices.DeleteFunc(in.owner.list, func(other *Injection) bool { return other == in })
}

// Acted is the number of requests that the rule acted on.
func (in *Injection) Acted() int {
	in.owner.mu.Lock()
	defer in.owner.mu.Unlock()
	return in.acted
}

// match is the fault that befalls a request, or nil.
func (i *injections) match(r *http.Request) Fault {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, in := range i.list {
		if !in.rule.Match.fits(r) {
			continue
		}
		in.seen++
		m := in.rule.Match
		if in.seen <= m.After || m.Nth > 0 && in.seen != m.Nth || m.Count > 0 && in.acted >= m.Count {
			continue
		}
		in.acted++
		return in.rule.Do
	}
	return nil
}

func (m Match) fits(r *http.Request) bool {
	path := strings.TrimPrefix(r.URL.EscapedPath(), apiPrefix)
	return (m.Method == "" || m.Method == r.Method) &&
		strings.Contains(r.URL.RawQuery, m.Query) &&
		pathFits(m.Path, path)
}

func pathFits(pattern, path string) bool {
	if !strings.Contains(pattern, "*") {
		pattern = strings.TrimSuffix(pattern, "/")
		return pattern == "" || path == pattern || strings.HasPrefix(path, pattern+"/")
	}
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if !ok || at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}
