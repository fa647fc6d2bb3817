package explore

import "testing"

// A deadlock names calls, and what others wait for, once each.
func TestWaitingFor(t *testing.T) {
	for _, c := range []struct {
		places []string
		want   string
	}{
		{[]string{"one"}, "1 call can wait for ever: one"},
		{[]string{"all of one", "one", "two", "all of two"}, "2 calls can wait for ever: one, two"},
		{[]string{"one", "all of target bank"}, "1 call can wait for ever: one; and whoever waits for bank"},
		{[]string{"reserve", "all of actor.stock", "actor.stock", "kill actor.stock", "unreachable actor.stock"}, "1 call can wait for ever: reserve; and whoever waits for actor.stock"},
		{[]string{"kill actor.stock", "kill actor.pay"}, "whoever waits for actor.stock, actor.pay can wait for ever"},
	} {
		if got := waitingFor(c.places); got != c.want {
			t.Errorf("of %q it is %q, want %q", c.places, got, c.want)
		}
	}
}
