package durable

// LockMode says who else may hold a lock.
type LockMode int

// The modes.
const (
	// Shared goes together with other shared locks.
	Shared LockMode = iota + 1
	// Exclusive goes together with none.
	Exclusive
)
