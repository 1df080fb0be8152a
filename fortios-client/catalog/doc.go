// Package catalog is the compiled-in knowledge of the FortiOS REST API, 6.0 to
// 7.6: every configuration resource and monitor endpoint, with the attributes'
// types, sizes, ranges, options, references and secrets, and the releases that
// have them.
//
//	c := catalog.Open()
//	r, err := c.ResourceAt("firewall/address", catalog.Version{Major: 7, Minor: 4, Patch: 8})
//
// Opening decodes nothing. An index is read in place; a resource is decoded
// when it is asked for, and the last 64 are kept. Everything returned is shared
// and read-only by agreement: copy before changing. A Catalog is safe for
// concurrent use.
//
// The catalog speaks of what releases can have. A model without disks or
// without certain chips lacks some of it, and patches newer than those that the
// facts were taken from can have more: see [Releases.Certain].
package catalog
