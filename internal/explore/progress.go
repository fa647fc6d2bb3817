package explore

import "sync"

// Progress says how far a search is.
type Progress struct {
	// K is the size of the sets of the level under way, Made counts the runs of it, and
	// Of how many it has: what a run shows may add some.
	K, Made, Of int
	// Finds are those that nobody knew.
	Finds int
}

// progress tells somebody how far a search is, after each run. Runs end on several
// goroutines.
type progress struct {
	tell func(Progress)
	mu   sync.Mutex
	now  Progress
}

// level says where the search is, before runs of a level are made.
func (p *progress) level(k int, l *Level, finds []*Find) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = Progress{K: k, Made: l.Tried, Of: l.Sets}
	for _, f := range finds {
		if !f.Known {
			p.now.Finds++
		}
	}
}

// step says that a run of the level has ended.
func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now.Made++
	if p.tell != nil && p.now.K > 0 {
		p.tell(p.now)
	}
}
