package risk

// Needs says what has to be read about a change before it can be judged. The
// objects that rules look up by name are reported by [Verdict.Missing] instead.
type Needs struct {
	// Users: how many objects refer to the changed one (updates and deletes).
	Users bool
	// Rows: how many rows the table has (deletes).
	Rows bool
	// Policies: the rows of firewall/policy in their order.
	Policies bool
	// APIUser: the row of system/api-user that this connection uses.
	APIUser bool
	// Interfaces: the row of system/interface that carries this connection.
	Interfaces bool
	// Logs: the settings of the other log targets.
	Logs bool
}

// Watches says what the rules need to know for changes of a resource.
func Watches(resource string) Needs {
	var n Needs
	for _, r := range rules {
		if !watches(r.watch, resource) {
			continue
		}
		n.Users = n.Users || r.needs.Users
		n.Rows = n.Rows || r.needs.Rows
		n.Policies = n.Policies || r.needs.Policies
		n.APIUser = n.APIUser || r.needs.APIUser
		n.Interfaces = n.Interfaces || r.needs.Interfaces
		n.Logs = n.Logs || r.needs.Logs
	}
	if isAction(resource) {
		return Needs{}
	}
	n.Users = n.Users && !watches(unshared, resource)
	n.Logs = n.Logs && matches("log.*/*", resource)
	return n
}
