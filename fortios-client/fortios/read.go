package fortios

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// ReadOption changes how a read is made or judged.
type ReadOption int

const (
	// AnyVDOM accepts an answer from whatever VDOM: right for resources of the
	// global scope, which answer from the management VDOM.
	AnyVDOM ReadOption = iota + 1
	// Fresh makes the read on a new connection.
	Fresh
)

// Get reads a path such as CMDBPath makes; nothing is added to the query. Unless
// told AnyVDOM, an answer that names another VDOM than the query is an error of
// [KindMismatch]. The envelope is not nil also where FortiOS refused with an
// envelope: its serial number and VDOM say who refused.
func (c *Client) Get(ctx context.Context, path string, query [][2]string, opts ...ReadOption) (*Envelope, error) {
	envelopes, err := c.GetAll(ctx, path, query, opts...)
	switch {
	case len(envelopes) == 0:
		return nil, err
	case len(envelopes) > 1 && err == nil:
		err = &Error{Kind: KindMismatch, Op: "GET " + path, Message: "several VDOMs answered where one was asked: use GetAll for them"}
	}
	return &envelopes[0], err
}

// GetAll is Get for the queries that several VDOMs answer (vdom=*, or a list).
// The error is that of the first envelope that reports none.
func (c *Client) GetAll(ctx context.Context, path string, query [][2]string, opts ...ReadOption) ([]Envelope, error) {
	asked, err := askedVDOM(query)
	if err != nil {
		return nil, err
	}
	if slices.Contains(opts, AnyVDOM) {
		asked = nil
	}
	req := Request{Method: http.MethodGet, Path: path, Query: query, Fresh: slices.Contains(opts, Fresh)}
	return c.judge("GET "+clean(path, 300), c.Do(ctx, req), asked)
}

// judge turns the facts into envelopes and an error. Who answered comes before
// what was answered: "not found" in another VDOM says nothing.
func (c *Client) judge(op string, r Response, asked []string) ([]Envelope, error) {
	envelopes, fault := r.decode()
	if k := KindOf(asError(fault)); k == KindAuth || k == KindLockedOut || k == KindForbidden {
		return envelopes, c.named(op, fault) // refused at the door, wherever that stands
	}
	for i := range envelopes {
		if other := sameVDOM(&envelopes[i], asked); other != nil {
			fault = other
		}
	}
	return envelopes, c.named(op, asError(fault))
}

// named completes an error with its operation, and takes the token out of what
// the device says, should it ever repeat it.
func (c *Client) named(op string, err error) error {
	if err == nil {
		return nil
	}
	fault := *faultOf(err)
	fault.Op = op
	fault.CLIError = c.token.hide(fault.CLIError)
	return &fault
}

// askedVDOM is the list of VDOMs that may answer; nil means any.
func askedVDOM(query [][2]string) ([]string, error) {
	var asked []string
	wide := false
	for _, pair := range query {
		switch {
		case pair[0] == "vdom" && asked != nil:
			return nil, invalid("the query names vdom twice")
		case pair[0] == "vdom":
			asked = strings.Split(pair[1], ",")
		case pair[0] == "global", pair[0] == "scope" && pair[1] == "global":
			wide = true
		}
	}
	if wide || slices.Contains(asked, "*") {
		return nil, nil
	}
	return asked, nil
}

func sameVDOM(e *Envelope, asked []string) *Error {
	if e.VDOM == "" || len(asked) == 0 || slices.Contains(asked, e.VDOM) {
		return nil
	}
	return &Error{Kind: KindMismatch, Message: "the answer comes from VDOM " + clean(e.VDOM, 40) + " and not from " + strings.Join(asked, ",") + ", and is no data for what was asked"}
}

// withVDOM starts the query of a read in one VDOM.
func (c *Client) withVDOM(vdom string) ([][2]string, error) {
	if vdom == "" {
		vdom = c.vdom
	}
	if vdom == "" {
		return nil, nil
	}
	if !vdomName().MatchString(vdom) {
		return nil, invalid("%q is not the name of one VDOM (letters, digits, - and _)", clean(vdom, 40))
	}
	return [][2]string{{"vdom", vdom}}, nil
}

