package app

import (
	"errors"
	"io"
)

// build wires the engine to its adapters.
func build(Options, io.Writer) (graph, error) {
	return graph{}, errors.New("this build has no adapters yet, so there is nothing to serve")
}
