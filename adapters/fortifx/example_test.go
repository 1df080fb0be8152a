package fortifx_test

import (
	"context"
	"fmt"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/adapters/credential"
	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/adapters/fortifx"
	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// The graph is a convenience: the same engine is made by hand.
func Example_withoutFx() {
	file := config.Open("/srv/forti")
	sources := credential.New(nil)
	state := filestate.New(file.Home(), system.Random{}, nil)
	eng, err := engine.New(engine.Ports{
		Profiles: file,
		Devices:  fortiosdevice.NewDevices(fortifx.Access(file, sources), nil),
		Catalog:  fortiosdevice.NewCatalog(catalog.Open()),
		Plans:    state.Plans(), Secrets: state.Secrets(), Approvals: state.Approvals(), Journals: state.Journals(),
		Audit: state.Audit(), Backups: state.Backups(), Locks: state.Locks(),
		Clock: system.Clock{}, Random: system.Random{},
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = eng.Read(context.Background(), engine.Caller{}, request.Read{Resource: "firewall/address"})
	fmt.Println(fault.From(err).Message)
	// Output: no profile is configured; run: forti configure
}
