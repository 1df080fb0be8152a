package engine_test

import "github.com/forti-mcp/forti/core/port"

func otherSerial(id *port.Identity) { id.Serial = "FGT60FTK00000099" }

func otherBuild(id *port.Identity) { id.Build++ }
