package engine

import (
	"context"

	"github.com/forti-mcp/forti/core/port"
)

// clusterRole is what the device is in a high-availability cluster.
type clusterRole struct {
	// Role is standalone, primary or secondary, and unknown where the members do not say.
	Role string `json:"role"`
	// Members are how many units the cluster has, this one included.
	Members int `json:"members"`
}

// clusterRole asks the device for its part in a cluster: nil where the token may not see
// it. A device that is in none lists itself alone.
func (s *session) clusterRole(ctx context.Context) (*clusterRole, error) {
	data, err := s.device.Monitor(ctx, port.MonitorQuery{At: port.Location{Resource: "monitor/system/ha-checksums"}})
	if err != nil {
		return nil, tolerate(err)
	}
	units, _ := data.([]any)
	if len(units) == 0 { // a device lists itself at least, where the token may see the list
		return nil, nil //nolint:nilnil // what it is cannot be told
	}
	role := &clusterRole{Role: "unknown", Members: len(units)}
	if len(units) < 2 {
		role.Role, role.Members = "standalone", 1
		return role, nil
	}
	for _, unit := range units {
		member, _ := unit.(map[string]any)
		if serial, _ := member["serial_no"].(string); serial != s.identity.Serial {
			continue
		}
		for _, name := range []string{"is_manage_primary", "is_manage_master"} { // the latter up to 6.4
			switch leads := member[name]; leads {
			case true, int64(1):
				role.Role = "primary"
			case false, int64(0):
				role.Role = "secondary"
			default:
				continue
			}
			break
		}
	}
	return role, nil
}
