// Package fortisim is a simulated FortiGate: a stateful configuration store
// behind the FortiOS REST API, driven by the facts of package catalog.
//
// A Device is an http.Handler, and Listen serves it over HTTPS with a
// certificate of its own, as a FortiGate does:
//
//	device, err := fortisim.New(&fortisim.Options{})
//	server, err := device.Listen(ctx, "127.0.0.1:0")
//	defer server.Close()
//	// server.Host, server.Port, server.PinSHA256, server.Token
//
// The device validates what it is sent as the catalog says for its release,
// keeps order, keys and references, and answers with the device's envelopes
// and error numbers. A test can look into it (Get, Rows, Snapshot, Requests),
// change it behind the client's back (Put, Delete, Move) and make it misbehave
// (Inject).
//
// # How far it can be trusted
//
// Each behaviour carries a letter in its comment: R, a recorded answer of a
// real device; D, a vendor document; C, what other clients rely on; U, reports
// of users; I, inferred; ?, unknown. What is U, I or ? and could be otherwise has
// a switch in Behaviour, so a test can run against both; Behaviour.Numbers does
// so for the numbers of refusals. The README lists the facts.
//
// A Device may be used by several goroutines at once.
package fortisim
