package compile

import (
	"fmt"
	"sort"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/stdlib"
)

// world holds the declared policies by name: those of steps, and those of targets
// by their kind.
type world struct {
	retries map[string]*policy.Retry
	// retriesFrom are the [plan.Step.RetriesFrom] of those.
	retriesFrom map[string]map[string]bool
	targets     map[*policy.Kind]map[string]policy.Config
}

// declarePolicies reads the blocks of the file that declare a policy of targets.
func (c *compiler) declarePolicies() {
	c.world.targets = map[*policy.Kind]map[string]policy.Config{}
	for _, k := range policy.Kinds() {
		known := map[string]policy.Config{}
		for _, b := range c.Top(k.Name) {
			known[b.Name()] = k.Read(declaration{c.Read(b)})
		}
		c.world.targets[k] = known
	}
}

// declaration is the block of a policy, as its kind reads it.
type declaration struct{ dsl.Reader }

// FailureKinds implements policy.Declaration.
func (d declaration) FailureKinds(attr string) []string {
	list, known := d.Strings(attr), read.FailureKinds()
	for _, k := range list {
		if !read.Contains(known, k) {
			d.EntryErrorf(attr, k, "Unknown failure kind", "There is no failure kind %q.%s", k, dsl.DidYouMean(k, known))
		}
	}
	return list
}

func (c *compiler) compileWorld() {
	c.providers, c.targets, c.gateways = map[string]*plan.Provider{}, map[string]*plan.Target{}, map[string]*plan.Gateway{}
	c.world.retries, c.world.retriesFrom = map[string]*policy.Retry{}, map[string]map[string]bool{}
	c.prefix = "scenario_"
	for _, b := range c.File.Body.Blocks {
		switch b.Type {
		case "telemetry":
			if p := c.Read(b).String("prefix"); p != "" {
				c.prefix = p + "_"
			}
		case "provider":
			c.providers[b.Name()] = c.provider(b)
		case "retry":
			c.world.retries[b.Name()] = c.retry(b)
			if c.world.retries[b.Name()].MaxRetries == 0 {
				c.world.retriesFrom[b.Name()] = c.retriesFrom(b)
			}
		}
	}
	c.declarePolicies()
	for _, b := range c.Top("gateway") {
		c.gateways[b.Name()] = c.gateway(b)
	}
}

func (c *compiler) provider(b *dsl.Block) *plan.Provider {
	r := c.ReadProvider(b)
	kind, api := c.File.Extensions.Provider(b.Kind()), r.String("api")
	secret, base := r.String("api_key_env"), r.String("base_url")
	if kind.Family == "sql" {
		secret, base = r.String("dsn_env"), c.database(r, c.Addressed(base, "postgres"))
	}
	base = c.Addressed(base, "https")
	p := &plan.Provider{
		Kind: kind, Adapter: kind.Speaker(api), Api: api, Name: b.Name(), Model: r.String("model"), BaseURL: base,
		ApiKeyEnv: secret, AddressEnv: r.String("base_url_env"), Headers: r.StringMap("headers"), Timeout: r.Duration("timeout"), Rng: b.DefRange,
	}
	if kind.Family != "sql" {
		p.Silence = silence(r)
	}
	c.server(p, r)
	c.addressEnv(p, r)
	if base != "" && kind.Family != "sql" {
		c.addressOf(r, base)
	}
	return p
}

// shellVariable is how a shell, or a compose file, names a variable.
var shellVariable = pattern.New(`^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$`)

// addressOf refuses an address to which no request can be sent. It is printed only
// where it is written in the file.
func (c *compiler) addressOf(r dsl.Reader, base string) {
	if _, err := providers.ParseBase(base); err == nil {
		return
	}
	shown := ""
	if plan.IsLiteral(r.Block.Expr("base_url")) {
		shown = fmt.Sprintf(", not %q", base)
	}
	hint := ""
	if m := shellVariable().FindStringSubmatch(base); m != nil {
		hint = fmt.Sprintf(" A variable of the environment is env(%q).", m[1])
	}
	r.Errorf("base_url", "Wrong value", `The attribute "base_url" begins with http:// or https:// and a host, such as "https://api.example.com/v1"%s.%s`, shown, hint)
}

