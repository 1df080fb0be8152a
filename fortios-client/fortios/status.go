package fortios

import (
	"context"
	"encoding/json"
)

// Status says which device answers. Serial, Version (such as "v7.4.8"), Build and
// VDOM come from the envelope; the rest is empty in releases that do not tell (6.2).
type Status struct {
	Serial      string
	Version     string
	Build       int
	VDOM        string
	Hostname    string
	Model       string // such as "FG180F"
	ModelName   string // such as "FortiGate"
	ModelNumber string // such as "1800F"
}

// Status reads monitor/system/status in Config.VDOM. An answer without serial
// number is an error of [KindNotFortiOS].
func (c *Client) Status(ctx context.Context, opts ...ReadOption) (Status, error) {
	e, err := c.Monitor(ctx, "system/status", nil, opts...)
	if err != nil {
		return Status{}, err
	}
	const op = "GET system/status"
	if e.Serial == "" {
		return Status{}, c.named(op, notFortiOS("the device does not name its serial number"))
	}
	s := Status{Serial: e.Serial, Version: e.Version, Build: e.Build, VDOM: e.VDOM}
	if e.Results == nil {
		return s, nil
	}
	if err := s.read(e.Results); err != nil {
		return Status{}, c.named(op, jsonFault(err))
	}
	return s, nil
}

func (s *Status) read(results json.RawMessage) error {
	for name, field := range map[string]*string{
		"hostname": &s.Hostname, "model": &s.Model, "model_name": &s.ModelName, "model_number": &s.ModelNumber,
	} {
		raw, found, err := memberOf(results, name)
		if err != nil {
			return err
		}
		if found {
			*field, _ = scalar(raw) // null, or another type, tells as little as absence.
		}
	}
	return nil
}
