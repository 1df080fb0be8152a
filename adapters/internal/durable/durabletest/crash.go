package durabletest

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Loss says what of the work that was not made durable a crash takes with it. A
// file system may behave in any of these ways, and in others between them.
type Loss int

// The losses.
const (
	// LoseAll: only what was synced is there.
	LoseAll Loss = iota
	// LoseData: all names are there, files hold only what was synced.
	LoseData
	// LoseNames: files hold everything, but names that were not synced are not there.
	LoseNames
	// LoseHalf: all names are there, and half of the data that was not synced.
	LoseHalf
	// LoseNothing: everything is there.
	LoseNothing
)

// Losses lists them.
func Losses() []Loss { return []Loss{LoseAll, LoseData, LoseNames, LoseHalf, LoseNothing} }

func (l Loss) String() string {
	return [...]string{"all lost", "data lost", "names lost", "half lost", "nothing lost"}[l]
}

// Image is what is on a disk: per name a directory or a file's number.
type Image struct {
	names map[string]int
	data  map[int][]byte
}

const directory = -1

// Crash shows the disk after a crash behind the given calls.
func Crash(calls []Call, loss Loss) Image {
	d := disk{seen: map[string]int{}, kept: map[string]int{}, written: map[int][]byte{}, synced: map[int][]byte{}}
	for _, c := range calls {
		if c.Err == nil {
			d.take(c)
		} else if c.Kind == Write {
			d.written[c.File] = append(d.written[c.File], c.Data[:len(c.Data)/2]...)
		}
	}
	im := Image{names: d.kept, data: map[int][]byte{}}
	if loss == LoseData || loss == LoseHalf || loss == LoseNothing {
		im.names = d.seen
	}
	for number, written := range d.written {
		im.data[number] = left(written, d.synced[number], loss)
	}
	return im
}

func left(written, synced []byte, loss Loss) []byte {
	switch loss {
	case LoseAll, LoseData:
		return synced
	case LoseHalf:
		if len(written) > len(synced) {
			return written[:len(synced)+(len(written)-len(synced))/2]
		}
	case LoseNames, LoseNothing:
	}
	return written
}

// disk is what processes see and what would survive.
type disk struct {
	seen, kept      map[string]int
	written, synced map[int][]byte
}

func (d *disk) take(c Call) {
	switch c.Kind {
	case Create:
		d.seen[c.Name], d.written[c.File] = c.File, nil
	case Write:
		d.written[c.File] = append(slices.Clip(d.written[c.File]), c.Data...)
	case Truncate:
		d.written[c.File] = d.written[c.File][:c.Size]
	case Sync:
		d.synced[c.File] = slices.Clone(d.written[c.File])
	case Mkdir:
		d.seen[c.Name] = directory
	case Link:
		d.seen[c.To] = d.seen[c.Name]
	case Rename:
		d.seen[c.To] = d.seen[c.Name]
		delete(d.seen, c.Name)
	case Remove:
		delete(d.seen, c.Name)
	case SyncDir:
		d.keep(c.Name)
	case Mark:
	}
}

// keep makes the names of one directory survive as they are.
func (d *disk) keep(dir string) {
	maps.DeleteFunc(d.kept, func(name string, _ int) bool { return path.Dir(name) == dir })
	for name, number := range d.seen {
		if path.Dir(name) == dir {
			d.kept[name] = number
		}
	}
}

// Write puts the image into an empty directory. A name whose directory did not
// survive is not reachable.
func (im Image) Write(dir string) error {
	first := map[int]string{}
	for _, name := range slices.Sorted(maps.Keys(im.names)) {
		number, to := im.names[name], filepath.Join(dir, filepath.FromSlash(name))
		var err error
		switch {
		case im.orphan(name):
			continue
		case number == directory:
			err = os.Mkdir(to, 0o700)
		case first[number] != "":
			err = os.Link(first[number], to)
		default:
			first[number] = to
			err = os.WriteFile(to, im.data[number], 0o600)
		}
		if err != nil {
			return fmt.Errorf("writing the image: %w", err)
		}
	}
	return nil
}

func (im Image) orphan(name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, there := im.names[dir]; !there {
			return true
		}
	}
	return false
}
