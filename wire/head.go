package wire

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
	"sync"
)

// Status is the status that a client reads in the head of the answer that the
// script plays: the first that is not informational, or 101. It is 0 where the
// script has no whole head that a client understands, or is not HTTP.
func (s WireScript) Status() int { return s.head().status }

// A head is what a client reads of the head of an answer: its status, 0 for none,
// which bytes of the script it is, and whether it is the last on its connection
// where it answers a GET.
type head struct {
	status   int
	from, to int
	closes   bool
}

func (s WireScript) head() head {
	if s.refusal() != nil || s.Through != nil {
		return head{}
	}
	var sent []byte
	for _, op := range s.Ops {
		if sent == nil {
			sent = op.Data[:len(op.Data):len(op.Data)] // as a rule all there is to read
		} else {
			sent = append(sent, op.Data...)
		}
		if h, known := headOf(sent); known {
			return h
		}
		if op.End != EndNone || len(sent) > headMax {
			break
		}
	}
	return head{}
}

const httpVersion = "HTTP/"

// headOf looks for the head of an answer in the first bytes of one. known is
// false where more bytes could tell.
func headOf(sent []byte) (h head, known bool) {
	at := 0
	for {
		rest := sent[at:]
		if n := min(len(rest), len(httpVersion)); !strings.HasPrefix(httpVersion, string(rest[:n])) {
			return head{}, true
		}
		end := headEnd(rest)
		if end < 0 {
			return head{}, false
		}
		// The client's own parser: what it refuses has no status.
		status, closes, err := parseHead(rest[:end], nil)
		if err != nil {
			return head{}, true
		}
		if status >= 200 || status == http.StatusSwitchingProtocols {
			return head{status, at, at + end, closes}, true
		}
		at += end
	}
}

// parseHead has the standard library's client read a head, as that of the answer to
// a request, nil for a GET.
func parseHead(text []byte, to *http.Request) (status int, closes bool, err error) {
	r := headReaders.Get().(*bufio.Reader)
	r.Reset(bytes.NewReader(text))
	defer func() {
		r.Reset(nil) // the script may go
		headReaders.Put(r)
	}()
	resp, err := http.ReadResponse(r, to)
	if err != nil {
		return 0, false, err
	}
	return resp.StatusCode, resp.Close, nil // nothing of resp is left that reads from r
}

// headReaders keeps the buffers of readers, which are larger than the heads.
var headReaders = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// headEnd is where the empty line ends that ends a head, negative where there
// is none. Lines may end without a carriage return, as the standard library
// reads them.
func headEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		if rest := bytes.TrimPrefix(b[i:], []byte("\r")); len(rest) > 0 && rest[0] == '\n' {
			return len(b) - len(rest) + 1
		}
	}
}
