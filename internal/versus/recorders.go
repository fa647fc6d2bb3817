package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/dnaeon/go-vcr/v2/recorder"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// A peer is a recorder under comparison.
type peer struct {
	name string
	// start makes it ready to record from a server, in a folder of its own.
	start func(dir, upstream string) (session, error)
}

// A session is one recorder at work: first a recording, then a replay.
type session interface {
	// record returns a client and the address that it calls.
	record(b behaviour) (doer, string, error)
	// replay is called once, when all is recorded and the server is gone.
	replay() error
	client(b behaviour) (doer, string, error)
	close()
}

var errNothing = errors.New("nothing was recorded")

// peers are compared in this order.
var peers = []peer{
	{"scenario", startOurs},
	{"go-vcr v2", startVCR},
	{"aimock", startAIMock},
	{"WireMock", startWireMock},
}

// ours records with the recorder that `scenario record` uses and replays through
// the player of `scenario test`, on a clock that really waits.
type ours struct {
	upstream, path string
	recorder       *cassette.Recorder
	player         *cassette.Player
	attempts       map[string]int
}

func startOurs(dir, upstream string) (session, error) {
	o := &ours{upstream: upstream, path: filepath.Join(dir, "cassette.yaml"), attempts: map[string]int{}}
	var err error
	o.recorder, err = cassette.NewRecorder(o.path, cassette.RecordOptions{})
	return o, err
}

type doing func(*http.Request) (*http.Response, error)

func (f doing) Do(r *http.Request) (*http.Response, error) { return f(r) }

func (o *ours) call(b behaviour, req *http.Request) wire.Call {
	o.attempts[b.name]++
	_, body := request(context.Background(), o.upstream, b)
	return wire.Call{Step: b.name, Target: "main", Attempt: o.attempts[b.name], Request: req, Body: []byte(body)}
}

func (o *ours) record(b behaviour) (doer, string, error) {
	return doing(func(req *http.Request) (*http.Response, error) {
		take := o.recorder.Begin(o.call(b, req), cassette.TakeOptions{Now: time.Now})
		resp, err := take.RoundTrip(http.DefaultTransport, req)
		if err != nil {
			return nil, errors.Join(err, take.Seal(true))
		}
		resp.Body = sealing{resp.Body, take}
		return resp, nil
	}), o.upstream, nil
}

// sealing ends a take with its body.
type sealing struct {
	readCloser
	take *cassette.Take
}

type readCloser interface {
	Read([]byte) (int, error)
	Close() error
}

func (s sealing) Close() error { return errors.Join(s.readCloser.Close(), s.take.Seal(true)) }

func (o *ours) replay() error {
	if _, err := o.recorder.Commit(nil); err != nil {
		return err
	}
	if err := o.recorder.Close(); err != nil {
		return err
	}
	clear(o.attempts)
	c, err := cassette.Load(o.path)
	if err == nil {
		o.player, err = cassette.NewPlayer(c, cassette.Options{})
	}
	return err
}

func (o *ours) client(b behaviour) (doer, string, error) {
	return doing(func(req *http.Request) (*http.Response, error) {
		script, err := o.player.Next(req.Context(), o.call(b, req))
		if err != nil {
			return nil, err
		}
		return script.RoundTrip(wire.System(), req)
	}), o.upstream, nil
}

func (o *ours) close() { _ = o.recorder.Close() }

// govcr records every behaviour into a file of its own, so that a failure to
// record one does not hide the others.
type govcr struct {
	dir, upstream string
	open          []*recorder.Recorder
}

func startVCR(dir, upstream string) (session, error) {
	return &govcr{dir: dir, upstream: upstream}, nil
}

func (g *govcr) at(b behaviour, mode recorder.Mode) (doer, string, error) {
	r, err := recorder.NewAsMode(filepath.Join(g.dir, b.name), mode, http.DefaultTransport)
	if err != nil {
		return nil, "", err
	}
	g.open = append(g.open, r)
	return &http.Client{Transport: r}, g.upstream, nil
}

func (g *govcr) record(b behaviour) (doer, string, error) { return g.at(b, recorder.ModeRecording) }

func (g *govcr) replay() error {
	for _, r := range g.open {
		if err := r.Stop(); err != nil {
			return err
		}
	}
	g.open = nil
	return nil
}

func (g *govcr) client(b behaviour) (doer, string, error) {
	if _, err := os.Stat(filepath.Join(g.dir, b.name+".yaml")); err != nil {
		return nil, "", errNothing
	}
	return g.at(b, recorder.ModeReplaying)
}

func (g *govcr) close() {}
