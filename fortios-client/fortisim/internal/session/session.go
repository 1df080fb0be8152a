// Package session keeps the log-ins of people and older clients: a cookie that
// names the session and a token that its writes repeat.
package session

import "time"

// Session is one log-in.
type Session struct {
	// Admin is the administrator's name.
	Admin string
	// Cookie and CSRF are the secrets that the client was given.
	Cookie, CSRF string

	until time.Time
}

// Store holds the sessions of a device. It is not safe for concurrent use.
type Store struct {
	byCookie map[string]*Session
}

// limit bounds the sessions; the device's own limit is not known.
const limit = 1000

// Open begins a session that ends after idle without a request. False if there
// are too many.
func (s *Store) Open(one Session, now time.Time, idle time.Duration) bool {
	for cookie, other := range s.byCookie {
		if !now.Before(other.until) {
			delete(s.byCookie, cookie)
		}
	}
	if len(s.byCookie) >= limit {
		return false
	}
	if s.byCookie == nil {
		s.byCookie = map[string]*Session{}
	}
	one.until = now.Add(idle)
	s.byCookie[one.Cookie] = &one
	return true
}

// Find is the session of a cookie; using it puts off its end.
func (s *Store) Find(cookie string, now time.Time, idle time.Duration) (Session, bool) {
	one := s.byCookie[cookie]
	if one == nil || !now.Before(one.until) {
		delete(s.byCookie, cookie)
		return Session{}, false
	}
	one.until = now.Add(idle)
	return *one, true
}

// Close ends a session.
func (s *Store) Close(cookie string) { delete(s.byCookie, cookie) }

// Admins are the names of those who are logged in, in no order.
func (s *Store) Admins(now time.Time) []string {
	var out []string
	for _, one := range s.byCookie {
		if now.Before(one.until) {
			out = append(out, one.Admin)
		}
	}
	return out
}
