// Package clients proves forti-mcp with clients that are not ours: the official Go
// SDK, and a person with printf and a pipe. It has tests only.
package clients
