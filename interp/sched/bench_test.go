package sched

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// BenchmarkSleep shows what an event costs when tasks sleep in turn.
func BenchmarkSleep(b *testing.B) {
	for _, tasks := range []int{1, 10, 1000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			b.ReportAllocs()
			s := New()
			s.EventLimit = 0
			err := s.Run(func(ctx context.Context) {
				for i := range tasks {
					s.Go(ctx, "sleeper", i, func(ctx context.Context) {
						for range b.N / tasks {
							_ = s.Sleep(ctx, time.Second)
						}
					})
				}
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

// BenchmarkSleepUnderTimeout shows what a sleep costs under a context with a
// deadline of its own, as every attempt has.
func BenchmarkSleepUnderTimeout(b *testing.B) {
	b.ReportAllocs()
	s := New()
	s.EventLimit = 0
	err := s.Run(func(ctx context.Context) {
		for i := range 10 {
			s.Go(ctx, "sleeper", i, func(ctx context.Context) {
				for range b.N / 10 {
					ctx, cancel := s.WithTimeout(ctx, time.Minute)
					_ = s.Sleep(ctx, time.Second)
					cancel()
				}
			})
		}
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkMillionSleeps shows what a million pending events without tasks
// cost in time and memory.
func BenchmarkMillionSleeps(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		s := New()
		ran := 0
		err := s.Run(func(context.Context) {
			for i := range 1_000_000 {
				s.At(Completion, 0, time.Duration(i*7919%1_000_003), func() { ran++ })
			}
			_ = s.Sleep(s.root, time.Second)
		})
		if err != nil || ran != 1_000_000 {
			b.Fatal(err, ran)
		}
	}
}

// BenchmarkGoroutinePeer is what BenchmarkSleep is compared with: the same
// heap, with a goroutine for each task and channels to hand the turn over.
func BenchmarkGoroutinePeer(b *testing.B) {
	for _, tasks := range []int{10, 1000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			b.ReportAllocs()
			p := &peer{yield: make(chan struct{})}
			p.run(tasks, b.N/tasks)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
		})
	}
}

type peer struct {
	heap  heap
	seq   uint64
	yield chan struct{}
}

type peerTask struct {
	turn chan struct{}
	done bool
}

func (p *peer) run(tasks, sleeps int) {
	turns := map[*event]*peerTask{}
	var all sync.WaitGroup
	for range tasks {
		t, ev := &peerTask{turn: make(chan struct{})}, &event{}
		turns[ev] = t
		p.push(0, ev)
		all.Go(func() {
			<-t.turn
			for i := range sleeps {
				p.push(int64(i+1)*int64(time.Second), ev)
				p.yield <- struct{}{}
				<-t.turn
			}
			t.done = true
			p.yield <- struct{}{}
		})
	}
	for len(p.heap) > 0 {
		t := turns[p.heap[0].ev]
		p.heap.pop()
		t.turn <- struct{}{}
		<-p.yield
	}
	all.Wait()
}

func (p *peer) push(at int64, ev *event) {
	p.seq++
	ev.seq = p.seq
	p.heap.push(entry{at: at, seq: p.seq, ev: ev})
}
