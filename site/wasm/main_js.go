package main

import (
	"encoding/json"
	"io"
	"sync"
	"syscall/js"

	"github.com/scenario-lang/scenario/site/internal/play"
)

// main gives the worker that loads it two functions. scenarioRun(files, name) takes
// texts by path as JSON and returns the answer as JSON; scenarioLanguage(bytes, reply)
// starts a language server, whose messages go to reply, and returns the function that
// takes those of the editor.
func main() {
	js.Global().Set("scenarioRun", js.FuncOf(run))
	js.Global().Set("scenarioLanguage", js.FuncOf(language))
	select {}
}

func run(_ js.Value, args []js.Value) any {
	files := map[string]string{}
	if err := json.Unmarshal([]byte(args[0].String()), &files); err != nil {
		return `{"code":6,"messages":"the editor sent no files"}`
	}
	text, err := json.Marshal(play.Run(files, args[1].String()))
	if err != nil {
		return `{"code":6,"messages":"the answer cannot be written"}`
	}
	return string(text)
}

func language(_ js.Value, args []js.Value) any {
	in := &mailbox{}
	in.filled.L = &in.mu
	go func() { _ = play.Serve(in, replies{args[0]}) }() // it ends with the worker
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.put([]byte(args[0].String()))
		return nil
	})
}

// replies hands on what the server writes, which is one message at a time.
type replies struct{ to js.Value }

func (r replies) Write(p []byte) (int, error) {
	r.to.Invoke(string(p))
	return len(p), nil
}

// A mailbox is what the editor sends. Putting something in never waits: the event
// loop that puts it there is the one that everything else runs on.
type mailbox struct {
	mu     sync.Mutex
	filled sync.Cond
	text   []byte
}

func (m *mailbox) put(p []byte) {
	m.mu.Lock()
	m.text = append(m.text, p...)
	m.mu.Unlock()
	m.filled.Signal()
}

// Read implements io.Reader.
func (m *mailbox) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.text) == 0 {
		m.filled.Wait()
	}
	n := copy(p, m.text)
	m.text = m.text[n:]
	return n, nil
}

var _ io.Reader = (*mailbox)(nil)
