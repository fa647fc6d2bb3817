package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// replayed is about how many requests a sample has, whatever the size of the
// cassette.
const replayed = 20_000

// replays are requests that a cassette answers, and requests that are hashed
// and looked up in a map.
func replays() []work {
	var all []work
	for _, of := range []struct {
		size  int
		order string
	}{{10, "forward"}, {1000, "random"}, {10_000, "backward"}, {10_000, "random"}} {
		name := fmt.Sprintf("replay/%d-%s", of.size, of.order)
		all = append(all,
			work{name, func() (func() (int, error), error) { return replay(of.size, of.order) }},
			work{name + "/floor", func() (func() (int, error), error) { return lookUp(of.size, of.order) }})
	}
	return all
}

// recorded is a cassette of so many questions, and the order to ask them in.
func recorded(size int, order string) (c *cassette.Cassette, calls []wire.Call, err error) {
	c = &cassette.Cassette{Path: "many.yaml", Format: "go-vcr 1"}
	calls = make([]wire.Call, size)
	asked := rand.New(rand.NewSource(1)).Perm(size)
	for i := range size {
		it := &cassette.Interaction{
			Index: i + 1, Target: "main", Method: http.MethodPost, URL: "https://api.example.com/v1/chat/completions",
			RequestHeader: http.Header{"Content-Type": {"application/json"}},
			RequestBody:   fmt.Appendf(nil, `{"model":"m","messages":[{"role":"user","content":"question %d"}]}`, i),
			Response: wire.Response{
				Status: 200, Wait: time.Second, Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
				Parts: []wire.Part{{Data: fmt.Appendf(nil, `{"n":%d}`, i)}},
			},
			Duration: time.Second,
		}
		c.Interactions = append(c.Interactions, it)
		r, err := http.NewRequest(it.Method, it.URL, bytes.NewReader(it.RequestBody))
		if err != nil {
			return nil, nil, err
		}
		r.Header = it.RequestHeader.Clone()
		at := i
		switch order {
		case "backward":
			at = size - 1 - i
		case "random":
			at = asked[i]
		}
		calls[at] = wire.Call{Target: "main", Attempt: 1, Request: r, Body: it.RequestBody}
	}
	return c, calls, nil
}

func replay(size int, order string) (func() (int, error), error) {
	c, calls, err := recorded(size, order)
	if err != nil {
		return nil, err
	}
	return func() (n int, err error) {
		for n < replayed {
			p, err := cassette.NewPlayer(c, cassette.Options{})
			if err != nil {
				return n, err
			}
			for _, call := range calls {
				if _, err := p.Next(context.Background(), call); err != nil {
					return n, err
				}
			}
			n += len(calls)
		}
		return n, nil
	}, nil
}

func lookUp(size int, order string) (func() (int, error), error) {
	c, calls, err := recorded(size, order)
	if err != nil {
		return nil, err
	}
	keyOf := func(method, url string, body []byte) (key [sha256.Size]byte) {
		h := sha256.New()
		fmt.Fprintf(h, "%s %s\n", method, url)
		h.Write(body)
		return [sha256.Size]byte(h.Sum(key[:0]))
	}
	index := map[[sha256.Size]byte]*cassette.Interaction{}
	for _, it := range c.Interactions {
		index[keyOf(it.Method, it.URL, it.RequestBody)] = it
	}
	return func() (n int, err error) {
		for n < replayed {
			for _, call := range calls {
				if index[keyOf(call.Request.Method, call.Request.URL.String(), call.Body)] == nil {
					return n, fmt.Errorf("%s is not in the map", call.Body)
				}
			}
			n += len(calls)
		}
		return n, nil
	}, nil
}
