// Package port holds the interfaces that the core needs and adapters implement.
//
// Every port states both sides of its contract: what the caller guarantees, which
// fault codes failures carry, whether it may be called by several goroutines,
// and who owns slices. Adapters assert that they implement a port and run its
// suite from package porttest.
package port

import (
	"context"
	"io"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// Devices opens the connection to a profile's device. Open itself need not send
// anything. Failures: config (credentials or trust unusable). Safe for
// concurrent use; the caller closes what it opened.
type Devices interface {
	Open(ctx context.Context, p profile.Profile) (Device, error)
}

// Device is one FortiGate seen through one profile. It is used by one goroutine
// at a time.
type Device interface {
	DeviceReader
	DeviceWriter
	Prober
	BackupSource
	io.Closer
}

// DeviceReader reads. No method changes the device. Failures carry auth,
// permission_denied, not_found, device_unreachable, tls, not_fortios or
// device_error. Returned values are canonical (package canon's DecodeLoose),
// raw as the device sent them, secrets included, and belong to the caller.
type DeviceReader interface {
	// Identity asks the device who it is. The serial is checked for its form. An
	// implementation that learns from an answer that another device gave it than the
	// one that Identity met last fails with stale_plan.
	Identity(ctx context.Context) (Identity, error)
	// Object reads one row, or a singleton where key is zero; not_found when absent.
	Object(ctx context.Context, at Location, key operation.Key) (map[string]any, error)
	// List streams a table's rows in the device's order until yield says no.
	// Memory stays flat in the size of the table. A start beyond the end gives no
	// rows and no error.
	List(ctx context.Context, q ListQuery, yield func(row map[string]any) bool) (ListInfo, error)
	// Monitor reads a monitor endpoint ("monitor/system/status") with GET. The
	// engine asks "monitor/system/object/usage" who refers to an object and reads
	// "currently_using", a list of {path, name, mkey}.
	Monitor(ctx context.Context, q MonitorQuery) (any, error)
	// Schema asks the device for its own description of a resource.
	Schema(ctx context.Context, at Location) (map[string]any, error)
}

// RowReader is a Device that can also give rows as it received them, which saves whoever
// passes them on the way through values. A Device need not be one.
type RowReader interface {
	// Rows is List with each row as JSON text. The text belongs to the caller, who
	// checks it: that it is an object, or JSON at all, is not promised.
	Rows(ctx context.Context, q ListQuery, yield func(row []byte) bool) (ListInfo, error)
	// Row is Object as JSON text.
	Row(ctx context.Context, at Location, key operation.Key) ([]byte, error)
}

// DeviceWriter sends one write. Send returns no error on purpose: nobody can
// mistake one for "not sent". It sends the request once, on a connection on which
// an answer arrived within the last two seconds or else on a fresh one, never
// retries, never follows a redirect, and after anything but a whole successful
// answer does not use the connection again. secrets replace the request's
// {"$secret": ref} members, and stand in nothing of what is returned. Cancelling ctx before the first byte is not_sent;
// afterwards the exchange is finished within the profile's time limit.
type DeviceWriter interface {
	Send(ctx context.Context, request wire.Request, secrets map[string]string) exchange.Exchange
}

// Prober asks for the device's identity over a connection made for this one
// question. Failures as for DeviceReader.
type Prober interface {
	Probe(ctx context.Context) (Identity, error)
}

// BackupSource streams the device's configuration into w. It fails with
// device_error where the answer is not a FortiOS configuration or is longer than
// limit bytes. It never counts as a write.
type BackupSource interface {
	Backup(ctx context.Context, version schema.Version, w io.Writer, limit int64) error
}

// Identity is who answered.
type Identity struct {
	Serial   string
	Hostname string
	Model    string
	// Version is as the device writes it, "v7.4.8"; Build its build number.
	Version string
	Build   int
	// VDOM is the virtual domain that the answer named.
	VDOM string
	// Local and Remote are the connection's addresses, where known.
	Local, Remote string
}

// Release is the version as a value; zero where the device's text is unusual.
func (i Identity) Release() schema.Version {
	v, _ := schema.ParseVersion(i.Version)
	return v
}

// Location is a resource in a virtual domain; VDOM is empty for global resources.
type Location struct {
	Resource string
	VDOM     string
}

// ListQuery asks for rows of a table. Names in Filter and Fields are the
// caller's responsibility: an unknown name reaches the device as it is.
type ListQuery struct {
	At Location
	// Filter clauses are ANDed; the alternatives of one clause are ORed.
	Filter []Clause
	Fields []string
	// Start is the first row, 0-based; Count the most rows, 0 for all.
	Start, Count int
}

// Clause is a set of alternatives of which one must hold.
type Clause []Condition

// Condition compares one attribute. Attribute is its name, or of an attribute in nested
// rows the names on the way, with slashes between as in "member/name"; how the device
// wants dots in and between names is the implementation's business.
type Condition struct {
	Attribute string
	Operator  string
	Value     string
}

// ListInfo is what the device said besides the rows.
type ListInfo struct {
	// Total is the number of rows in the table and Matched after filtering; -1
	// where the release does not tell.
	Total, Matched int
}

// MonitorQuery asks a monitor endpoint.
type MonitorQuery struct {
	At     Location
	Params []wire.Pair
}
