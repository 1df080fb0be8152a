package fortiosdevice

import (
	"encoding/json"
	"strings"

	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// The converters copy what differs in form and share what does not.

func (c *Catalog) resource(r *catalog.Resource) *schema.Resource {
	return &schema.Resource{
		Path: r.Path, Kind: schema.Kind(r.Kind), Key: r.Key, KeyType: keyType(r.Key, r.KeyType),
		Group: r.Group, Scope: r.Scope, Ordered: r.Movable && !displayOnly(r.Path), ReadOnly: r.ReadOnly,
		Releases: releases(r.Window), Methods: r.Methods, Attributes: c.attributes(r.Attributes),
	}
}

// displayOnly names the tables whose rows can be moved although their order does
// not decide anything on the device: it is the order in which the GUI lists them.
// They are not ordered tables, so that nobody has to keep an order that means
// nothing. In all other tables with a move (policies, routes, filters) the first
// match wins.
func displayOnly(path string) bool {
	switch path {
	case "firewall/vip", "switch-controller/managed-switch", "wireless-controller/wtp":
		return true
	}
	return strings.HasPrefix(path, "firewall.service/")
}

// keyType reduces the device's types of keys to the two that matter: how a key is
// written.
func keyType(key, kind string) string {
	switch {
	case key == "":
		return ""
	case kind == "integer":
		return kind
	}
	return "string"
}

func (c *Catalog) attributes(list []catalog.Attribute) []schema.Attribute {
	if len(list) == 0 {
		return nil
	}
	out := make([]schema.Attribute, len(list))
	for i := range list {
		a := &list[i]
		out[i] = schema.Attribute{
			Name: a.Name, Type: a.Type, Multi: a.Multi, Size: a.Size, Min: a.Min, Max: a.Max,
			Default: defaultValue(a.Default), Options: options(a.Options), Refs: c.refs(a.Refs),
			Required: a.Required, Secret: a.Secret, ReadOnly: a.ReadOnly, Releases: releases(a.Window), Uncertain: a.Uncertain,
			Key: a.Key, KeyType: keyType(a.Key, a.KeyType), Attributes: c.attributes(a.Attributes),
		}
	}
	return out
}

// defaultValue is a string, an int64, or nil where none is known.
func defaultValue(raw json.RawMessage) any {
	if len(raw) == 0 {
		return nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var number int64
	if json.Unmarshal(raw, &number) == nil {
		return number
	}
	return nil
}

func options(list []catalog.Option) []schema.Option {
	if len(list) == 0 {
		return nil
	}
	out := make([]schema.Option, len(list))
	for i, o := range list {
		out[i] = schema.Option{Value: o.Value, Releases: releases(o.Window), Uncertain: o.Uncertain}
	}
	return out
}

func (c *Catalog) refs(list []string) []schema.Ref {
	if len(list) == 0 {
		return nil
	}
	out := make([]schema.Ref, len(list))
	for i, name := range list {
		out[i] = c.ref(name)
	}
	return out
}

// ref reads a reference such as "firewall.service.custom.name". A resource that
// the catalog has gives its path; a child table of one is written below it
// ("system/sdwan/zone"); of anything else the last dot of the table's name
// becomes the slash, as in all paths of the catalog.
func (c *Catalog) ref(name string) schema.Ref {
	table, attribute := cutLast(name, ".")
	if path, ok := c.dotted()[table]; ok {
		return schema.Ref{Path: path, Attribute: attribute}
	}
	for parent, below := cutLast(table, "."); parent != ""; {
		if path, ok := c.dotted()[parent]; ok {
			return schema.Ref{Path: path + "/" + strings.ReplaceAll(below, ".", "/"), Attribute: attribute}
		}
		next, last := cutLast(parent, ".")
		parent, below = next, last+"."+below
	}
	if group, last := cutLast(table, "."); group != "" {
		table = group + "/" + last
	}
	return schema.Ref{Path: table, Attribute: attribute}
}

func (c *Catalog) dottedPaths() map[string]string {
	paths := map[string]string{}
	for _, kind := range []catalog.Kind{catalog.Table, catalog.Singleton} {
		for e := range c.facts.Entries(kind) {
			paths[strings.ReplaceAll(e.Path, "/", ".")] = e.Path
		}
	}
	return paths
}

// cutLast cuts around the last separator; before is "" where there is none.
func cutLast(s, separator string) (before, after string) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return "", s
	}
	return s[:i], s[i+len(separator):]
}
