// Command forti-mcp serves FortiGate firewalls to MCP clients over stdio.
package main

import (
	"os"

	"github.com/forti-mcp/forti/transport-stdio/internal/app"
)

func main() { os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
