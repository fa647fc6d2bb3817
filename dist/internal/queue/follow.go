package queue

import (
	"context"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// listenEvery is how often a follower that hears nothing asks whether there is something,
// and listenMost is how many times in a row at most it finds something that it has not
// heard before another consumer takes the place of the one that does not deliver it.
const (
	listenEvery = 2 * time.Second
	listenMost  = 16
)

// A Follower passes on the messages that a stream has and those that arrive, each once and
// in order, until it is stopped. It does so even if the server was away for a while or has
// dropped the consumer: the client's own consumer may then stay silent for ever, without an
// error, so a follower also compares what it has heard with what the stream has.
type Follower struct {
	queue  *Queue
	stream string
	heads  bool
	take   func(jetstream.Msg)
	end    context.CancelFunc
	// every is how often it asks.
	every time.Duration

	// under are what is under way: what watches, and the ends of consumers.
	under sync.WaitGroup

	// taking is held while a message is passed on.
	taking sync.Mutex

	mu sync.Mutex
	// seen is the last message that was passed on.
	seen      uint64
	consumer  jetstream.Consumer
	listening jetstream.ConsumeContext
}

// Follow begins to pass the messages of a stream to take, one at a time; only their headers
// if heads is set. ctx bounds only the start. If the server loses messages that it had, those
// that it still has are passed on again.
func (q *Queue) Follow(ctx context.Context, stream string, heads bool, take func(jetstream.Msg)) (*Follower, error) {
	return q.follow(ctx, listenEvery, stream, heads, take)
}

func (q *Queue) follow(ctx context.Context, every time.Duration, stream string, heads bool, take func(jetstream.Msg)) (*Follower, error) {
	f := &Follower{queue: q, stream: stream, heads: heads, take: take, every: every}
	if err := f.listen(ctx); err != nil {
		return nil, err
	}
	watching, end := context.WithCancel(context.Background())
	f.end = end
	f.under.Go(func() { f.watch(watching) })
	return f, nil
}

// listen opens a consumer of the messages behind the last one.
func (f *Follower) listen(ctx context.Context) error {
	config := jetstream.OrderedConsumerConfig{HeadersOnly: f.heads}
	if seen := f.last(); seen > 0 {
		config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, seen+1
	}
	return f.queue.Ask(ctx, func(ctx context.Context) error {
		c, err := f.queue.JS.OrderedConsumer(ctx, f.stream, config)
		if err != nil {
			return err
		}
		listening, err := c.Consume(f.heard, jetstream.PullMaxMessages(256))
		if err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.consumer, f.listening = c, listening
		return nil
	})
}

// heard passes a message on, unless a consumer before this one has delivered it.
func (f *Follower) heard(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		return
	}
	f.taking.Lock()
	defer f.taking.Unlock()
	if meta.Sequence.Stream <= f.last() {
		return
	}
	f.take(m)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = meta.Sequence.Stream
}

// last is the last message that was passed on.
func (f *Follower) last() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// A wait counts how often in a row a follower has not heard what is there. It may be on its
// way, and for long over a slow connection: each consumer that delivers nothing gives the
// next one twice the time.
type wait struct{ missed, most int }

// over ends it.
func (w *wait) over() { *w = wait{most: 1} }

// enough reports whether another consumer should try.
func (w *wait) enough() bool {
	if w.missed++; w.missed <= w.most {
		return false
	}
	*w = wait{most: min(2*w.most, listenMost)}
	return true
}

// watch asks, while nothing is heard, whether the stream has anything that was not.
func (f *Follower) watch(ctx context.Context) {
	before, w := uint64(0), wait{most: 1}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(f.every):
		}
		if seen := f.last(); seen != before {
			before = seen
			w.over()
			continue
		}
		there, err := f.there(ctx, before)
		if err != nil || there == before || f.last() != before {
			w.missed = 0
			continue
		}
		if !w.enough() {
			continue
		}
		f.quit()
		if there < before { // the server has lost what it had, and begins again with that number
			f.again()
			before = 0
		}
		if f.listen(ctx) == nil && ctx.Err() != nil { // it was stopped meanwhile
			f.quit()
		}
	}
}

// there is the last message of the stream that can be heard by who has heard seen. Where all
// have expired or were removed none is left behind that, though the stream still counts from
// its last number on.
func (f *Follower) there(ctx context.Context, seen uint64) (last uint64, err error) {
	err = f.queue.Ask(ctx, func(ctx context.Context) error {
		s, err := f.queue.JS.Stream(ctx, f.stream)
		if err != nil {
			return err
		}
		state := s.CachedInfo().State
		if last = state.LastSeq; state.Msgs == 0 && last > seen {
			last = seen
		}
		return nil
	})
	return last, err
}

// again has everything passed on once more.
func (f *Follower) again() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen = 0
}

// quitMax is how long the end of a consumer may take: the server may be away, and the client
// waits for it.
const quitMax = time.Second

// quit begins to end the consumer, which would otherwise stay on the server for minutes.
func (f *Follower) quit() {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, listening := f.consumer, f.listening
	f.under.Go(func() {
		listening.Stop()
		info := c.CachedInfo()
		if info == nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), quitMax)
		defer cancel()
		_ = f.queue.JS.DeleteConsumer(ctx, f.stream, info.Name)
	})
}

// Stop ends it, with all consumers that it had. What is being passed on at that moment still
// is.
func (f *Follower) Stop() {
	f.end()
	f.quit()
	ended := make(chan struct{})
	go func() {
		f.under.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(quitMax):
	}
}
