// Package specification checks, from outside and with the real programs, what the
// documents Tools and Workflow say: a test for each statement, named after it. What
// they say of the protocol has a package of its own.
package specification
