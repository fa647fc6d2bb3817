package incident

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/convert"
)

// A provider is a service that was called, as a block.
type provider struct {
	kind, name, base, api string
}

// vendors are the words of the conventions for who offers a model, and the kind
// of provider whose interface it speaks.
var vendors = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"openai": "openai", "azure.ai.openai": "openai", "az.ai.openai": "openai", "azure.ai.inference": "openai", "az.ai.inference": "openai", "azure": "openai",
		"deepseek": "openai", "groq": "openai", "mistral_ai": "openai", "mistralai": "openai", "x_ai": "openai", "xai": "openai", "perplexity": "openai", "openrouter": "openai",
		"anthropic": "anthropic", "vertex_ai_anthropic": "anthropic",
		"gcp.gemini": "gemini", "gcp.gen_ai": "gemini", "gcp.vertex_ai": "gemini", "vertex_ai": "gemini", "gemini": "gemini", "google": "gemini",
		"ollama": "ollama", "cohere": "cohere",
	}
})

// homes are where the vendors' own services are, and what follows that in the
// path of a call.
var homes = map[string]struct {
	base  string
	paths []string
}{
	"openai":    {"https://api.openai.com/v1", []string{"/chat/completions", "/responses", "/completions", "/embeddings"}},
	"anthropic": {"https://api.anthropic.com", []string{"/v1/messages"}},
	"gemini":    {"https://generativelanguage.googleapis.com", []string{"/v1beta/models/", "/v1/models/", "/models/"}},
	"ollama":    {"http://localhost:11434", []string{"/api/chat", "/api/generate", "/api/embed"}},
	"cohere":    {"https://api.cohere.com", []string{"/v2/chat"}},
}

// serve finds or makes the provider of a call.
func (d *drafter) serve(c *call) {
	p := provider{kind: string(c.kind)}
	at := c.attempts[len(c.attempts)-1].span
	switch c.kind {
	case llm:
		d.model(c, at, &p)
	case overHTTP:
		p.base = origin(address(at))
		if p.base == "" {
			p.base = "https://service.example"
			d.unsaid("where the service is", c.name)
		}
	case mcp:
		p.base = origin(address(at)) + address(at).Path
		if origin(address(at)) == "" {
			p.base = "https://mcp.example/mcp"
			d.unsaid("where the MCP server is", c.name)
		}
	case sql:
		p.base = database(at)
	}
	for _, known := range d.providers {
		if known.kind == p.kind && known.base == p.base && known.api == p.api {
			c.provider = known
			return
		}
	}
	p.name = d.names.unique(p.called())
	d.providers = append(d.providers, &p)
	c.provider = &p
}

// model fills in the provider of a model.
func (d *drafter) model(c *call, at *span, p *provider) {
	vendor := strings.ToLower(c.span.text("gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system"))
	p.kind = vendors()[vendor]
	if p.kind == "" {
		p.kind = "openai"
		if vendor == "" {
			vendor = "a vendor that is not named"
		}
		d.unsaid("how the interface of "+vendor+" looks: that of openai stands for it", c.name)
	}
	if c.span.text("openai.api.type", "gen_ai.openai.api.type") == "responses" || p.kind == "openai" && strings.HasSuffix(address(at).Path, "/responses") {
		p.api = "responses"
	}
	u := address(at)
	home := homes[p.kind]
	switch {
	case u.Host == "" || origin(u) == originOf(home.base):
	case u.Path == "":
		// The span of the library alone names the server, and not the path.
		if base, _ := url.Parse(home.base); base != nil {
			p.base = origin(u) + base.Path
		}
		d.unsaid("the path of the service, for which the vendor's own stands", c.name)
	default:
		p.base = origin(u) + u.Path
		for _, path := range home.paths {
			if i := strings.LastIndex(u.Path, path); i >= 0 {
				p.base = origin(u) + u.Path[:i]
				break
			}
		}
	}
}

func origin(u *url.URL) string {
	if u.Host == "" {
		return ""
	}
	scheme := u.Scheme
	if scheme != "http" && scheme != "https" {
		scheme = "https"
	}
	return scheme + "://" + u.Host
}

func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return origin(u)
}

// database is the address of a database, "" where it is not said.
func database(s *span) string {
	if u, err := url.Parse(s.text("url.full")); err == nil && u.Scheme == "postgres" && u.Host != "" {
		u.User = nil
		return u.String()
	}
	host := s.text("server.address", "net.peer.name")
	if host == "" || strings.HasPrefix(host, "/") {
		return ""
	}
	if port := s.text("server.port", "net.peer.port"); port != "" {
		host += ":" + port
	}
	return (&url.URL{Scheme: "postgres", Host: host, Path: "/" + s.text("db.namespace", "db.name")}).String()
}

// called is what a provider is called: by its kind, or of several services by
// their host.
func (p *provider) called() string {
	switch p.kind {
	case string(sql):
		return "database"
	case string(mcp):
		return "tools"
	case string(overHTTP):
		u, _ := url.Parse(p.base)
		parts := strings.Split(u.Hostname(), ".")
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "www" || s == "api" })
		if len(parts) > 0 && parts[0] != "" && (parts[0][0] < '0' || parts[0][0] > '9') {
			return parts[0]
		}
		return "service"
	}
	return p.kind
}

// block declares the provider.
func (p *provider) block() *convert.Block {
	b := &convert.Block{Type: "provider", Labels: []string{p.kind, p.name}}
	if p.base != "" && !(p.kind == string(sql) && p.base == "postgres://localhost:5432/postgres") {
		set(b, "base_url", p.base)
	}
	if p.api != "" {
		set(b, "api", p.api)
	}
	return b
}

func set(b *convert.Block, name string, value any) {
	b.Attrs = append(b.Attrs, convert.Attr{Name: name, Value: value})
}

// A namer gives every name once.
type namer map[string]bool

func (n namer) unique(text string) string {
	name := convert.Identifier(text)
	for i := 2; n[name]; i++ {
		name = convert.Identifier(text) + "_" + itoa(i)
	}
	n[name] = true
	return name
}
