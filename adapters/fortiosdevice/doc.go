// Package fortiosdevice puts the FortiOS client and the compiled-in catalog
// behind the core's ports: [Devices] opens devices, [Device] reads, writes,
// probes and backs up one FortiGate, [Catalog] describes resources.
//
//	devices := fortiosdevice.NewDevices(access, nil)
//	device, err := devices.Open(ctx, profile)
//
// What comes from a device is data: bounded by the client, decoded as canonical
// values, and escaped and cut before it stands in an error or in an exchange's
// text. A secret that a write carried is masked in the device's answer to it.
package fortiosdevice
