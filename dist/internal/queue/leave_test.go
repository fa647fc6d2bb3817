package queue

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
)

// Shows that a lane stays open until the server has answered what it was asked, so that a
// unit which is handed out meanwhile goes back at once and is not lost on its way, and that
// nothing else is waited for. The time is that of the test.
func TestLeavingALane(t *testing.T) {
	const from, wait = "$JS.API.CONSUMER.MSG.NEXT.s.c", 3 * time.Second
	for _, c := range []struct {
		name string
		// unasked says that nothing was asked.
		unasked bool
		// before and then are what the server says before the lane is left, and after.
		before, then func(*scripted) bool
		back         []string
		after        time.Duration
	}{
		{name: "a unit comes", then: func(s *scripted) bool { return s.answer(from, "", "unit") }, back: []string{"unit"}},
		{name: "there is none", then: func(s *scripted) bool { return s.answer(from, "408 Request Timeout", "") }},
		{name: "the lane is deleted", then: func(s *scripted) bool { return s.answer(from, "409 Consumer Deleted", "") }},
		{name: "the connection is lost", then: func(s *scripted) bool { return s.conn.Close() == nil }},
		{name: "the server says nothing", after: wait + late},
		{name: "nothing was asked", unasked: true},
		{name: "a unit has come", before: func(s *scripted) bool { return s.answer(from, "", "unit") }, back: []string{"unit"}},
		{name: "a unit has come, and the connection is lost", before: func(s *scripted) bool { return s.answer(from, "", "unit") && s.conn.Close() == nil }, back: []string{"unit"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, q := script(t)
				l, err := q.Lane("s", "c")
				if err != nil {
					t.Fatal(err)
				}
				ended, end := context.WithCancel(t.Context())
				end()
				if !c.unasked {
					if m, err := l.Next(ended, wait); m != nil || err != nil { // it has asked by then
						t.Fatal(m, err)
					}
				}
				synctest.Wait()
				if c.before != nil && !c.before(s) {
					t.Fatal("nobody listens")
				}
				synctest.Wait()
				begun, left := time.Now(), make(chan struct{})
				var back []string
				go func() {
					defer close(left)
					l.Leave(func(m *nats.Msg) { back = append(back, string(m.Data)) })
				}()
				synctest.Wait()
				if c.then != nil && !c.then(s) {
					t.Error("the lane is closed before the server has answered")
				}
				<-left
				if took := time.Since(begun); !slices.Equal(back, c.back) || took != c.after {
					t.Errorf("%q went back, and it took %s; want %q and %s", back, took, c.back, c.after)
				}
				synctest.Wait()
				if _, open := s.subs[l.to]; open && q.Conn.IsConnected() {
					t.Error("the lane is not closed")
				}
			})
		})
	}
}
