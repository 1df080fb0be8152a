// Package proof names, for each statement about what an apply must do, the test that
// shows it (proofs.txt), and checks that those tests exist. It has tests only.
package proof
