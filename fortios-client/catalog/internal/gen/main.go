// Command gen makes the embedded catalog.
//
//	gen                 facts/ to catalog.bin and embedded_gen.go (go generate)
//	gen import <dir>    the fact table in <dir> to facts/
//
// It runs in the catalog's folder. The fact table is cmdb.jsonl, monitor.jsonl
// and releases.json; the import proves that facts/ holds every byte of it.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:], "."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(args []string, root string) error {
	switch {
	case len(args) == 0:
		return generate(root)
	case len(args) == 2 && args[0] == "import":
		return importTable(args[1], root)
	default:
		return errors.New("usage: gen, or gen import <folder of the fact table>")
	}
}