// Object reads one object of a table by its key. Results holds the object
// itself. No such object: [KindNotFound]; an object with another key than asked:
// [KindMismatch].
func (c *Client) Object(ctx context.Context, resource, key, vdom string, opts ...ReadOption) (*Envelope, error) {
	e, err := c.resource(ctx, vdom, nil, opts, resource, key)
	if err != nil {
		return e, err
	}
	object, fault := onlyRow(e.Results, key)
	if fault != nil {
		return e, c.named("GET "+resource, fault)
	}
	e.Results = object
	return e, nil
}

func onlyRow(results json.RawMessage, key string) (json.RawMessage, *Error) {
	var rows []json.RawMessage
	if json.Unmarshal(results, &rows) != nil || len(rows) > 1 {
		return nil, notFortiOS("the answer for one object is not a list of one: is the resource a table?")
	}
	if len(rows) == 0 {
		return nil, &Error{Kind: KindNotFound, Message: "the device knows no such object (an empty list)"}
	}
	origin, named, err := memberOf(rows[0], "q_origin_key")
	if err != nil {
		return nil, faultOf(jsonFault(err))
	}
	if got, ok := scalar(origin); named && ok && got != key {
		return nil, &Error{Kind: KindMismatch, Message: "the device answered with the object " + clean(got, 80) + ": spell the key as the device does"}
	}
	return rows[0], nil
}

// memberOf finds one member of an object.
func memberOf(object json.RawMessage, want string) (value json.RawMessage, found bool, err error) {
	dec := json.NewDecoder(bytes.NewReader(object))
	err = members(dec, func(name string) error {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if name == want {
			value, found = raw, true
		}
		return nil
	})
	return value, found, err
}

// Singleton reads a resource that is one object. Attributes that the token's
// admin profile may not read are absent, which looks like success.
func (c *Client) Singleton(ctx context.Context, resource, vdom string, opts ...ReadOption) (*Envelope, error) {
	e, err := c.resource(ctx, vdom, nil, opts, resource)
	if err == nil && firstByte(e.Results) != '{' {
		err = c.named("GET "+resource, notFortiOS("the answer is not one object: is the resource a singleton?"))
	}
	return e, err
}

// Schema reads the device's own description of a resource (action=schema): types,
// options and ranges in its release and model. It describes also attributes that
// the token may not read.
func (c *Client) Schema(ctx context.Context, resource, vdom string, opts ...ReadOption) (json.RawMessage, error) {
	e, err := c.resource(ctx, vdom, [][2]string{{"action", "schema"}}, opts, resource)
	if err != nil {
		return nil, err
	}
	if firstByte(e.Results) != '{' {
		return nil, c.named("GET "+resource, notFortiOS("the answer holds no schema: the release may not know action=schema"))
	}
	return e.Results, nil
}

func (c *Client) resource(ctx context.Context, vdom string, query [][2]string, opts []ReadOption, resource string, key ...string) (*Envelope, error) {
	path, err := CMDBPath(resource, key...)
	if err != nil {
		return nil, err
	}
	scope, err := c.withVDOM(vdom)
	if err != nil {
		return nil, err
	}
	return c.Get(ctx, path, append(scope, query...), opts...)
}

// Monitor reads a monitor endpoint such as "system/status". Config.VDOM is added
// where the query names no VDOM. Results may be of any type.
func (c *Client) Monitor(ctx context.Context, endpoint string, query [][2]string, opts ...ReadOption) (*Envelope, error) {
	path, err := MonitorPath(endpoint)
	if err != nil {
		return nil, err
	}
	names := func(pair [2]string) bool { return pair[0] == "vdom" || pair[0] == "global" }
	if !slices.ContainsFunc(query, names) {
		scope, err := c.withVDOM("")
		if err != nil {
			return nil, err
		}
		query = append(scope, query...)
	}
	return c.Get(ctx, path, query, opts...)
}
