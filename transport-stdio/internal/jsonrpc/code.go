// Package jsonrpc reads and writes JSON-RPC 2.0 messages, one per line.
//
// A [Reader] bounds what it takes in: a line over [MaxLine] is discarded as it
// arrives. [Parse] judges a line without trusting any of it, and says whether an
// answer is owed and under which id. Nothing here knows the methods.
package jsonrpc

// The limits of one message.
const (
	// MaxLine is the most bytes of a message, its line ending not counted: 4 MiB.
	MaxLine = 4 << 20
	// MaxDepth is the most levels of nesting; the message itself is the first.
	MaxDepth = 64
)

// Code classifies a protocol error.
type Code int

// The codes. Those from -32700 to -32600 are JSON-RPC's, -32022 is MCP's.
const (
	// ParseError: the line is not valid JSON.
	ParseError Code = -32700
	// InvalidRequest: valid JSON, but not a request that can be served.
	InvalidRequest Code = -32600
	// MethodNotFound: no such method in this protocol version.
	MethodNotFound Code = -32601
	// InvalidParams: params that are not an object, lack a field or hold a wrong one.
	InvalidParams Code = -32602
	// InternalError: a defect of the server; the details are on stderr.
	InternalError Code = -32603
	// UnsupportedVersion: a protocol version that the server does not speak.
	UnsupportedVersion Code = -32022
)

// Error is the error of a response.
type Error struct {
	Code    Code
	Message string
	// Data is any value that encodes as JSON; nil is left out.
	Data any
}

// Error is the message.
func (e *Error) Error() string { return e.Message }
