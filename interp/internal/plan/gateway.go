package plan

import (
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
)

// Provider is a declared remote service.
type Provider struct {
	Kind *catalog.Kind
	// Adapter is the kind's for the interface that Api names.
	Adapter providers.Adapter
	Api     string
	Name    string
	Model   string
	BaseURL string
	// ApiKeyEnv is the variable that holds its secret: the key of a service, the
	// connection string of a database.
	ApiKeyEnv string
	// AddressEnv is the variable that tells a program under test where the
	// service is, "" for the vendor's.
	AddressEnv string
	Headers    map[string]string
	Timeout    time.Duration
	Silence    Silence
	Rng        hcl.Range
	// Protocol is the revision that a server is asked for, and Command, where
	// not nil, the program that is the server.
	Protocol string
	Command  []string

	// base is made when it is first asked for.
	parsing sync.Once
	base    *url.URL
}

// Address is where the service is: as declared, else the vendor's own.
func (p *Provider) Address() string {
	if p.BaseURL != "" {
		return p.BaseURL
	}
	return p.Kind.BaseURL
}

// Target is one entry of a gateway. Its state in a run is found by its name,
// which is unique in a file.
type Target struct {
	Name string
	// Gateway and Rng say where it is declared.
	Gateway  string
	Rng      hcl.Range
	Provider *Provider
	Priority int
	Fallback bool
	// Policies are at most one of each kind, in the order in which a call passes
	// them.
	Policies []policy.Config
	Timeout  time.Duration
	Models   []string
	// Plain marks the target that a provider used without a gateway stands for.
	Plain bool
}

// Has reports whether the target has a policy of a kind.
func (t *Target) Has(k *policy.Kind) bool {
	return slices.ContainsFunc(t.Policies, func(c policy.Config) bool { return c.Kind() == k })
}

// Gateway is the path to a service. Targets are in the order in which they are
// tried. One made for a plain provider has no name.
type Gateway struct {
	Name     string
	Strategy string
	Targets  []*Target
}

// Family is the family of the providers behind it; they are all of one.
func (g *Gateway) Family() string { return g.Targets[0].Provider.Kind.Family }

// Calls reports whether a provider is behind the gateway.
func (g *Gateway) Calls(provider string) bool {
	return slices.ContainsFunc(g.Targets, func(t *Target) bool { return t.Provider.Name == provider })
}

// The strategies of a gateway: which target a call tries first.
const (
	ByPriority   = "priority"
	InTurn       = "round_robin"
	LeastBusy    = "least_busy"
	NoCandidates = "no_target"
)
