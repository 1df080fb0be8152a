// Package clients proves the programs with clients that are not ours: forti-mcp with the
// official Go SDK and with a person with printf and a pipe, forti simulate with other
// people's FortiOS clients. It has tests only; the README says which clients.
package clients
