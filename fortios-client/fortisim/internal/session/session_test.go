package session

import (
	"fmt"
	"testing"
	"time"
)

func TestASessionEndsAfterItsIdleTimeAndUseExtendsIt(t *testing.T) {
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	var s Store
	if _, ok := s.Find("c", now, time.Minute); ok {
		t.Error("an unknown cookie has a session")
	}
	s.Open(Session{Admin: "admin", Cookie: "c", CSRF: "t"}, now, time.Minute)
	for i := range 3 {
		if one, ok := s.Find("c", now.Add(time.Duration(i)*50*time.Second), time.Minute); !ok || one.CSRF != "t" {
			t.Errorf("use %d: %v %v", i, one, ok)
		}
	}
	if got := s.Admins(now); len(got) != 1 || got[0] != "admin" {
		t.Errorf("logged in: %v", got)
	}
	if _, ok := s.Find("c", now.Add(time.Hour), time.Minute); ok {
		t.Error("the session did not end")
	}
}

func TestAClosedSessionIsGone(t *testing.T) {
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	var s Store
	s.Open(Session{Cookie: "c"}, now, time.Minute)
	s.Close("c")
	if _, ok := s.Find("c", now, time.Minute); ok {
		t.Error("the session is still there")
	}
}

func TestTheNumberOfSessionsIsBoundedAndEndedOnesDoNotCount(t *testing.T) {
	now := time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC)
	var s Store
	for i := range limit {
		s.Open(Session{Cookie: fmt.Sprint(i)}, now, time.Minute)
	}
	if s.Open(Session{Cookie: "more"}, now, time.Minute) {
		t.Error("there is no limit")
	}
	if !s.Open(Session{Cookie: "more"}, now.Add(time.Hour), time.Minute) {
		t.Error("ended sessions count")
	}
}
