package mcp

import (
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/transport-stdio/internal/jsonrpc"
)

// labelBytes bounds what is repeated of a client's own texts.
const labelBytes = 64

// clientLabel is what a client calls itself, "name/version", as far as it says
// so. It is unverified.
func clientLabel(info []byte) string {
	name, _ := jsonrpc.String(jsonrpc.Member(info, "name"))
	version, _ := jsonrpc.String(jsonrpc.Member(info, "version"))
	if version != "" {
		name += "/" + version
	}
	return label(name)
}

// label makes a client's text fit to repeat: whatever is not printable ASCII
// stands as an escape, and no escape is cut in two by the limit.
func label(text string) string {
	var b strings.Builder
	for _, r := range text {
		escaped := strconv.QuoteRuneToASCII(r)
		escaped = escaped[1 : len(escaped)-1]
		if r == '\'' {
			escaped = "'" // escaped only for the quotes that were taken off
		}
		if b.Len()+len(escaped) > labelBytes {
			break
		}
		b.WriteString(escaped)
	}
	return b.String()
}
