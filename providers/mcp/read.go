package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

var _ providers.Reader = Adapter{}

// Claims reports whether a request is of the transport: a POST of a message, or
// a GET or DELETE, by which a client listens or ends its session, to the server's
// own address. Over a pipe every message is one.
func (Adapter) Claims(r *http.Request) bool {
	if r.URL.Scheme == SchemePipe {
		return true
	}
	if r.URL.Path != "" && r.URL.Path != "/" {
		return false
	}
	switch r.Method {
	case http.MethodPost:
		return providers.IsJSON(providers.MediaType(r.Header))
	case http.MethodGet, http.MethodDelete:
		return r.Header.Get(headerSession) != "" || r.Header.Get(headerVersion) != "" || strings.Contains(r.Header.Get("Accept"), providers.EventStream)
	}
	return false
}

// Read reads the one message that a request has
// (https://modelcontextprotocol.io/specification/2025-11-25/basic), as a server
// does: a request or a notification by its method, an answer to the server as
// Raw. An id that is a number is told by its digits, and answered as it was
// written. A GET or DELETE has no message, and its Method is read.
//
// A stream is wanted where the message asks for reports of progress. In the
// session of a handshake the version is the one to agree upon: the client's, or
// the newest where that is not spoken.
func (Adapter) Read(r *http.Request, body []byte) (providers.Input, error) {
	in := providers.Input{
		Pipe:    r.URL.Scheme == SchemePipe,
		Session: providers.Session{ID: r.Header.Get(headerSession), Version: r.Header.Get(headerVersion)},
	}
	if !in.Pipe && r.Method != http.MethodPost {
		in.Method = r.Method
		return in, nil
	}
	m, err := asked(body)
	if err != nil {
		return providers.Input{}, err
	}
	if m.Method == "" {
		in.RPC.Raw = body
		return in, nil
	}
	in.RPC.Method = m.Method
	if in.RPC.ID, in.RPC.RawID, err = idRead(m.ID); err != nil {
		return providers.Input{}, err
	}
	params, err := paramsRead(m.Params)
	if err != nil {
		return providers.Input{}, err
	}
	if meta, ok := params["_meta"].(map[string]any); ok && in.RPC.ID != "" && meta["progressToken"] != nil {
		in.Stream = true
		if len(meta) == 1 && meta["progressToken"] == in.RPC.ID {
			delete(params, "_meta") // as a request says that it wants a stream
			if len(params) == 0 {
				params = nil
			}
		}
	}
	if params != nil {
		in.RPC.Params = params
	}
	if m.Method == methodHello {
		in.Session.Version = agreed(params)
	}
	return in, nil
}

// asked is the message of a body.
func asked(body []byte) (message, error) {
	var m message
	trimmed := bytes.TrimSpace(body)
	if len(trimmed) == 0 {
		return m, errors.New("the body is empty, and must be a JSON-RPC message")
	}
	if trimmed[0] == '[' {
		return m, errors.New("the body is a list: batches of messages are not spoken")
	}
	// Fields are told apart by their exact names, which encoding/json does not.
	var fields map[string]json.RawMessage
	if err := providers.DecodeObject(trimmed, &fields); err != nil {
		return m, fmt.Errorf("the body is not a JSON-RPC message: %w", err)
	}
	for _, f := range []struct {
		name string
		into *string
	}{{"jsonrpc", &m.Version}, {"method", &m.Method}} {
		if raw, ok := fields[f.name]; ok && (raw[0] != '"' || providers.DecodeJSON(raw, f.into) != nil) {
			return m, fmt.Errorf("%s is %s, and must be a string", f.name, shown(raw))
		}
	}
	m.ID, m.Params, m.Result = fields["id"], fields["params"], fields["result"]
	switch {
	case m.Version != rpcVersion:
		return m, fmt.Errorf("jsonrpc is %q, and must be %q", m.Version, rpcVersion)
	case m.Method == "" && m.Result == nil && fields["error"] == nil:
		return m, errors.New("method is missing, and so are the result and the error of an answer")
	}
	return m, nil
}

// idRead is the id of a message: a string or an integer
// (https://www.jsonrpc.org/specification#request_object). raw is nil where id
// says it all.
func idRead(given json.RawMessage) (id string, raw json.RawMessage, err error) {
	switch {
	case given == nil:
		return "", nil, nil
	case given[0] == '"' && providers.DecodeJSON(given, &id) == nil && id != "":
		return id, nil, nil
	case given[0] == '"', given[0] == '-', given[0] >= '0' && given[0] <= '9':
		return string(given), given, nil
	}
	return "", nil, fmt.Errorf("id is %s, and must be a string or a number", shown(given))
}

// paramsRead is nil where there are none.
func paramsRead(raw json.RawMessage) (map[string]any, error) {
	if withoutNull(raw) == nil {
		return nil, nil
	}
	if raw[0] != '{' {
		return nil, fmt.Errorf("params are %s, and must be an object", shown(raw))
	}
	var params map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err := d.Decode(&params)
	return params, err
}

// agreed is the version that a handshake comes to.
func agreed(params map[string]any) string {
	if v, ok := params["protocolVersion"].(string); ok && slices.Contains(Versions(), v) {
		return v
	}
	return Versions()[0]
}
