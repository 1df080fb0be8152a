package catalog

import "encoding/json"

// Kind tells the three sorts of resource apart.
type Kind string

// The kinds. Their texts are those of the product's requests.
const (
	Table     Kind = "table"
	Singleton Kind = "singleton"
	Monitor   Kind = "monitor"
)

// Window says in which releases something exists, relative to its parent.
// Since and Until are inclusive; empty is open. Until may be a branch ("7.2"),
// which covers every patch of it. Where Spans is not empty it replaces both.
type Window struct {
	Since string      `json:"since,omitempty"`
	Until string      `json:"until,omitempty"`
	Spans [][2]string `json:"windows,omitempty"`
}

// Limits are table sizes; 0 means that no limit is known.
type Limits struct {
	Global int `json:"global,omitempty"`
	VDOM   int `json:"vdom,omitempty"`
	Item   int `json:"item,omitempty"`
}

// Resource is one configuration resource: a table or a singleton.
type Resource struct {
	Path    string `json:"path"`
	Kind    Kind   `json:"kind"`
	Key     string `json:"mkey,omitempty"`
	KeyType string `json:"mkey_type,omitempty"`
	Group   string `json:"group,omitempty"`
	Scope   string `json:"scope,omitempty"`
	Window
	Limits     Limits      `json:"limits,omitzero"`
	Methods    []string    `json:"methods,omitempty"`
	Movable    bool        `json:"movable,omitempty"`
	ReadOnly   bool        `json:"readonly,omitempty"`
	Attributes []Attribute `json:"attrs,omitempty"`
}

// Attribute is one attribute of a resource or of a child table.
type Attribute struct {
	// Uncertain: it is not known whether the release that was asked for has it.
	Uncertain bool            `json:"-"`
	Name      string          `json:"name"`
	Type      string          `json:"type"`
	Multi     bool            `json:"multi,omitempty"`
	Size      int             `json:"size,omitempty"`
	Min       *int64          `json:"min,omitempty"`
	Max       *int64          `json:"max,omitempty"`
	Model     bool            `json:"model,omitempty"`
	Default   json.RawMessage `json:"default,omitempty"`
	Options   []Option        `json:"options,omitempty"`
	Refs      []string        `json:"refs,omitempty"`
	Required  bool            `json:"required,omitempty"`
	Secret    bool            `json:"secret,omitempty"`
	ReadOnly  bool            `json:"readonly,omitempty"`
	Window
	Was        []Was       `json:"was,omitempty"`
	Key        string      `json:"mkey,omitempty"`
	KeyType    string      `json:"mkey_type,omitempty"`
	Limits     Limits      `json:"limits,omitzero"`
	Movable    bool        `json:"movable,omitempty"`
	Attributes []Attribute `json:"attrs,omitempty"`
}

// Option is one permitted value. In the facts a value without a window of its
// own is a plain string.
type Option struct {
	// Uncertain: it is not known whether the release that was asked for has it.
	Uncertain bool   `json:"-"`
	Value     string `json:"v"`
	Window
}

// Was holds the facts that an attribute had up to and including a release.
type Was struct {
	Until   string          `json:"until"`
	Type    string          `json:"type,omitempty"`
	Size    *int            `json:"size,omitempty"`
	Min     *int64          `json:"min,omitempty"`
	Max     *int64          `json:"max,omitempty"`
	Multi   *bool           `json:"multi,omitempty"`
	Default json.RawMessage `json:"default,omitempty"`
}

// Endpoint is one monitor endpoint with its calls.
type Endpoint struct {
	Path  string `json:"path"`
	Calls []Call `json:"calls"`
}

// Call is one request that an endpoint takes.
type Call struct {
	Method  string `json:"method"`
	Action  string `json:"action,omitempty"`
	Class   string `json:"class,omitempty"`
	Reveals bool   `json:"reveals,omitempty"`
	Group   string `json:"group,omitempty"`
	Window
	Seen   []string `json:"seen,omitempty"`
	Params []Param  `json:"params,omitempty"`
}

// Param is one parameter of a call, in the query or in the body.
type Param struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Required bool     `json:"required,omitempty"`
	In       string   `json:"in,omitempty"`
	Options  []string `json:"options,omitempty"`
	Secret   bool     `json:"secret,omitempty"`
}

// Entry is one line of the index: what can be known of a resource without
// decoding it.
type Entry struct {
	Path  string
	Kind  Kind
	Key   string
	Since string
	Until string
}
