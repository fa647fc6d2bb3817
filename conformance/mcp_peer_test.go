package conformance

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	adapter "github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/wire"
)

// A peer answers another client on a socket with what our adapter renders: the
// handshake as a server that has nothing against it, and calls as answer says.
type peer struct {
	url string
	// stream says that calls are answered in streams.
	stream bool
	answer func(providers.Input) wire.WireScript
}

// listen starts a peer that lives as long as the test.
func listen(t *testing.T, p *peer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	p.url = "http://" + l.Addr().String() + "/mcp"
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
}

func (p *peer) serve(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		script := p.script(req, body)
		if script.ServeConn(wire.System(), conn) != nil || !script.KeepsOpen() {
			return
		}
	}
}

func (p *peer) script(req *http.Request, body []byte) wire.WireScript {
	if req.Method != http.MethodPost {
		return wire.Response{Status: http.StatusMethodNotAllowed}.Script(wire.Meta{})
	}
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params any             `json:"params"`
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return wire.Response{Status: http.StatusBadRequest}.Script(wire.Meta{})
	}
	in := providers.Input{
		BaseURL: p.url, RPC: providers.RPC{Method: m.Method, Params: m.Params, RawID: m.ID},
		Session: providers.Session{ID: req.Header.Get("Mcp-Session-Id"), Version: adapter.Versions()[0]},
	}
	if m.ID != nil {
		in.RPC.ID = "theirs/1"
	}
	switch {
	case strings.HasPrefix(m.Method, "server/"):
		return adapter.Adapter{}.RenderTyped(in, "protocol_error", "Method not found", "-32601").Script(wire.Meta{})
	case m.ID == nil, m.Method == "initialize":
		return adapter.Adapter{}.Render(in, providers.Output{}).Script(wire.Meta{})
	}
	in.Stream = p.stream
	return p.answer(in)
}
