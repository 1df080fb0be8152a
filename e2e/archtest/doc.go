// Package archtest proves that the code keeps the import rules of
// docs/architecture.md. It has tests only.
package archtest
