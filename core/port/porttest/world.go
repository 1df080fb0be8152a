package porttest

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/port"
)

// ClockHarness is the harness of [RunClock].
type ClockHarness struct {
	New func(t *testing.T) port.Clock
	// Without may declare RealTime.
	Without Without
}

// RunClock checks [port.Clock].
func RunClock(t *testing.T, h ClockHarness) {
	t.Run("time does not go back while it is asked", func(t *testing.T) {
		c := h.New(t)
		first, id, since := c.Now(), bootID(c), bootTime(c)
		for range 100 {
			if c.Now().Before(first) || bootTime(c) < since || bootID(c) != id {
				t.Fatalf("%v, %v in %q after %v, %v in %q", c.Now(), bootTime(c), bootID(c), first, since, id)
			}
		}
		if since < 0 || first.IsZero() {
			t.Errorf("now %v, %v since the start", first, since)
		}
	})
	t.Run("Sleep lets the time pass on both clocks", func(t *testing.T) {
		c := h.New(t)
		before, since := c.Now(), bootTime(c)
		must(t, c.Sleep(t.Context(), time.Millisecond))
		if c.Now().Sub(before) < time.Millisecond {
			t.Errorf("%v passed", c.Now().Sub(before))
		}
		if bootID(c) != "" && bootTime(c)-since < time.Millisecond/2 {
			t.Errorf("%v passed since the start", bootTime(c)-since)
		}
	})
	t.Run("Sleep of nothing returns at once", func(t *testing.T) {
		must(t, h.New(t).Sleep(t.Context(), 0))
		must(t, h.New(t).Sleep(t.Context(), -time.Hour))
	})
	t.Run("a cancelled Sleep returns the context's error", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(errors.New("enough"))
		if err := h.New(t).Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("Sleep: %v", err)
		}
	})
	t.Run("Sleep ends when its context does", func(t *testing.T) {
		h.Without.need(t, RealTime, true)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := h.New(t).Sleep(ctx, time.Hour); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Sleep: %v", err)
		}
	})
}

func bootID(c port.Clock) string { id, _ := c.Boot(); return id }

func bootTime(c port.Clock) time.Duration { _, since := c.Boot(); return since }

// RandomHarness is the harness of [RunRandom].
type RandomHarness struct {
	New func(t *testing.T) port.Random
	// Without may declare Chance.
	Without Without
}

// RunRandom checks [port.Random].
func RunRandom(t *testing.T, h RandomHarness) {
	t.Run("it gives as many bytes as were asked for", func(t *testing.T) {
		r := h.New(t)
		for _, n := range []int{0, 1, 3, 16, 31, 32, 33, 1000} {
			b, err := r.Bytes(n)
			must(t, err)
			if len(b) != n {
				t.Errorf("%d bytes, want %d", len(b), n)
			}
		}
	})
	t.Run("draws differ, also at once", func(t *testing.T) {
		h.Without.need(t, Chance, true)
		r := h.New(t)
		drawn := make(chan []byte, 32)
		for _, err := range race(32, func(int) error {
			b, err := r.Bytes(16)
			drawn <- b
			return err
		}) {
			must(t, err)
		}
		seen := map[string]bool{}
		for range 32 {
			seen[string(<-drawn)] = true
		}
		if len(seen) != 32 {
			t.Errorf("32 draws gave %d values", len(seen))
		}
	})
	t.Run("bytes belong to the caller", func(t *testing.T) {
		h.Without.need(t, Chance, true)
		r := h.New(t)
		first, err := r.Bytes(16)
		must(t, err)
		kept := bytes.Clone(first)
		_, err = r.Bytes(16)
		must(t, err)
		if !bytes.Equal(first, kept) {
			t.Error("a second draw changed the first")
		}
	})
}
