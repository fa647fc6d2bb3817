package anthropic

import (
	"errors"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// A host is one of the services that speak the Messages API. They differ in
// the address, in how a key is sent, and in where the version stands.
type host struct {
	url *url.URL
	// version is sent in the body, and the model in the address; empty at the
	// vendor's own API, which has it the other way round.
	version string
	// oneAddress says that streaming is asked for by the address alone.
	oneAddress bool
}

const (
	apiVersion     = "2023-06-01"
	vertexVersion  = "vertex-2023-10-16"
	bedrockVersion = "bedrock-2023-05-31"
	// bedrockURL stands for Bedrock's addresses, which name a region.
	bedrockURL = "https://bedrock-runtime.amazonaws.com"
)

var errNoModel = errors.New("the address of this host contains the model: name one on the step or the provider")

// hostOf tells the host by its base URL: one whose path ends in
// /publishers/anthropic is Vertex AI, one that begins with bedrock-runtime is
// Bedrock, any other is the vendor's API or stands in for it. Its base may end
// in /v1 or not.
func hostOf(in providers.Input) (host, error) {
	base := in.BaseURL
	if base == "" {
		base = BaseURL
	}
	u, err := providers.ParseBase(base)
	if err != nil {
		return host{}, err
	}
	path := strings.TrimRight(u.Path, "/")
	switch {
	case strings.HasSuffix(path, "/publishers/anthropic"):
		return vertex(u, in)
	case strings.HasPrefix(u.Host, "bedrock-runtime"):
		return bedrock(u, in)
	case strings.HasSuffix(path, "/v1"):
		return host{url: u.JoinPath("messages")}, nil
	default:
		return host{url: u.JoinPath("v1", "messages")}, nil
	}
}

func vertex(u *url.URL, in providers.Input) (host, error) {
	if in.Model == "" {
		return host{}, errNoModel
	}
	method := ":rawPredict"
	if in.Stream {
		method = ":streamRawPredict"
	}
	return host{url: u.JoinPath("models", url.PathEscape(in.Model)+method), version: vertexVersion}, nil
}

func bedrock(u *url.URL, in providers.Input) (host, error) {
	if in.Model == "" {
		return host{}, errNoModel
	}
	method := "invoke"
	if in.Stream {
		method = "invoke-with-response-stream"
	}
	// The vendor's clients escape the colon, which a path allows.
	model := strings.ReplaceAll(url.PathEscape(in.Model), ":", "%3A")
	return host{url: u.JoinPath("model", model, method), version: bedrockVersion, oneAddress: true}, nil
}
