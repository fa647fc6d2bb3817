// Package chrome drives a headless Chromium in tests, by the DevTools protocol over a
// pipe.
package chrome

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// patience is how long an answer may take.
const patience = 3 * time.Minute

// A Browser is a Chromium with one page. It ends with the test.
type Browser struct {
	t       *testing.T
	to      *os.File
	session string

	mu       sync.Mutex
	id       int
	waiting  map[int]chan message
	requests []string
	errors   []string
}

type message struct {
	ID        int             `json:"id,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start starts Chromium with an empty page; the test skips where there is none.
func Start(t *testing.T) *Browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium")
	}
	theirs, to, err := os.Pipe()
	check(t, err)
	from, back, err := os.Pipe()
	check(t, err)
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(t.TempDir(), "profile"), "--remote-debugging-pipe", "about:blank")
	cmd.ExtraFiles = []*os.File{theirs, back}
	check(t, cmd.Start())
	theirs.Close()
	back.Close()
	b := &Browser{t: t, to: to, waiting: map[int]chan message{}}
	go b.read(from)
	t.Cleanup(func() {
		to.Close() // Chromium ends when its pipe does
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log", "Accessibility"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (b *Browser) read(from *os.File) {
	defer from.Close()
	in := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := in.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		switch m.Method {
		case "":
			if c := b.waiting[m.ID]; c != nil {
				c <- m
				delete(b.waiting, m.ID)
			}
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			_ = json.Unmarshal(m.Params, &p)
			b.requests = append(b.requests, p.Request.URL)
		case "Runtime.exceptionThrown", "Log.entryAdded":
			b.errors = append(b.errors, string(m.Params))
		}
		b.mu.Unlock()
	}
}

// Call asks the browser, and reads the result into it where that is not nil.
func (b *Browser) Call(method string, params, into any) {
	b.t.Helper()
	b.mu.Lock()
	b.id++
	id, answer := b.id, make(chan message, 1)
	b.waiting[id] = answer
	b.mu.Unlock()
	if params == nil {
		params = map[string]any{}
	}
	text, err := json.Marshal(map[string]any{"id": id, "method": method, "params": params, "sessionId": b.session})
	check(b.t, err)
	if b.session == "" {
		text, _ = json.Marshal(map[string]any{"id": id, "method": method, "params": params})
	}
	_, err = b.to.Write(append(text, 0))
	check(b.t, err)
	select {
	case m := <-answer:
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if into != nil {
			check(b.t, json.Unmarshal(m.Result, into))
		}
	case <-time.After(patience):
		b.t.Fatalf("%s: no answer in %s", method, patience)
	}
}

// Eval evaluates an expression, waits for its promise, and reads the value into it.
func (b *Browser) Eval(expression string, into any) {
	b.t.Helper()
	var r struct {
		Result struct {
			Value       json.RawMessage
			Description string
		}
		ExceptionDetails *struct {
			Exception struct{ Description string }
			Text      string
		}
	}
	b.Call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%.300s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	if into != nil && len(r.Result.Value) > 0 {
		check(b.t, json.Unmarshal(r.Result.Value, into))
	}
}

// Until waits until an expression is true.
func (b *Browser) Until(expression string) {
	b.t.Helper()
	var ok bool
	b.Eval(fmt.Sprintf(`new Promise((resolve) => {
		const until = Date.now() + %d;
		const look = () => { if (%s) resolve(true); else if (Date.now() > until) resolve(false); else setTimeout(look, 20); };
		look();
	})`, (patience/2).Milliseconds(), expression), &ok)
	if !ok {
		var said string
		b.Eval(`document.body.innerText.slice(0, 1500)`, &said)
		b.t.Fatalf("it never came to %s; the page says\n%s\nerrors: %s", expression, said, b.Errors())
	}
}

// Open goes to an address.
func (b *Browser) Open(address string) {
	b.t.Helper()
	b.Call("Page.navigate", map[string]any{"url": address}, nil)
}

// Requests are the addresses that were asked for so far.
func (b *Browser) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.requests...)
}

// Errors are what went wrong in the page so far.
func (b *Browser) Errors() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.errors...)
}

// Press presses a key with what is held, as Chromium's protocol counts: 2 is Control.
func (b *Browser) Press(key, code string, number, held int) {
	b.t.Helper()
	for _, kind := range []string{"rawKeyDown", "keyUp"} {
		b.Call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": held}, nil)
	}
}

// Look sets the size of the page and the theme.
func (b *Browser) Look(width, height int, theme string) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.Call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": theme}}}, nil)
}

// Picture writes a picture of the page.
func (b *Browser) Picture(file string) {
	b.t.Helper()
	var shot struct{ Data []byte }
	b.Call("Page.captureScreenshot", map[string]any{"format": "png", "captureBeyondViewport": false}, &shot)
	check(b.t, os.WriteFile(file, shot.Data, 0o666))
}

// CPU is how much time of a processor the pages have taken so far, workers included,
// in seconds.
func (b *Browser) CPU() float64 {
	b.t.Helper()
	page := b.session
	b.session = ""
	defer func() { b.session = page }()
	var info struct {
		ProcessInfo []struct {
			Type    string
			CPUTime float64
		}
	}
	b.Call("SystemInfo.getProcessInfo", nil, &info)
	sum := 0.0
	for _, p := range info.ProcessInfo {
		if p.Type == "renderer" {
			sum += p.CPUTime
		}
	}
	return sum
}
