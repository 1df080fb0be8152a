package catalog

import (
	"errors"
	"fmt"
)

// ErrUnknown is wrapped by the error of a look-up whose path is not in the
// catalog. [Catalog.Nearest] offers paths that may have been meant.
var ErrUnknown = errors.New("not in the catalog")

// WindowError says that a resource is known, but not in the release asked for.
type WindowError struct {
	Path    string
	Window  Window
	Version Version
	Absence Absence // TooNew, Gone or InGap
}

// Error names the releases that have the resource.
func (e *WindowError) Error() string {
	return fmt.Sprintf("catalog: %s is not in FortiOS %s (%s); releases that have it: %s", e.Path, e.Version, e.Absence, e.Window)
}

func unknown(path string) error { return fmt.Errorf("catalog: %q is %w", path, ErrUnknown) }
