package pool

import (
	"sync/atomic"
)

// A State says how far one piece of work came.
type State int

const (
	// NotStarted is work that no worker took.
	NotStarted State = iota
	// NotFinished is work that was under way when the pool was stopped.
	NotFinished
	// Finished is work with a result.
	Finished
)

// aheadPerWorker bounds how many results wait for a slow one before them, so
// that memory does not grow with the suite.
const aheadPerWorker = 16

// Ordered does n pieces of work on several goroutines and hands the results to
// emit, in order, on its own. When stop is closed it waits for nothing more:
// emit gets what is finished, and for the rest the zero value. When emit
// returns false nothing further is started and the rest counts as not started,
// whatever was: what follows is then the same for any number of workers.
func Ordered[T any](n, workers int, stop <-chan struct{}, work func(i int) T, emit func(i int, v T, s State) bool) {
	workers = max(1, min(workers, n))
	p := newPool(n, workers*aheadPerWorker, stop, work)
	p.run(workers, emit)
}

// Jumbled is Ordered, but that work begins in the order that turns lists, each
// piece once. The piece that is emitted first may be the last that is begun,
// so that any number of results waits; it is for the caller to keep them small.
// Each time pieces are done it tells on its own goroutine how many.
func Jumbled[T any](turns []int, workers int, stop <-chan struct{}, work func(i int) T, emit func(i int, v T, s State) bool, told func(done int)) {
	n := len(turns)
	p := newPool(n, n, stop, work)
	p.turns, p.rank = turns, make([]int, n)
	for turn, i := range turns {
		p.rank[i] = turn
	}
	p.tick, p.told = make(chan struct{}, 1), told
	p.run(max(1, min(workers, n)), emit)
}

// newPool makes one for n pieces, of which so many may be taken and not emitted.
func newPool[T any](n, ahead int, stop <-chan struct{}, work func(int) T) *pool[T] {
	p := &pool[T]{n: n, stop: stop, quit: make(chan struct{}), ahead: make(chan struct{}, ahead), results: make([]chan T, min(n, ahead)), work: work}
	for i := range p.results {
		p.results[i] = make(chan T, 1)
	}
	return p
}

// run starts the workers and emits what they do.
func (p *pool[T]) run(workers int, emit func(i int, v T, s State) bool) {
	for range workers {
		go p.worker()
	}
	more := true
	for i := range p.n {
		var v T
		s := NotStarted
		if more {
			v, s = p.wait(i)
		}
		if !emit(i, v, s) && more {
			more = false
			close(p.quit)
		}
	}
	if more {
		close(p.quit)
	}
}

type pool[T any] struct {
	n     int
	stop  <-chan struct{}
	quit  chan struct{}
	ahead chan struct{}
	next  atomic.Int64
	// results are those that were taken and not emitted, which follow each other: each
	// stands at its number, modulo how many there may be.
	results []chan T
	work    func(int) T
	// stopped says that a wait has seen the stop, and begun how many turns had been given
	// out by then. Both belong to the goroutine that emits.
	stopped bool
	begun   int64

	// turns lists the pieces in the order in which they begin, and rank has the
	// turn of each; both are nil where that is the order of emission.
	turns, rank []int
	// tick says that done has grown, and told is told of it.
	tick chan struct{}
	done atomic.Int64
	told func(int)
}

func (p *pool[T]) worker() {
	for {
		select {
		case <-p.stop:
			return
		case <-p.quit:
			return
		case p.ahead <- struct{}{}:
		}
		if Closed(p.stop) || Closed(p.quit) {
			return
		}
		i := int(p.next.Add(1)) - 1
		if i >= p.n {
			return
		}
		if p.turns != nil {
			i = p.turns[i]
		}
		p.result(i) <- p.work(i)
		p.done.Add(1)
		select {
		case p.tick <- struct{}{}:
		default:
		}
	}
}

// wait returns the result of piece i as soon as it is there, or what is known
// of it when the pool stops.
func (p *pool[T]) wait(i int) (T, State) {
	result := p.result(i)
	for !p.stopped {
		select {
		case v := <-result:
			<-p.ahead
			return v, Finished
		case <-p.tick:
			p.told(int(p.done.Load()))
		case <-p.stop:
			// No turn is given out from here on, so that what has begun is known for good.
			p.stopped, p.begun = true, p.next.Swap(int64(p.n))
		}
	}
	var none T
	turn := i
	if p.rank != nil {
		turn = p.rank[i]
	}
	// What did not begin is told first: the place of its result may hold one that was
	// finished after it was emitted as not finished.
	if int64(turn) >= p.begun {
		return none, NotStarted
	}
	select {
	case v := <-result:
		return v, Finished
	default:
		return none, NotFinished
	}
}

func (p *pool[T]) result(i int) chan T { return p.results[i%len(p.results)] }

// Closed reports whether a channel is closed; nothing may be sent on it.
func Closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
