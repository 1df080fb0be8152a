// A FortiGate's own certificate may have a negative serial number, which Go refuses
// since 1.23 unless told otherwise. What is trusted is decided by the pin or the CA.
//go:debug x509negativeserial=1

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
