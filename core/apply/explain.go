package apply

import (
	"fmt"

	"github.com/forti-mcp/forti/core/exchange"
)

// explanation says in a sentence what an unhappy class means and what to do.
func explanation(class exchange.Class, x exchange.Exchange) string {
	switch class {
	case exchange.NotSent:
		return "the device could not be reached; nothing was sent"
	case exchange.TLSFailed:
		return "the device's certificate is not the trusted one; nothing was sent"
	case exchange.Accepted:
		return "the device accepted the request and reads back something else"
	case exchange.Refused, exchange.RefusedDoubtful:
		return refusal(x)
	case exchange.NotAPI:
		return "what answered is not the FortiOS API (a login page or a portal); check what stands in between"
	case exchange.Redirect:
		return fmt.Sprintf("the device answered with a redirect (HTTP %d), which is never followed", x.Status)
	case exchange.AuthRefused, exchange.LockedOut:
		return fmt.Sprintf("%s (HTTP %d)", exchange.ExplainStatus(x.Status), x.Status)
	case exchange.WrongDevice:
		return "THE ANSWER CAME FROM ANOTHER DEVICE OR VDOM than the plan's; find out what stands at this address before anything else"
	case exchange.Ambiguous:
	}
	return "the request was sent and no trustworthy answer came; look at the object before planning again"
}

func refusal(x exchange.Exchange) string {
	meaning := exchange.Explain(x.ErrorNumber)
	switch {
	case x.ErrorNumber != 0 && meaning != "":
		return fmt.Sprintf("the device refused the request: error %d, %s", x.ErrorNumber, meaning)
	case x.ErrorNumber != 0:
		return fmt.Sprintf("the device refused the request with error %d", x.ErrorNumber)
	case exchange.ExplainStatus(x.Status) != "":
		return fmt.Sprintf("the device refused the request: %s (HTTP %d)", exchange.ExplainStatus(x.Status), x.Status)
	}
	return fmt.Sprintf("the device refused the request (HTTP %d)", x.Status)
}
