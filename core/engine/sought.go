package engine

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/schema"
)

// sought is a comparison of a filter. A device answers one that can never hold with no
// rows, which reads as "there is none", so that such a comparison is refused here.
type sought struct {
	attribute             *schema.Attribute
	name, operator, value string
}

// equates: the value is compared as a whole.
func (s sought) equates() bool { return s.operator == "==" || s.operator == "!=" }

// orders: the value is a bound.
func (s sought) orders() bool { return s.operator[0] == '<' || s.operator[0] == '>' }

// problem says why no device can answer the comparison; "" where one can.
func (s sought) problem() string {
	a := s.attribute
	switch {
	case s.orders() && (a.Type == "option" || a.IsTable() || a.Type == "complex"):
		return fmt.Sprintf("%s has no order (it is of type %s); it takes == != =@ !@", s.name, a.Type)
	case a.Type == "integer":
		return s.integerProblem()
	case len(a.Options) > 0 && s.equates():
		return s.optionProblem()
	case isIPv4(a) && s.equates() && s.value != "":
		return s.addressProblem()
	}
	return ""
}

func (s sought) integerProblem() string {
	a := s.attribute
	if word, is := a.Default.(string); is && s.value == word && s.equates() {
		return ""
	}
	n, err := strconv.ParseInt(s.value, 10, 64)
	switch {
	case err != nil && (s.equates() || s.orders()):
		return fmt.Sprintf("%q is not an integer, as %s is", s.value, s.name)
	case err != nil && strings.Trim(s.value, "-0123456789") != "":
		return fmt.Sprintf("%q is no part of an integer, as %s is", s.value, s.name)
	case s.equates() && (a.Min != nil && n < *a.Min || a.Max != nil && n > *a.Max):
		return fmt.Sprintf("%d is not a value of %s; it takes %s", n, s.name, bounds(a))
	}
	return ""
}

func bounds(a *schema.Attribute) string {
	switch {
	case a.Max == nil:
		return fmt.Sprintf("%d and more", *a.Min)
	case a.Min == nil:
		return fmt.Sprintf("%d and less", *a.Max)
	}
	return fmt.Sprintf("%d to %d", *a.Min, *a.Max)
}

// mostOptions are named in a problem; an attribute can have hundreds.
const mostOptions = 24

func (s sought) optionProblem() string {
	names := make([]string, 0, len(s.attribute.Options))
	for _, o := range s.attribute.Options {
		names = append(names, o.Value)
	}
	words := []string{s.value}
	if s.attribute.Multi {
		words = strings.Fields(s.value)
	}
	for _, word := range words {
		if slices.Contains(names, word) {
			continue
		}
		text := fmt.Sprintf("%q is not a value of %s; it takes %s", word, s.name, strings.Join(names[:min(mostOptions, len(names))], "|"))
		if len(names) > mostOptions {
			text += fmt.Sprintf("|… %d in all", len(names))
		}
		if near := nearestOption(word, names); near != "" {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return text
	}
	return ""
}

// nearestOption is [change.Nearest] without regard to case.
func nearestOption(word string, names []string) string {
	if i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, word) }); i >= 0 {
		return names[i]
	}
	return change.Nearest(strings.ToLower(word), names)
}

// isIPv4 reports whether the value is an address, a mask, or an address with a mask.
// The kinds without a rule of ours are left to the device.
func isIPv4(a *schema.Attribute) bool {
	return !a.Multi && (hasMask(a) || strings.HasPrefix(a.Type, "ipv4-address") || strings.HasPrefix(a.Type, "ipv4-netmask"))
}

// hasMask reports whether FortiOS writes the value as an address and a mask.
func hasMask(a *schema.Attribute) bool { return strings.HasPrefix(a.Type, "ipv4-classnet") }

func (s sought) addressProblem() string {
	fields := strings.Fields(s.value)
	if hasMask(s.attribute) {
		_, _, isPrefix := s.prefix()
		if isPrefix || len(fields) == 2 && isAddress(fields[0]) && isAddress(fields[1]) {
			return ""
		}
		return fmt.Sprintf("%q is not a value of %s; it takes an IPv4 network such as 192.0.2.0/24, or with =@ a part of one", s.value, s.name)
	}
	if len(fields) == 1 && isAddress(fields[0]) {
		return ""
	}
	return fmt.Sprintf("%q is not a value of %s; it takes an IPv4 address such as 192.0.2.1, or with =@ a part of one", s.value, s.name)
}

func isAddress(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Is4()
}

// prefix reads 192.0.2.0/24, and a single address as the network of one host.
func (s sought) prefix() (address netip.Addr, length int, ok bool) {
	if isAddress(s.value) {
		return netip.MustParseAddr(s.value), 32, true
	}
	p, err := netip.ParsePrefix(s.value)
	return p.Addr(), p.Bits(), err == nil && p.Addr().Is4()
}

// written is the value as FortiOS writes such values, with a note where that differs
// from what was given.
func (s sought) written() (value, note string) {
	if !hasMask(s.attribute) || !s.equates() && !strings.Contains(s.value, "/") {
		return s.value, ""
	}
	address, length, ok := s.prefix()
	if !ok {
		return s.value, ""
	}
	// Of a network FortiOS keeps no bits beyond the mask; of an interface's address it does.
	if !strings.HasSuffix(s.attribute.Type, "-host") {
		address = netip.PrefixFrom(address, length).Masked().Addr()
	}
	value = address.String() + " " + change.Mask(length)
	return value, fmt.Sprintf("the filter on %s compares with %q, as FortiOS writes %s", s.name, value, s.value)
}
