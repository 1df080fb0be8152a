package harness

import (
	"encoding/json"
	"os"
)

// Simulation is a running forti simulate.
type Simulation struct {
	Host, Token string
	Port        int
	Pin         string `json:"pin_sha256"`
}

// Simulate runs forti simulate, on a port of its own, until the end of the test.
func (l *Lab) Simulate(flags ...string) Simulation {
	l.TB.Helper()
	cmd := l.Command("forti", append([]string{"simulate", "--listen", "127.0.0.1:0", "-o", "json"}, flags...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		l.TB.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.TB.Fatal(err)
	}
	l.TB.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	var serving struct{ Data Simulation }
	if err := json.NewDecoder(out).Decode(&serving); err != nil {
		l.TB.Fatal(err)
	}
	return serving.Data
}
