package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Shows that a head is changed wherever its bytes are cut into operations, that
// waits and the body stay, and that a client reads what was meant.
func TestEditHead(t *testing.T) {
	const text = "HTTP/1.1 103 Early Hints\r\nRetry-After: 9\r\n\r\nHTTP/1.1 429 Too Many\r\nRetry-After:  30 \r\nX: a\r\nContent-Length: 4\r\n\r\nbody"
	edit := func(name, value string) string {
		if http.CanonicalHeaderKey(name) == "Retry-After" {
			return "3"
		}
		return value
	}
	for cut := range len(text) {
		for second := cut; second < len(text); second += 7 {
			s := WireScript{Ops: []Op{{Data: []byte(text[:cut])}, {Wait: time.Second, Data: []byte(text[cut:second])}, {Wait: time.Minute, Data: []byte(text[second:])}}}
			got := s.EditHead(edit, Field{"Connection", "close"})
			var all []byte
			for _, op := range got.Ops {
				all = append(all, op.Data...)
			}
			want := strings.Replace(text, ":  30 ", ":  3 ", 1)
			want = strings.Replace(want, "Content-Length: 4\r\n", "Content-Length: 4\r\nConnection: close\r\n", 1)
			if string(all) != want {
				t.Fatalf("cut at %d and %d:\n%s", cut, second, all)
			}
			if got.Ops[1].Wait != time.Second || got.Ops[2].Wait != time.Minute || string(s.Ops[0].Data)+string(s.Ops[1].Data)+string(s.Ops[2].Data) != text {
				t.Fatalf("cut at %d and %d: waits, or the script itself, changed", cut, second)
			}
			if !got.Closes("GET") || s.Closes("GET") {
				t.Fatalf("cut at %d and %d: which of them closes is not seen", cut, second)
			}
		}
	}
}

// Shows that a head with bare line ends is changed, too, and what has no whole
// head is not.
func TestEditHeadOfOthers(t *testing.T) {
	add := Field{"Connection", "close"}
	same := func(_, value string) string { return value }
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(Raw([]byte("HTTP/1.1 200 OK\nContent-Length: 1\n\nx"), EndNone).EditHead(same, add).Ops[0].Data)), nil)
	if err != nil || !resp.Close {
		t.Errorf("%+v %v", resp, err)
	} else if body, _ := io.ReadAll(resp.Body); string(body) != "x" {
		t.Errorf("the body is %q", body)
	}
	for _, text := range []string{"", "HTTP/1.1 200 OK\r\nA: b\r\n", "SSH-2.0-x\r\n\r\n"} {
		s := Raw([]byte(text), EndFIN)
		if got := s.EditHead(same, add); string(got.Ops[0].Data) != text {
			t.Errorf("%q became %q", text, got.Ops[0].Data)
		}
		if s.Closes("GET") {
			t.Errorf("%q closes", text)
		}
	}
}

// Shows which answers are the last on their connection.
func TestCloses(t *testing.T) {
	for text, want := range map[string]bool{
		"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n":                              false,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n":                     false,
		"HTTP/1.1 204 No Content\r\n\r\n":                                           false,
		"HTTP/1.1 200 OK\r\n\r\n":                                                   true,
		"HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n":                              true,
		"HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n":         true,
		"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\n": true,
	} {
		if got := Raw([]byte(text), EndNone).Closes("GET"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if Raw([]byte("HTTP/1.1 200 OK\r\n\r\n"), EndNone).Closes("HEAD") {
		t.Error("an answer to HEAD has no body that the end of the connection would end")
	}
	for text, want := range map[string]bool{
		"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n":                             true,
		"HTTP/1.1 403 Forbidden\r\n\r\n":                                           true,
		"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n":                      false,
		"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n": true,
	} {
		if got := Raw([]byte(text), EndNone).Closes("CONNECT"); got != want {
			t.Errorf("to CONNECT, %q: %v", text, got)
		}
	}
}