// addressEnv checks the variable that tells a program where a provider is.
func (c *compiler) addressEnv(p *plan.Provider, r dsl.Reader) {
	if name := readsVariable(r.Block.Expr("base_url_env")); name != "" {
		r.Errorf("base_url_env", "Wrong value", "The attribute \"base_url_env\" is the name of the variable, which the program reads. Write base_url_env = %q.", name)
		return
	}
	if p.AddressEnv == "" {
		if r.Has("base_url_env") {
			r.Errorf("base_url_env", "Wrong value", "The name of a variable of the environment is not empty.")
		}
		return
	}
	if !variableName(p.AddressEnv) {
		r.Errorf("base_url_env", "Wrong value", "%q is not the name of a variable of the environment, such as OPENAI_BASE_URL.", p.AddressEnv)
	}
	for _, name := range read.SortedNames(c.providers) {
		if other := c.providers[name]; other.AddressEnv == p.AddressEnv {
			r.Errorf("base_url_env", "Duplicate name", "%s tells a program the address of provider.%s already: a variable has one value.", p.AddressEnv, name)
		}
	}
}

// readsVariable is the name of the variable of the environment that an expression reads, ""
// for any other expression.
func readsVariable(e hclsyntax.Expression) string {
	call, ok := e.(*hclsyntax.FunctionCallExpr)
	if !ok || call.Name != "env" || len(call.Args) == 0 {
		return ""
	}
	if v, literal := dsl.Literal(call.Args[0]); literal && v.Type() == cty.String && variableName(v.AsString()) {
		return v.AsString()
	}
	return ""
}

