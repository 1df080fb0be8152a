package catalog

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a FortiOS release such as 7.4.8. The zero Version means "no
// particular release": look-ups with it return everything the catalog knows.
type Version struct {
	Major, Minor, Patch int
}

// ParseVersion reads "7.4.8" or the device's own "v7.4.8". A missing patch
// ("7.4") is read as patch 0.
func ParseVersion(text string) (Version, error) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) < 2 || len(parts) > 3 {
		return Version{}, fmt.Errorf("catalog: %q is not a FortiOS release such as 7.4.8", text)
	}
	var n [3]int
	for i, part := range parts {
		v, err := strconv.Atoi(part)
		if err != nil || v < 0 || v > 999 {
			return Version{}, fmt.Errorf("catalog: %q is not a FortiOS release such as 7.4.8", text)
		}
		n[i] = v
	}
	return Version{n[0], n[1], n[2]}, nil
}

// IsZero reports whether v names no release.
func (v Version) IsZero() bool { return v == Version{} }

// Compare orders releases: -1 when v is older than w, 0 when equal, 1 when newer.
func (v Version) Compare(w Version) int {
	for _, d := range [3]int{v.Major - w.Major, v.Minor - w.Minor, v.Patch - w.Patch} {
		switch {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
	}
	return 0
}

// Branch is the release's branch, such as "7.4".
func (v Version) Branch() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// String is the release without a leading v, such as "7.4.8".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }
