package faults_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a kind is said to look at no answer exactly where none of two
// answers, and none at all, makes a difference to what it lays out.
func TestAnswerless(t *testing.T) {
	clients := append([]client{
		{"mcp", mcp.Adapter{}, providers.Input{RPC: providers.RPC{Method: "tools/call"}, BaseURL: "https://tools.example"}},
		{"sql", sql.Adapter{}, providers.Input{Statement: "select 1", BaseURL: "postgres://u@db/d"}},
	}, everywhere...)
	for _, k := range faults.Kinds() {
		for _, args := range []schema.Values{
			{}, {"where": "frame"}, {"after_bytes": 2}, {"content": "its own"}, {"content_type": "text/csv"}, {"chunks": []string{"its", "own"}},
		} {
			if !takes(k, args) {
				continue
			}
			looks, played := false, false
			for _, c := range clients {
				for _, name := range []string{"", "first", "second"} {
					s := c.strike(args)
					if name != "" {
						s.Base = c.answer(name)
					}
					script, err := k.Script(s)
					plain, plainErr := k.Script(c.strike(args))
					played = played || plainErr == nil
					looks = looks || (err == nil) != (plainErr == nil) || err == nil && !reflect.DeepEqual(script, plain)
				}
			}
			if played && looks == (k.Answerless != nil && k.Answerless(args)) {
				t.Errorf("%s with %v: it looks at an answer is %t", k.Name, args, looks)
			}
		}
	}
}

// takes reports whether a kind has all of some arguments.
func takes(k *faults.Kind, args schema.Values) bool {
	own := schema.Block{Attrs: k.Attrs}
	for name := range args {
		if own.Attr(name) == nil {
			return false
		}
	}
	return true
}

// answer is a whole answer that takes its time.
func (c client) answer(content string) *wire.Response {
	resp := c.adapter.Render(c.in, providers.Output{Content: content, Body: []byte(content), Latency: time.Duration(len(content)) * time.Second})
	return &resp
}

// Shows that a kind is said to be endless exactly where a wait before it makes
// no difference to who waits for its end.
func TestEndless(t *testing.T) {
	for _, k := range faults.Kinds() {
		s := faults.Strike{Host: "h", Path: "/", Vendor: actor.Protocol{}}
		script, err := k.Script(s)
		if err != nil || len(script.Ops) == 0 {
			continue
		}
		s.After, s.HasAfter = time.Second, true
		waited, err := k.Script(s)
		if err != nil || len(waited.Ops) == 0 {
			continue
		}
		endless := waited.Ops[len(waited.Ops)-1].End == wire.EndHang && script.Ops[len(script.Ops)-1].End == wire.EndHang
		if endless != k.Endless {
			t.Errorf("%s: endless is %t", k.Name, endless)
		}
	}
}