// variableName reports whether a shell takes a name for a variable.
func variableName(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

func (c *compiler) retry(b *dsl.Block) *policy.Retry {
	if b.Kind() == "none" {
		return &policy.Retry{Name: b.Name()}
	}
	r := c.Read(b)
	p := &policy.Retry{
		Name: b.Name(), MaxRetries: r.Int("max_retries"), On: r.Strings("retry_on"),
		RespectRetryAfter: r.Bool("respect_retry_after"), MaxRetryAfter: r.Duration("max_retry_after"),
		RetryAfterCap: r.Duration("retry_after_cap"), RetryAfterJitter: r.Float("retry_after_jitter"),
	}
	p.On = c.checkSpecs(r, p.On)
	for _, name := range []string{"max_delay", "retry_after_cap"} {
		if b.Attr(name) != nil && !stdlib.IsModule(b.DefRange.Filename) {
			p.Limits = append(p.Limits, name)
		}
	}
	if b.Kind() == "linear" {
		p.Backoff = policy.Backoff{Linear: true, Base: r.Duration("delay"), Increment: r.Duration("increment")}
		return p
	}
	p.Backoff = policy.Backoff{Base: r.Duration("base"), Multiplier: r.Float("multiplier"), MaxDelay: r.Duration("max_delay")}
	switch j := r.Value("jitter").(type) {
	case float64:
		if j > 1 && j <= 100 {
			r.Errorf("jitter", "Wrong value", `The attribute "jitter" is a share from 0 to 1, or "full": %g percent are %g.`, j, j/100)
		} else if j < 0 || j > 1 {
			r.Errorf("jitter", "Wrong value", `The attribute "jitter" is a share from 0 to 1, or "full".`)
		}
		p.Backoff.Jitter = j
	case string:
		if j != "full" {
			r.Errorf("jitter", "Wrong value", `The attribute "jitter" is a share from 0 to 1, or "full", not %q.`, j)
		}
		p.Backoff.FullJitter = true
	default:
		r.Errorf("jitter", "Wrong value", `The attribute "jitter" is a share from 0 to 1, or "full".`)
	}
	return p
}

// defaultRetry is retry "exponential" with its defaults, for on_failure =
// "retry".
func defaultRetry() policy.Retry {
	return policy.Retry{
		Name: "default", MaxRetries: 3, RespectRetryAfter: true, MaxRetryAfter: 2 * time.Minute,
		Backoff: policy.Backoff{Base: time.Second, Multiplier: 2, MaxDelay: time.Minute},
	}
}

func (c *compiler) gateway(b *dsl.Block) *plan.Gateway {
	g := &plan.Gateway{Name: b.Name(), Strategy: c.Read(b).String("strategy")}
	for _, tb := range b.All("target") {
		if t := c.target(tb); t != nil {
			g.Targets = append(g.Targets, t)
		}
	}
	for _, t := range g.Targets {
		if t.Provider.Kind.Family != g.Family() {
			c.Errorf(b.DefRange, "Providers that do not fit together", "The targets of gateway %q are providers of different kinds of service: %s is %s, %s is %s.", b.Name(), g.Targets[0].Name, g.Family(), t.Name, t.Provider.Kind.Family)
		}
	}
	sort.SliceStable(g.Targets, func(i, j int) bool {
		x, y := g.Targets[i], g.Targets[j]
		if x.Fallback != y.Fallback {
			return y.Fallback
		}
		return x.Priority < y.Priority
	})
	if len(g.Targets) == 0 {
		return nil
	}
	return g
}

func (c *compiler) target(b *dsl.Block) *plan.Target {
	r := c.Read(b)
	t := &plan.Target{
		Name: b.Name(), Priority: r.Int("priority"), Fallback: r.Bool("fallback"), Timeout: r.Duration("timeout"), Models: r.Strings("models"),
		Gateway: b.Parent.Name(), Rng: b.DefRange,
	}
	if prev := c.targets[t.Name]; prev != nil && prev.Gateway != t.Gateway {
		c.Errorf(b.DefRange, "Duplicate name", "The target %q is a duplicate: gateway %q has one %s. Target names are unique in a file, because breaker.%s and target.%s read one of them.", t.Name, prev.Gateway, dsl.Declared(prev.Rng, t.Rng), t.Name, t.Name)
	}
	c.targets[t.Name] = t
	if t.Provider = unit.Find(c.Unit, c.providers, r.Ref("provider")); t.Provider == nil {
		c.unresolved = true
		return nil
	}
	t.Policies = c.policies(b, r)
	return t
}

// policies are those of a target, each a block inside it or one that it names.
func (c *compiler) policies(b *dsl.Block, r dsl.Reader) []policy.Config {
	var list []policy.Config
	for _, k := range policy.Kinds() {
		if own := b.First(k.Name); own != nil {
			list = append(list, k.Read(declaration{c.Read(own)}))
			continue
		}
		ref := r.Ref(k.Name)
		if cfg, ok := c.world.targets[k][ref.Name]; ok {
			list = append(list, cfg)
			continue
		}
		if r.Has(k.Name) {
			c.unresolved = true
		}
		if ref.Name != "" {
			c.UnknownRef(ref, read.SortedNames(c.world.targets[k]))
		}
	}
	return list
}

// bulkhead is that of a step, nil where it has none.
func (c *compiler) bulkhead(b *dsl.Block) *policy.BulkheadConfig {
	own := b.First("bulkhead")
	if own == nil {
		return nil
	}
	return policy.NewBulkheadConfig(declaration{c.Read(own)})
}

// direct is the gateway of one target that a plain provider stands for. All
// users of the provider share its target.
func (c *compiler) direct(p *plan.Provider, ref dsl.Reference) *plan.Gateway {
	t := c.targets[p.Name]
	switch {
	case t == nil:
		t = &plan.Target{Name: p.Name, Provider: p, Plain: true}
		c.targets[p.Name] = t
	case !t.Plain:
		c.Errorf(ref.Range, "Duplicate name", "Used without a gateway, provider.%s is a target named %q, and a gateway has a target of that name already. Use the gateway here, or rename its target.", p.Name, p.Name)
		return nil
	}
	return &plan.Gateway{Targets: []*plan.Target{t}}
}

// server reads what a declaration says of a server's transport.
func (c *compiler) server(p *plan.Provider, r dsl.Reader) {
	if p.Kind.Family != "mcp" {
		return
	}
	p.Protocol, p.Command = r.String("protocol_version"), r.Strings("command")
	if !r.Has("command") {
		if !r.Has("base_url") {
			c.Errorf(r.Block.DefRange, "Provider without an address", "A server of the Model Context Protocol has no usual address: give base_url, or command for one over standard input and output.")
		}
		return
	}
	if p.Command != nil && len(p.Command) == 0 || len(p.Command) > 0 && p.Command[0] == "" {
		r.Errorf("command", "Command without a program", "Give the program and its arguments, such as [\"npx\", \"-y\", \"some-server\"].")
	}
	for _, name := range []string{"base_url", "base_url_env", "headers", "api_key_env"} {
		if r.Has(name) {
			r.Errorf(name, "Two ways to one server", "A server that is a process has no address, no header fields and no key: give either command or %s.", name)
		}
	}
	p.BaseURL = mcp.SchemePipe + "://" + p.Name + "/"
}

// database is the address of a database without a password, which belongs into
// no file and would show in every plan.
func (c *compiler) database(r dsl.Reader, base string) string {
	bare, had := sql.WithoutPassword(base)
	if had {
		c.Warnf(r.Range("base_url"), "Password in an address", "The password in base_url is dropped, so that no plan, trace or recording shows it. To dial the database, put the whole connection string into a variable of the environment and name that with dsn_env.")
	}
	return bare
}
