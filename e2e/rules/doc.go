// Package rules proves the risk table against the whole embedded catalog. It has
// tests only.
package rules
