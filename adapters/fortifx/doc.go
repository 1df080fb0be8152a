// Package fortifx puts the adapters together into an engine: an fx module for
// each adapter, and [Module], which bundles them.
//
//	eng, stop, err := fortifx.Build(ctx, fortifx.Options{Home: home, DefaultHome: true})
//
// Starting the graph opens nothing, takes no lock and reads no file: the
// configuration is read and the state directory touched when a use case first
// needs them, so that a program starts fast, may be started twice, and reports a
// broken configuration as the answer to a request.
//
// Every constructor that the modules call is exported by its adapter and works
// without fx.
package fortifx
