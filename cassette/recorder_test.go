package cassette

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// dialled is a call of a step to a server.
func dialled(t testing.TB, step string, attempt int, url, body string) wire.Call {
	t.Helper()
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return wire.Call{Step: step, Attempt: attempt, Round: attempt, Target: "main", Request: req, Body: []byte(body)}
}

// recordOne records one call against a transport and reads the answer.
func recordOne(t testing.TB, r *Recorder, next http.RoundTripper, call wire.Call) error {
	t.Helper()
	take := r.Begin(call, TakeOptions{Now: time.Now})
	resp, err := take.RoundTrip(next, call.Request)
	if err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
	}
	if sealing := take.Seal(true); sealing != nil {
		t.Error(sealing)
	}
	return err
}

func recorderFor(t testing.TB, path string, o RecordOptions) *Recorder {
	t.Helper()
	r, err := NewRecorder(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Shows that what a server answers is in the file after a commit, in order, and
// that the journal and the lock are gone.
func TestRecorderKeepsEveryAttempt(t *testing.T) {
	n := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		n++
		w.Header().Set("Content-Type", "application/json")
		if n == 1 {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(http.StatusTooManyRequests)
		}
		fmt.Fprintf(w, `{"n":%d}`, n)
	}))
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "cassettes", "a.yaml")
	r := recorderFor(t, path, RecordOptions{Provider: "openai"})
	for attempt := 1; attempt <= 2; attempt++ {
		if err := recordOne(t, r, http.DefaultTransport, dialled(t, "answer", attempt, srv.URL+"/v1", `{"q":1}`)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Interactions) != 2 {
		t.Fatalf("%d interactions", len(c.Interactions))
	}
	first, second := c.Interactions[0], c.Interactions[1]
	if first.Response.Status != 429 || httptext.FieldValue(first.Response.Header, "Retry-After") != "2" || string(first.Response.Body()) != `{"n":1}` {
		t.Errorf("first: %+v", first.Response)
	}
	if second.Response.Status != 200 || second.Attempt != 2 || second.Target != "main" || second.Protocol != "HTTP/1.1" {
		t.Errorf("second: %+v", second)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Shows that a second recorder of one file is refused while the first has it,
// and that 64 concurrent calls of each of two, one after the other, are all
// kept.
func TestTwoRecordersLoseNothing(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		body, _ := io.ReadAll(r.Body)
		w.Write(body)
	}))
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "a.yaml")
	refused := 0
	for half := range 2 {
		r := recorderFor(t, path, RecordOptions{})
		if _, err := NewRecorder(path, RecordOptions{}); errors.Is(err, ErrLocked) {
			refused++
		}
		var group sync.WaitGroup
		for i := range 64 {
			group.Go(func() {
				recordOne(t, r, http.DefaultTransport, dialled(t, fmt.Sprintf("step%d", 64*half+i), 1, srv.URL, fmt.Sprintf(`{"i":%d}`, 64*half+i)))
			})
		}
		group.Wait()
		if _, err := r.Commit(nil); err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(path)
	if err != nil || len(c.Interactions) != 128 || refused != 2 {
		t.Fatalf("%v, refused %d", err, refused)
	}
	for _, it := range c.Interactions {
		if want := strings.TrimPrefix(it.Step, "step"); string(it.Response.Body()) != `{"i":`+want+`}` {
			t.Errorf("%s got %s", it.Step, it.Response.Body())
		}
	}
}

// readAll reads an answer to its end and returns its body.
func readAll(t testing.TB, resp *http.Response) string {
	t.Helper()
	data, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Shows that a recording of a compressed answer has no secret, and that the last
// look before it is written sees one that was left in it.
func TestRecordingACompressedAnswer(t *testing.T) {
	const secret = "c4n-ry-secret"
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, `{"echo":"`+secret+`"}`); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	body := packed.String()
	r := recorderFor(t, t.TempDir()+"/a.yaml", RecordOptions{})
	call := dialled(t, "a", 1, chatURL, `{}`)
	call.Request.Header.Set("Accept-Encoding", "gzip") // or the transport unpacks it
	take := r.Begin(call, TakeOptions{Now: time.Now, Redactor: redact.New([]string{secret})})
	resp, err := take.RoundTrip(scripted(func(int) wire.WireScript {
		return wire.Response{
			Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Content-Encoding", Value: "gzip"}},
			Parts:  []wire.Part{{Data: []byte(body)}},
		}.Script(wire.Meta{})
	}), call.Request)
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, resp)
	if err := take.Seal(true); err != nil {
		t.Fatal(err)
	}
	c, err := r.Commit(nil)
	if err != nil {
		t.Fatal(err)
	}
	it := c.Interactions[0]
	unpacked, err := gzip.NewReader(bytes.NewReader(it.Response.Body()))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(unpacked); err != nil || string(got) != `{"echo":"`+redact.Placeholder(secret)+`"}` {
		t.Errorf("%s, %v", got, err)
	}
	it.Response.Parts = []wire.Part{{Data: []byte(body)}}
	if err := r.scan(it); err == nil || !strings.Contains(err.Error(), "compressed body") {
		t.Errorf("the last look says %v", err)
	}
}
