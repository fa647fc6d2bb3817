package dial

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers"
)

// A server is a process whose standard input and output carry JSON-RPC, a
// message on each line. Requests go one after the other, because what the
// process writes has but one reader; notifications and answers are written at
// any time.
type server struct {
	command []string
	// reading is held by the exchange that reads.
	reading chan struct{}

	mu      sync.Mutex
	process *process.Process
	in      *os.File
	out     *io.PipeReader
	lines   chan []byte     // closed when the process writes no more
	givenUp map[string]bool // requests whose answer nobody waits for
	closed  bool
}

// Program is a server that is a process, which is started with the first
// message and ends, with all that it started, when the pipe is closed.
func Program(command []string) interp.Pipe {
	return &server{command: command, reading: make(chan struct{}, 1), givenUp: map[string]bool{}}
}

// lineMax bounds a line that a server writes.
const lineMax = providers.EventMax

// envelope is what a transport has to know of a message.
type envelope struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// asks reports whether the message is a request, which is answered.
func (m envelope) asks() bool { return len(m.ID) > 0 && m.Method != "" }

// answers reports whether the message is the answer to a request of that id; an
// error without an id is about what was sent last.
func (m envelope) answers() bool { return m.Method == "" }

// RoundTrip implements http.RoundTripper.
func (s *server) RoundTrip(req *http.Request) (*http.Response, error) {
	message, err := io.ReadAll(req.Body)
	req.Body.Close()
	if err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, &net.OpError{Op: "dial", Net: "stdio", Err: err}
	}
	var sent envelope
	if err := json.Unmarshal(message, &sent); err != nil || !sent.asks() {
		return response(req, http.StatusAccepted, http.NoBody), s.write(message)
	}
	ctx := req.Context()
	select {
	case s.reading <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := s.write(message); err != nil {
		<-s.reading
		return nil, err
	}
	body := &lineBody{server: s, ctx: ctx, id: string(sent.ID)}
	// As on a network, the answer begins with its first byte.
	if err := body.fill(); err != nil {
		body.Close()
		return nil, err
	}
	return response(req, http.StatusOK, body), nil
}

func response(req *http.Request, status int, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {providers.NDJSON}}, Body: body, ContentLength: -1, Request: req,
	}
}

// start starts the process, once.
func (s *server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return errors.New("the run has ended")
	case s.process != nil:
		return nil
	}
	path, err := process.Find(s.command[0], "")
	if err != nil {
		return err
	}
	// A pipe of the system tells when nobody reads it any more.
	theirs, in, err := os.Pipe()
	if err != nil {
		return err
	}
	defer theirs.Close()
	out, to := io.Pipe()
	s.process, err = process.Talk(process.Command{Path: path, Args: s.command, Stdin: theirs}, to, wordsKept)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	s.in, s.out, s.lines = in, out, make(chan []byte)
	go pump(out, s.lines)
	return nil
}

// pump passes lines on until the process writes no more.
func pump(out io.Reader, lines chan<- []byte) {
	defer close(lines)
	scanner := bufio.NewScanner(out)
	scanner.Buffer(make([]byte, 0, 64<<10), lineMax)
	for scanner.Scan() {
		if line := bytes.TrimSpace(scanner.Bytes()); len(line) > 0 {
			lines <- append(bytes.Clone(line), '\n')
		}
	}
}

func (s *server) write(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.in.Write(append(message, '\n')); err != nil {
		return s.ended(err)
	}
	return nil
}

// ended is the error of a process that is gone, with its last words, for which it is
// waited a little: they come by another way than its answers.
func (s *server) ended(err error) error {
	select {
	case <-s.process.Done():
	case <-time.After(endMax):
	}
	if words := lastWords(s.process.Tail(process.Stderr)); words != "" {
		return fmt.Errorf("%s ended, and said %q: %w", s.command[0], words, err)
	}
	return fmt.Errorf("%s ended: %w", s.command[0], err)
}

// Close ends the process as the protocol asks: its input is closed, then it is
// told to end, then it is killed, with all that it started.
func (s *server) Close() error {
	s.mu.Lock()
	s.closed = true
	p, in, lines := s.process, s.in, s.lines
	s.mu.Unlock()
	if p == nil {
		return nil
	}
	_ = in.Close()
	go func() {
		for range lines { // what nobody asked for
		}
	}()
	select {
	case <-p.Done():
	case <-time.After(endMax):
		p.Stop(endMax)
	}
	return s.out.Close()
}

// endMax is how long a process may take to end by itself.
const endMax = 500 * time.Millisecond

// A lineBody is the answer to one request: the messages up to that answer.
type lineBody struct {
	server *server
	ctx    context.Context
	id     string
	rest   []byte
	whole  bool
	closed bool
}

func (b *lineBody) Read(p []byte) (int, error) {
	if len(b.rest) == 0 {
		if b.whole {
			return 0, io.EOF
		}
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// fill waits for the next message that is for this request.
func (b *lineBody) fill() error {
	for {
		select {
		case line, ok := <-b.server.lines:
			if !ok {
				return b.server.ended(io.ErrUnexpectedEOF)
			}
			var m envelope
			if json.Unmarshal(line, &m) == nil && m.answers() {
				if b.server.late(string(m.ID)) {
					continue
				}
				b.whole = true
			}
			b.rest = line
			return nil
		case <-b.ctx.Done():
			return context.Cause(b.ctx)
		}
	}
}

// Close lets the next exchange read.
func (b *lineBody) Close() error {
	if !b.closed {
		b.closed = true
		if !b.whole {
			b.server.giveUp(b.id)
		}
		<-b.server.reading
	}
	return nil
}

func (s *server) giveUp(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.givenUp[id] = true
}

// late reports whether an answer is to a request that was given up.
func (s *server) late(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.givenUp[id]
}

// wordsMax is how many bytes are told of what a process said last, and wordsKept how
// many are looked through for secrets before: the end of one is none that anybody
// knows.
const (
	wordsMax  = 400
	wordsKept = 64 << 10
)

// lastWords are the end of what a process said, without secrets.
func lastWords(said []byte) string {
	text := strings.TrimSpace((*redact.Redactor)(nil).Recording().Text(string(said)))
	return strings.ToValidUTF8(text[max(0, len(text)-wordsMax):], "")
}
