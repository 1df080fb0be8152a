// Package operation holds what a caller asks to change: a closed set of four
// operations. What will be sent to the device is worked out from them when
// planning, and stored as package plan's operations.
package operation

// Operation is one of Create, Update, Delete and Action.
type Operation interface {
	// Path is the resource, such as "firewall/address".
	Path() string
	// Source is the JSON pointer of the request's operation, such as "/operations/0".
	Source() string
	sealed()
}

// Origin is what all operations have in common.
type Origin struct {
	Resource string
	Pointer  string
}

// Path is the resource.
func (o Origin) Path() string { return o.Resource }

// Source is the place in the request.
func (o Origin) Source() string { return o.Pointer }

// Create adds a row to a table, optionally at a position.
type Create struct {
	Origin
	Object   map[string]any
	Position *Position
}

// Update changes a row of a table or a singleton (then Key is zero).
type Update struct {
	Origin
	Key      Key
	Set      map[string]any
	Clear    []string
	Add      map[string][]any
	Remove   map[string][]any
	Position *Position
}

// Delete removes a row. The key cannot be left out: a delete without one would
// empty the table.
type Delete struct {
	Origin
	Key Key
}

// Action calls a monitor endpoint with POST.
type Action struct {
	Origin
	Params map[string]any
}

func (Create) sealed() {}
func (Update) sealed() {}
func (Delete) sealed() {}
func (Action) sealed() {}

// Position places a row before or after another row of its table.
type Position struct {
	Before bool
	Anchor Key
}

// Where is the query parameter's name: "before" or "after".
func (p Position) Where() string {
	if p.Before {
		return "before"
	}
	return "after"
}
