package queue

import (
	"context"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// A breaking bucket has two entries, and its listings end early at first: after so many of
// them, and without the marker behind the last.
type breaking struct {
	jetstream.KeyValue
	after []int
	asked int
}

type listing struct {
	jetstream.KeyWatcher
	entries chan jetstream.KeyValueEntry
}

func (l listing) Updates() <-chan jetstream.KeyValueEntry { return l.entries }

func (listing) Stop() error { return nil }

type listed struct{ jetstream.KeyValueEntry }

func (b *breaking) WatchAll(context.Context, ...jetstream.WatchOpt) (jetstream.KeyWatcher, error) {
	l := listing{entries: make(chan jetstream.KeyValueEntry, 3)}
	defer close(l.entries)
	b.asked++
	if b.asked <= len(b.after) {
		for range b.after[b.asked-1] {
			l.entries <- listed{}
		}
		return l, nil
	}
	l.entries <- listed{}
	l.entries <- listed{}
	l.entries <- nil
	return l, nil
}

// Shows that a listing that ends early, as where the server goes away, is not taken for a
// whole one.
func TestListingThatEndsEarly(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	kv := &breaking{after: []int{0, 1}}
	if all, err := q.Entries(t.Context(), kv); err != nil || len(all) != 2 || kv.asked != 3 {
		t.Errorf("asked %d times for %d entries: %v", kv.asked, len(all), err)
	}
}
