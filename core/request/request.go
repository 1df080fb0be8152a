// Package request holds the requests of the four use cases: the one source of
// their validation, of the tools' JSON schemas and of the commands' flags.
//
// A request is decoded with [Decode], which collects every problem together with
// its JSON pointer. [Describe] gives the same structs as data, for schemas.
package request

import "github.com/forti-mcp/forti/core/operation"

// What names a look-up of Discover.
type What string

// The look-ups.
const (
	Devices      What = "devices"
	Capabilities What = "capabilities"
	Resources    What = "resources"
	Resource     What = "resource"
)

// Discover finds profiles, devices, resources and their attributes.
type Discover struct {
	What     What     `json:"what" validate:"required,oneof=devices capabilities resources resource" doc:"devices: configured profiles. capabilities: one device's identity, mode and versions. resources: search the catalog. resource: describe one resource."`
	Profile  string   `json:"profile,omitempty" validate:"omitempty,max=64" doc:"Profile name; may be left out where one profile exists or a default is set."`
	Query    string   `json:"query,omitempty" validate:"omitempty,min=1,max=256" doc:"resources: words to look for in paths, attributes and options."`
	Kind     string   `json:"kind,omitempty" validate:"omitempty,oneof=table singleton monitor" doc:"resources: only this kind."`
	Resource string   `json:"resource,omitempty" validate:"omitempty,max=256" doc:"resource: a path such as firewall/address or monitor/system/status."`
	Fields   []string `json:"fields,omitempty" validate:"omitempty,min=1,max=64,dive,min=1,max=256" doc:"resource: full detail of these attributes only; nested ones as member/name."`
	Live     bool     `json:"live,omitempty" doc:"resource: add the device's own help text, options and ranges."`
	Start    int      `json:"start,omitempty" validate:"min=0" doc:"resources: first result, 0-based."`
	Count    int      `json:"count,omitempty" validate:"omitempty,min=1,max=10000" doc:"resources: most results."`
}

// DefaultCount is how many rows a read returns where count is left out.
const DefaultCount = 100

// Read reads configuration or monitor data.
type Read struct {
	Profile  string         `json:"profile,omitempty" validate:"omitempty,max=64" doc:"Profile name; may be left out where one profile exists or a default is set."`
	VDOM     string         `json:"vdom,omitempty" validate:"omitempty,max=31" doc:"Virtual domain; overrides the profile's."`
	Resource string         `json:"resource" validate:"required,max=256" doc:"A path such as firewall/address or monitor/system/status."`
	Key      operation.Key  `json:"key,omitzero" doc:"One row of a table, by its key."`
	Fields   []string       `json:"fields,omitempty" validate:"omitempty,min=1,max=64,dive,min=1,max=256" doc:"Only these attributes."`
	Filter   []string       `json:"filter,omitempty" validate:"omitempty,max=32,dive,min=1,max=256" doc:"FortiOS filters such as type==ipmask or name=@lan. Items are ANDed, a comma inside one ORs. Operators: == != =@ !@ < <= > >=."`
	Start    int            `json:"start,omitempty" validate:"min=0" doc:"First row, 0-based."`
	Count    int            `json:"count,omitempty" validate:"omitempty,min=1,max=10000" doc:"Most rows; 100 where left out."`
	Params   map[string]any `json:"params,omitempty" doc:"Query parameters of a monitor endpoint."`
}

// Plan asks for a change to be worked out and stored.
type Plan struct {
	Profile    string      `json:"profile,omitempty" validate:"omitempty,max=64" doc:"Profile name; may be left out where one profile exists or a default is set."`
	VDOM       string      `json:"vdom,omitempty" validate:"omitempty,max=31" doc:"Virtual domain; overrides the profile's."`
	Operations []Operation `json:"operations" validate:"required,min=1,max=500,dive" doc:"What to change, in the order in which it will run. Later operations see earlier ones."`
	Reason     string      `json:"reason,omitempty" validate:"omitempty,max=500" doc:"Why; shown to the approver as the requester's claim."`
}

// Operation is one change, flat: which fields belong to which op is checked by
// [Plan.Intentions].
type Operation struct {
	Op       string           `json:"op" validate:"required,oneof=create update delete action" doc:"create, update, delete, or action (a monitor POST)."`
	Resource string           `json:"resource" validate:"required,max=256" doc:"A path such as firewall/address."`
	Key      operation.Key    `json:"key,omitzero" doc:"update, delete: the row's key. Not for create: there the key attribute stands in object."`
	Object   map[string]any   `json:"object,omitempty" doc:"create: the new row."`
	Set      map[string]any   `json:"set,omitempty" doc:"update: attributes to set. A list given here replaces the whole list."`
	Clear    []string         `json:"clear,omitempty" validate:"omitempty,max=256,dive,min=1,max=256" doc:"update: attributes to return to their default."`
	Add      map[string][]any `json:"add,omitempty" doc:"update: entries to add to list attributes."`
	Remove   map[string][]any `json:"remove,omitempty" doc:"update: entries to remove from list attributes."`
	Position *Position        `json:"position,omitempty" doc:"create, update on ordered tables: where the row goes."`
	Params   map[string]any   `json:"params,omitempty" doc:"action: the call's parameters."`
}

// Position places a row; exactly one of the two is given.
type Position struct {
	Before operation.Key `json:"before,omitzero" doc:"Key of the row to stand before."`
	After  operation.Key `json:"after,omitzero" doc:"Key of the row to stand after."`
}

// Apply executes a stored plan.
type Apply struct {
	PlanID string `json:"plan_id" validate:"required,max=64" doc:"The id that forti_plan returned."`
}
