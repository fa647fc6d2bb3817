package wire

import (
	"bufio"
	"bytes"
	"net/http"
	"strings"
)

// Status is the status that a client reads in the head of the answer that the
// script plays: the first that is not informational, or 101. It is 0 where the
// script has no whole head that a client understands, or is not HTTP.
func (s WireScript) Status() int {
	status, _ := s.head()
	return status
}

// head is the status, and how many bytes the script sends up to the end of the
// head that has it.
func (s WireScript) head() (status, size int) {
	if s.refusal() != nil || s.Through != nil {
		return 0, 0
	}
	var sent []byte
	for _, op := range s.Ops {
		if sent == nil {
			sent = op.Data[:len(op.Data):len(op.Data)] // as a rule all there is to read
		} else {
			sent = append(sent, op.Data...)
		}
		if status, size, known := headOf(sent); known {
			return status, size
		}
		if op.End != EndNone || len(sent) > headMax {
			break
		}
	}
	return 0, 0
}

const httpVersion = "HTTP/"

// headOf looks for the head of an answer in the first bytes of one. known is
// false where more bytes could tell.
func headOf(sent []byte) (status, size int, known bool) {
	for {
		rest := sent[size:]
		if n := min(len(rest), len(httpVersion)); !strings.HasPrefix(httpVersion, string(rest[:n])) {
			return 0, 0, true
		}
		end := headEnd(rest)
		if end < 0 {
			return 0, 0, false
		}
		// The client's own parser: what it refuses has no status.
		resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(rest[:end])), nil)
		if err != nil {
			return 0, 0, true
		}
		size += end
		if resp.StatusCode >= 200 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp.StatusCode, size, true
		}
	}
}

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
