package fortiosdevice

import (
	"context"
	"errors"
	"io"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/fortios-client/fortios"
)

const backupName = "the device's configuration"

// Backup streams the configuration, global scope, into w. What w has received is
// worth nothing where an error is returned.
func (d *Device) Backup(ctx context.Context, version schema.Version, w io.Writer, limit int64) error {
	_, err := d.client.Backup(ctx, version.String(), w, limit)
	e := clientError(err)
	switch {
	case err == nil:
		return nil
	case e == nil:
		return unwritten(err)
	case e.Kind == fortios.KindNotFortiOS:
		return told(fault.Wrap(err, fault.DeviceError, "%s: %s", backupName, e.Message), e)
	case e.Kind == fortios.KindTooLarge:
		return fault.Wrap(err, fault.DeviceError, "%s is larger than %d bytes; save it by hand", backupName, limit)
	}
	return failure(err, backupName)
}

// unwritten is a failure of w, which may have said itself what is wrong.
func unwritten(err error) error {
	var known *fault.Error
	if errors.As(err, &known) {
		return known
	}
	return fault.Wrap(err, fault.Config, "%s could not be written down; check the place for backups", backupName)
}
