// Package proof names, for each statement of the specification (statements.txt) and
// about what an apply must do (proofs.txt), the test that shows it. It checks that those
// tests exist and, where the documents are at hand, that none of their statements is
// without one. It has tests only.
package proof
