// Package fake holds in-memory implementations of every port: a FortiGate, its
// catalog, the state directory, clock, chance and the rest.
//
// They are for tests and for trying things out, and they are honest: a [Device]
// keeps rows, refuses what a FortiGate refuses and empties a table when it is
// asked to delete without a key; a [State] distinguishes what was made durable
// from what was not and can die at any step. [NewWorld] makes a matching set:
//
//	world, err := fake.NewWorld(fake.WorldOptions{})
//	e, err := engine.New(engine.Ports(world.Ports()), nil)
//
// To use a port of one's own, replace that field of the set.
//
// All types are safe for concurrent use. Nothing here imports testing, touches a
// disk or a network, or reads the time of the machine.
package fake
