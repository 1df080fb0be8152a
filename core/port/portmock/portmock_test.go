package portmock_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/golang/mock/gomock"

	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/port/portmock"
	"github.com/forti-mcp/forti/core/wire"
)

// recorder is a test that may fail without the real one failing.
type recorder struct {
	*testing.T
	complaints []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	panic(r)
}

func TestOrderIsTold(t *testing.T) {
	journalled := func(j *portmock.MockJournal, w *portmock.MockDeviceWriter) {
		gomock.InOrder(
			j.EXPECT().Append(gomock.Any(), []byte("intent\n")).Return(nil),
			w.EXPECT().Send(gomock.Any(), gomock.Any(), gomock.Any()).Return(exchange.Exchange{Sent: true}),
		)
	}
	t.Run("the right order is accepted", func(t *testing.T) {
		c := gomock.NewController(t)
		j, w := portmock.NewMockJournal(c), portmock.NewMockDeviceWriter(c)
		journalled(j, w)
		if err := j.Append(t.Context(), []byte("intent\n")); err != nil {
			t.Error(err)
		}
		if e := w.Send(t.Context(), wire.Request{}, nil); !e.Sent {
			t.Errorf("%+v", e)
		}
	})
	t.Run("a request before its journal line is a failure", func(t *testing.T) {
		r := &recorder{T: t}
		func() {
			defer func() { _ = recover() }()
			c := gomock.NewController(r)
			j, w := portmock.NewMockJournal(c), portmock.NewMockDeviceWriter(c)
			journalled(j, w)
			w.Send(t.Context(), wire.Request{}, nil)
		}()
		if got := strings.Join(r.complaints, "\n"); !strings.Contains(got, "Send") || !strings.Contains(got, "prerequisite") {
			t.Errorf("the wrong order went through: %q", got)
		}
		r.complaints = nil
	})
}
