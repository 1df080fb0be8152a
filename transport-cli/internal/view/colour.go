package view

// colour is a terminal's attribute.
type colour string

const (
	bold   colour = "1"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

// words are those whose meaning a colour repeats; it never carries one alone.
var words = map[string]colour{
	"verified": green, "applied": green, "approved": green, "good": green, "low": green,
	"applied_unverified": yellow, "partial": yellow, "high": yellow, "incomplete": yellow, "autonomous": yellow, "interrupted": yellow,
	"failed": red, "outcome_unknown": red, "broken": red, "critical": red,
}

func (p *Page) paint(c colour, text string) string {
	if !p.style.Colour || c == "" || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// tint colours a text that is one of the known words.
func (p *Page) tint(text string) string { return p.paint(words[text], text) }
