package server

import (
	"io"
	"sync"
	"time"
)

// What is read of a refusal before its head is passed on: many clients ask again as soon
// as they have the status, and never read why. What the service said is recorded all the
// same.
// How long is [interp.RefusalFor], since a replay goes by it.
const refusalMax = 64 << 10

// An aheadBody is a body that is read by a goroutine of its own until a number of bytes
// wait for their reader.
type aheadBody struct {
	body io.ReadCloser
	max  int

	mu   sync.Mutex
	more *sync.Cond // of all that follows
	read []byte
	// err is the end of the body, nil before it.
	err    error
	closed bool
}

// readAhead returns when the body has ended, or that many bytes of it or that much time
// have passed. The rest comes as it comes.
func readAhead(body io.ReadCloser, max int, limit time.Duration) io.ReadCloser {
	b := &aheadBody{body: body, max: max}
	b.more = sync.NewCond(&b.mu)
	late := false
	timer := time.AfterFunc(limit, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		late = true
		b.more.Broadcast()
	})
	defer timer.Stop()
	go b.fill()
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.err == nil && len(b.read) < max && !late {
		b.more.Wait()
	}
	return b
}

// fill reads until the body ends, and no more than there is room for.
func (b *aheadBody) fill() {
	piece := make([]byte, 4<<10)
	for {
		n, err := b.body.Read(piece)
		b.mu.Lock()
		b.read, b.err = append(b.read, piece[:n]...), err
		b.more.Broadcast()
		for len(b.read) >= b.max && !b.closed {
			b.more.Wait()
		}
		ends := b.err != nil || b.closed
		b.mu.Unlock()
		if ends {
			return
		}
	}
}

// Read implements io.Reader.
func (b *aheadBody) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.read) == 0 && b.err == nil {
		b.more.Wait()
	}
	if len(b.read) == 0 {
		return 0, b.err
	}
	n := copy(p, b.read)
	b.read = b.read[n:]
	b.more.Broadcast()
	return n, nil
}

// Close implements io.Closer.
func (b *aheadBody) Close() error {
	b.mu.Lock()
	b.closed = true
	b.more.Broadcast()
	b.mu.Unlock()
	return b.body.Close()
}
