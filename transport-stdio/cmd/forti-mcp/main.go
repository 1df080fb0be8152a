// A FortiGate's own certificate may have a negative serial number, which Go refuses
// since 1.23 unless told otherwise. What is trusted is decided by the pin or the CA.
//go:debug x509negativeserial=1

// Command forti-mcp serves FortiGate firewalls to MCP clients over stdio.
package main

import (
	"os"

	"github.com/forti-mcp/forti/transport-stdio/internal/app"
)

func main() { os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
