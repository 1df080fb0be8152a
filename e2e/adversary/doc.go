// Package adversary is a client that wants a write and must not get one: it has all
// four tools, hostile arguments, a device whose data begs it to, and no human. It has
// tests only.
package adversary
