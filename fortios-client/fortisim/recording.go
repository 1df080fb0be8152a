package fortisim

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
)

// Recording is an answer that is given to a request whatever the configuration
// says: of another device, or written by hand. The client is authenticated as
// for any other request.
type Recording struct {
	// Method is GET if empty.
	Method string `json:"method"`
	// Path is the escaped path after /api/v2/, such as
	// "monitor/system/ha-peer".
	Path string `json:"path"`
	// Query are the parameters that the request must have at least.
	Query string `json:"query"`
	// Status is 200 if 0.
	Status int `json:"status"`
	// ContentType is application/json if empty.
	ContentType string `json:"content_type"`
	// File is where the body is, in the folder of the index.
	File string `json:"file"`
	// Body is what is answered.
	Body []byte `json:"-"`
}

// maxRecording bounds the body of a recording, in bytes.
const maxRecording = 16 << 20

// LoadRecordings reads a folder of recorded answers. Its file recordings.json is
// a list of objects with the members method, path, query, status, content_type
// and file, as Recording explains them.
func LoadRecordings(folder fs.FS) ([]Recording, error) {
	raw, err := fs.ReadFile(folder, "recordings.json")
	if err != nil {
		return nil, fmt.Errorf("fortisim: the index of the recordings: %w", err)
	}
	var list []Recording
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("fortisim: recordings.json is not a list of recordings: %w", err)
	}
	for i := range list {
		if list[i].Body, err = fs.ReadFile(folder, list[i].File); err != nil {
			return nil, fmt.Errorf("fortisim: recording %d: %w", i+1, err)
		}
	}
	return list, nil
}

func checkRecordings(list []Recording) error {
	for i, r := range list {
		if _, err := url.ParseQuery(r.Query); err != nil || r.Path == "" || len(r.Body) > maxRecording {
			return fmt.Errorf("fortisim: recording %d: %w", i+1, cmp.Or(err, errors.New("it needs a path, and a body of at most 16 MiB")))
		}
	}
	return nil
}

// recorded is the answer of the first recording that fits; nil if none does.
func (d *Device) recorded(r *http.Request) *answer {
	for _, one := range d.options.Recordings {
		if r.Method == cmp.Or(one.Method, http.MethodGet) && r.URL.EscapedPath() == apiPrefix+one.Path && hasAll(r.URL.Query(), one.Query) {
			return &answer{
				status: cmp.Or(one.Status, http.StatusOK),
				header: map[string]string{"Content-Type": cmp.Or(one.ContentType, "application/json")},
				body:   one.Body,
			}
		}
	}
	return nil
}

func hasAll(have url.Values, query string) bool {
	want, err := url.ParseQuery(query)
	if err != nil {
		return false
	}
	for name := range want {
		if have.Get(name) != want.Get(name) {
			return false
		}
	}
	return true
}
