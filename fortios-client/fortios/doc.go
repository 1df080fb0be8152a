// Package fortios is a client for the FortiOS REST API of one FortiGate.
//
// It uses the standard library only. A first call:
//
//	client, err := fortios.New(fortios.Config{
//		Host:  "192.0.2.1",
//		Token: func(context.Context) (string, error) { return os.Getenv("TOKEN"), nil },
//		TLS:   fortios.TLS{PinSHA256: "…"},
//	})
//	status, err := client.Status(ctx)
//
// # What it guarantees
//
// A request is written once. There is no retry, no redirect, no HTTP/2, no
// transparent compression and no proxy but the configured one, so that the
// bytes handed to [Client.Do] reach the device at most once and the token
// reaches nobody else. A 401 or a 429 is never tried again: FortiOS locks out
// an address after failed logins.
//
// [Response.Sent] is measured, not inferred: false proves that no byte of the
// request was handed to TLS.
//
// Everything the device sends is bounded (header 64 KiB, body [Config.MaxBody],
// JSON nesting 64) and treated as untrusted. Errors are of type [*Error] with a
// [Kind]; they hold no markup, no control characters and never the token.
//
// # Connections
//
// A request goes out on a connection on which a complete 2xx answer arrived
// within the last 2 seconds, otherwise on a fresh one; a connection carries one
// request at a time. After any other answer the next request is on a fresh
// connection.
//
// # Certificates
//
// With [TLS.PinSHA256] the key of the device's own certificate is checked, and
// neither its name nor its chain: a factory certificate has no usable name.
// Without a pin, name and chain are checked against [TLS.Roots] or the system's
// roots. There is no way to check nothing. Some FortiGates present a
// certificate with a negative serial number; Go refuses to parse those, pinned
// or not. Such a device needs another certificate for its administration
// server, or the program that is built needs "//go:debug x509negativeserial=1".
package fortios
