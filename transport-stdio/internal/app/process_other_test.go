//go:build !unix

package app

var childGraph = builder(fakeGraph)
