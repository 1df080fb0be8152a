// The program forti: discover, read, plan, approve and apply configuration on
// FortiGate firewalls.
package main

import (
	"os"

	"github.com/forti-mcp/forti/transport-cli/internal/app"
)

func main() {
	os.Exit(app.Main(os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr))
}
