package program

import "time"

// grace is how long after the end of the time the program as it is may be run again.
const grace = 3 * time.Second

// count closes end where the time is over or somebody ends it all, and last where the program as it is may not be run
// any more either. It stops where stop is closed.
func (o *Options) count(end, last chan<- struct{}, stop <-chan struct{}) {
	wait := func(d time.Duration) (ended bool) {
		var over <-chan time.Time // where there is no limit, it is never over
		if o.Limit > 0 {
			over = o.After(d)
		}
		select {
		case <-o.Done:
			return true
		case <-stop:
			return true
		case <-over:
			return false
		}
	}
	ended := wait(o.Limit - o.Spent)
	close(end)
	if !ended {
		wait(grace)
	}
	close(last)
}

// cut reports whether what ends the runs of a worker has come, so that the result of the one under way is none.
func (w *worker) cut() bool { return closed(w.ends) }

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
