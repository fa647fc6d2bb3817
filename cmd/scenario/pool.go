package main

import (
	"sync/atomic"
)

// A progressState says how far one piece of work came.
type progressState int

const (
	notStarted progressState = iota
	notFinished
	finished
)

// aheadPerWorker bounds how many results wait for a slow one before them, so
// that memory does not grow with the suite.
const aheadPerWorker = 16

// ordered does n pieces of work on several goroutines and hands the results to
// emit, in order, on its own. When stop is closed it waits for nothing more:
// emit gets what is finished, and for the rest the zero value. When emit
// returns false nothing further is started and the rest counts as not started,
// whatever was: what follows is then the same for any number of workers.
func ordered[T any](n, workers int, stop <-chan struct{}, work func(i int) T, emit func(i int, v T, s progressState) bool) {
	p := &pool[T]{stop: stop, quit: make(chan struct{}), results: make([]chan T, n), work: work}
	workers = max(1, min(workers, n))
	p.ahead = make(chan struct{}, workers*aheadPerWorker)
	for i := range p.results {
		p.results[i] = make(chan T, 1)
	}
	for range workers {
		go p.worker()
	}
	more := true
	for i := range p.results {
		var v T
		s := notStarted
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
	stop    <-chan struct{}
	quit    chan struct{}
	ahead   chan struct{}
	next    atomic.Int64
	results []chan T
	work    func(int) T
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
		if closed(p.stop) || closed(p.quit) {
			return
		}
		i := int(p.next.Add(1)) - 1
		if i >= len(p.results) {
			return
		}
		p.results[i] <- p.work(i)
	}
}

// wait returns the result of piece i as soon as it is there, or what is known
// of it when the pool stops.
func (p *pool[T]) wait(i int) (T, progressState) {
	select {
	case v := <-p.results[i]:
		<-p.ahead
		return v, finished
	case <-p.stop:
	}
	select {
	case v := <-p.results[i]:
		return v, finished
	default:
	}
	var none T
	if int64(i) < p.next.Load() {
		return none, notFinished
	}
	return none, notStarted
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
