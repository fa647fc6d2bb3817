package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/scenario-lang/scenario/providers"
)

// Adapter is the adapter of the protocol over both transports. The zero value
// is ready.
type Adapter struct{}

var _ providers.Sessioner = Adapter{}

// The header fields of the protocol.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
)

// SchemePipe is the scheme of the address that stands for a process.
const SchemePipe = "stdio"

// Request is a POST of one message to the server's address, with the session
// and the revision that the handshake agreed upon. The key is a bearer token.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	target, err := target(in)
	if err != nil {
		return nil, err
	}
	body, err := encode(in)
	if err != nil {
		return nil, err
	}
	req, err := providers.NewRequest(ctx, http.MethodPost, target, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if in.Pipe {
		return req, nil
	}
	req.Header.Set("Accept", "application/json, "+providers.EventStream)
	if in.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+in.APIKey)
	}
	if in.RPC.Method != methodHello {
		if in.Session.ID != "" {
			req.Header.Set(headerSession, in.Session.ID)
		}
		if in.Session.Version >= versionHeaders {
			req.Header.Set(headerVersion, in.Session.Version)
		}
	}
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

func target(in providers.Input) (*url.URL, error) {
	if in.Pipe {
		return url.Parse(in.BaseURL)
	}
	if in.BaseURL == "" {
		return nil, errors.New("the provider has no address: give it base_url, or command for a server over standard input and output")
	}
	return providers.ParseBase(in.BaseURL)
}

// encode is the message of an input. A request that asks for a stream wants to
// hear of its progress, by its own id.
func encode(in providers.Input) ([]byte, error) {
	rpc := in.RPC
	if rpc.Raw != nil {
		return rpc.Raw, nil
	}
	if params, ok := rpc.Params.(map[string]any); in.Stream && rpc.ID != "" && (ok || rpc.Params == nil) {
		with := map[string]any{"_meta": map[string]any{"progressToken": rpc.ID}}
		for name, value := range params {
			with[name] = value
		}
		rpc.Params = with
	}
	return providers.EncodeJSON(request{rpcVersion, rpc.ID, rpc.Method, rpc.Params})
}
