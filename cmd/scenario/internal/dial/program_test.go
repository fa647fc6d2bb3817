//go:build unix

package dial

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/failure"
)

// ask sends a message to a server that is a shell script and returns what comes
// back.
func ask(s interface{ http.RoundTripper }, message string) (string, error) {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "stdio://test/", strings.NewReader(message))
	if err != nil {
		return "", err
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func request(id string) string { return fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"m"}`, id) }

// Shows that a server ends with all that it started, and is asked nothing any
// more then. What it started holds the end of a FIFO as long as it lives.
func TestServerEnds(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "alive")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	s := Program([]string{"sh", "-c", `sleep 1000 >"$0" 2>/dev/null & read line; echo '{"id":"a","result":1}'; cat >/dev/null`, fifo})
	if said, err := ask(s, request("a")); err != nil || said != "{\"id\":\"a\",\"result\":1}\n" {
		t.Fatalf("%q, %v", said, err)
	}
	alive, err := os.Open(fifo)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.ReadAll(alive); err != nil { // returns when nobody holds it
		t.Error(err)
	}
	if _, err := ask(s, request("b")); err == nil {
		t.Error("a server that has ended was asked")
	}
}

// Shows how errors of a server are observed: one that cannot be started was
// never reached, and one that ends is a connection that ends, with its last
// words.
func TestServerErrors(t *testing.T) {
	missing := Program([]string{"/no/such/program"})
	_, err := ask(missing, request("a"))
	if f := failure.FromTransport(err); f.Kind != failure.Connection || f.Cause != failure.Refused || !strings.Contains(f.Message, "does not exist") {
		t.Errorf("%+v", f)
	}
	quits := Program([]string{"sh", "-c", `read line; echo 'no licence' >&2`})
	_, err = ask(quits, request("a"))
	if f := failure.FromTransport(err); f.Kind != failure.Connection || f.Cause != failure.EOF {
		t.Errorf("%+v", f)
	}
	if err := errors.Join(missing.Close(), quits.Close()); err != nil {
		t.Error(err)
	}
}

// Shows that what comes before an answer belongs to it, that an answer to a
// request that was given up is nobody's, and that notifications are not
// answered.
func TestServerMessages(t *testing.T) {
	s := Program([]string{"sh", "-c", `
read one; echo '{"method":"progress"}'; echo '{"id":"b","result":1}'
read two; read three; echo '{"id":"a","result":1}'; echo '{"id":"c","result":1}'; cat >/dev/null`})
	defer s.Close()
	said, err := ask(s, request("b"))
	if want := "{\"method\":\"progress\"}\n{\"id\":\"b\",\"result\":1}\n"; said != want || err != nil {
		t.Errorf("%q, %v", said, err)
	}
	s.(*server).giveUp(`"a"`)
	if said, err := ask(s, `{"jsonrpc":"2.0","method":"notifications/cancelled"}`); said != "" || err != nil {
		t.Errorf("%q, %v", said, err)
	}
	if said, err := ask(s, request("c")); said != "{\"id\":\"c\",\"result\":1}\n" || err != nil {
		t.Errorf("%q, %v", said, err)
	}
}

// Shows that what a program said last is told without the end of a secret that its
// beginning alone shows to be one.
func TestTailHidesBeforeItCuts(t *testing.T) {
	var key strings.Builder
	key.WriteString("-----BEGIN PRIVATE KEY-----\n")
	for range 26 {
		key.WriteString(strings.Repeat("Qm9vayBvZiBBbmdlbHMgMTIz", 3)[:64] + "\n")
	}
	key.WriteString("-----END PRIVATE KEY-----\n")
	s := Program([]string{
		"sh", "-c", `read line; echo 'reading the key:' >&2; printf %s "$0" >&2; sleep 0.05; printf %s "$1" >&2`,
		key.String()[:900], key.String()[900:] + "token ghp_yXicm3KpQ7vRt2WzL9sBnD4fHj6gTe1aUo8k" + strings.Repeat(" failed", 54),
	})
	defer s.Close()
	_, err := ask(s, request("a"))
	got := failure.FromTransport(err).Message
	if strings.Contains(got, "Qm9vay") || strings.Contains(got, "Uo8k") || !strings.Contains(got, "failed failed\"") || len(got) > wordsMax+200 {
		t.Errorf("%d bytes: %s", len(got), got)
	}
}
