package fake

import (
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/wire"
)

// Call names the method of the port through which a request came.
type Call string

// The calls.
const (
	CallIdentity Call = "identity"
	CallObject   Call = "object"
	CallList     Call = "list"
	CallMonitor  Call = "monitor"
	CallSchema   Call = "schema"
	CallSend     Call = "send"
	CallProbe    Call = "probe"
	CallBackup   Call = "backup"
)

// Requests is everything that was asked of the device, oldest first.
func (d *Device) Requests() []Entry {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]Entry(nil), d.log...)
}

// Writes are the requests of [port.DeviceWriter] that arrived, with or without
// effect, oldest first.
func (d *Device) Writes() []wire.Request {
	var list []wire.Request
	for _, e := range d.Requests() {
		if e.Call == CallSend && e.Arrived {
			list = append(list, e.Request)
		}
	}
	return list
}

// Forget empties the log of requests.
func (d *Device) Forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = nil
}

// Entry is one request in the device's log.
type Entry struct {
	Call Call
	// Request is as the core gave it: secrets stand in it as references.
	Request  wire.Request
	Exchange exchange.Exchange
	// Arrived: the device saw it. Effect: it changed something. Ignored: a fault kept it
	// from changing anything.
	Arrived, Effect, Ignored bool
}
