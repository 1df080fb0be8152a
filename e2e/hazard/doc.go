// Package hazard proves what an apply does where its state cannot be trusted or
// written, and where people and programs work on one plan at once: nothing is sent
// that should not be, and nothing that was approved is lost. It has tests only.
package hazard
