package compile

import (
	"sort"
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
)

// world holds the declared policies by name.
type world struct {
	retries  map[string]*policy.Retry
	breakers map[string]*policy.BreakerConfig
	limits   map[string]*policy.RateLimitConfig
}

func (c *Compiler) compileWorld() {
	c.providers, c.targets, c.gateways = map[string]*plan.Provider{}, map[string]*plan.Target{}, map[string]*plan.Gateway{}
	c.world = world{map[string]*policy.Retry{}, map[string]*policy.BreakerConfig{}, map[string]*policy.RateLimitConfig{}}
	c.prefix = "scenario_"
	for _, b := range c.File.Body.Blocks {
		switch b.Type {
		case "telemetry":
			if p := c.read(b).String("prefix"); p != "" {
				c.prefix = p + "_"
			}
		case "provider":
			c.providers[b.Name()] = c.provider(b)
		case "retry":
			c.world.retries[b.Name()] = c.retry(b)
		case "breaker":
			c.world.breakers[b.Name()] = c.breaker(b)
		case "rate_limit":
			c.world.limits[b.Name()] = c.rateLimit(b)
		}
	}
	for _, b := range c.File.Body.All("gateway") {
		c.gateways[b.Name()] = c.gateway(b)
	}
}

func (c *Compiler) provider(b *dsl.Block) *plan.Provider {
	r := c.readProvider(b)
	kind, api := c.File.Extensions.Provider(b.Kind()), r.String("api")
	secret, base := r.String("api_key_env"), r.String("base_url")
	if kind.Family == "sql" {
		secret, base = r.String("dsn_env"), c.database(r, base)
	}
	p := &plan.Provider{
		Kind: kind, Adapter: kind.Speaker(api), Api: api, Name: b.Name(), Model: r.String("model"), BaseURL: base,
		ApiKeyEnv: secret, Headers: r.StringMap("headers"), Timeout: r.Duration("timeout"),
	}
	c.server(p, r)
	return p
}

func (c *Compiler) retry(b *dsl.Block) *policy.Retry {
	if b.Kind() == "none" {
		return &policy.Retry{Name: b.Name()}
	}
	r := c.read(b)
	p := &policy.Retry{
		Name: b.Name(), MaxRetries: r.Int("max_retries"), On: r.Strings("retry_on"),
		RespectRetryAfter: r.Bool("respect_retry_after"), MaxRetryAfter: r.Duration("max_retry_after"),
		RetryAfterCap: r.Duration("retry_after_cap"),
	}
	p.On = c.checkSpecs(r, p.On)
	if b.Kind() == "linear" {
		p.Backoff = policy.Backoff{Linear: true, Base: r.Duration("delay"), Increment: r.Duration("increment")}
		return p
	}
	p.Backoff = policy.Backoff{Base: r.Duration("base"), Multiplier: r.Float("multiplier"), MaxDelay: r.Duration("max_delay")}
	switch j := r.Value("jitter").(type) {
	case float64:
		if j < 0 || j > 1 {
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

func (c *Compiler) breaker(b *dsl.Block) *policy.BreakerConfig {
	r := c.read(b)
	cfg := &policy.BreakerConfig{
		Name: b.Name(), Threshold: r.Int("threshold"), FailureRate: r.Float("failure_rate"), MinCalls: r.Int("min_calls"),
		Reset: r.Duration("reset"), HalfOpenMax: r.Int("half_open_max"), SuccessThreshold: r.Int("success_threshold"), Ignore: r.Strings("ignore"),
	}
	for _, k := range cfg.Ignore {
		kinds := read.FailureKinds()
		if !read.Contains(kinds, k) {
			r.Errorf("ignore", "Unknown failure kind", "There is no failure kind %q.%s", k, dsl.DidYouMean(k, kinds))
		}
	}
	c.window(r, cfg)
	return cfg
}

// window reads the mode that counts in a window, and refuses attributes that
// mean nothing without one.
func (c *Compiler) window(r dsl.Reader, cfg *policy.BreakerConfig) {
	switch w := r.Value("window").(type) {
	case nil:
		for _, name := range []string{"failure_rate", "min_calls"} {
			if r.Has(name) {
				r.Errorf(name, "Attribute without a window", "%q says something only together with window.", name)
			}
		}
	case float64:
		if w < 1 || w != float64(int(w)) {
			r.Errorf("window", "Wrong value", `The attribute "window" is a number of calls, an integer of at least 1, or a duration such as "60s".`)
		}
		cfg.WindowCalls = int(w)
	case string:
		d, err := dsl.ParseDuration(w)
		if err != nil || d <= 0 {
			r.Errorf("window", "Wrong value", `The attribute "window" is a number of calls or a duration such as "60s", not %q.`, w)
		}
		cfg.WindowTime = d
	default:
		r.Errorf("window", "Wrong value", `The attribute "window" is a number of calls or a duration such as "60s".`)
	}
	if cfg.WindowCalls > 0 {
		if r.Has("min_calls") && cfg.MinCalls > cfg.WindowCalls {
			r.Errorf("min_calls", "Breaker that can never open", "The window holds %d calls, and min_calls asks for %d.", cfg.WindowCalls, cfg.MinCalls)
		}
		cfg.MinCalls = min(cfg.MinCalls, cfg.WindowCalls)
	}
	if v, good := r.Value("failure_rate").(float64); good && v == 0 {
		r.Errorf("failure_rate", "Breaker that is always open", "With a failure_rate of 0 the breaker opens as soon as min_calls are in the window, also where all of them succeeded. Give the share of failures that opens it, such as 0.5.")
	}
	if (cfg.WindowCalls > 0 || cfg.WindowTime > 0) && r.Has("threshold") {
		r.Errorf("threshold", "Two modes of one breaker", `"threshold" counts consecutive failures and "window" a share of the calls: give one of them.`)
	}
}

func (c *Compiler) rateLimit(b *dsl.Block) *policy.RateLimitConfig {
	r := c.read(b)
	cfg := &policy.RateLimitConfig{Name: b.Name(), RequestsPerMinute: r.Float("requests_per_minute"), TokensPerMinute: r.Float("tokens_per_minute")}
	cfg.Burst = cfg.RequestsPerMinute
	if r.Has("burst") {
		cfg.Burst = r.Float("burst")
	}
	for _, name := range []string{"requests_per_minute", "tokens_per_minute"} {
		if r.Has(name) && r.Float(name) <= 0 {
			r.Errorf(name, "Limit must be positive", "%q must be greater than 0.", name)
		}
	}
	switch {
	case r.Has("burst") && cfg.Burst < 1:
		r.Errorf("burst", "Limit must be positive", `"burst" must be at least 1, or no request could ever pass.`)
	case cfg.Burst > 0 && cfg.Burst < 1:
		r.Errorf("requests_per_minute", "Limit must be positive", `"burst" is requests_per_minute by default, and with less than 1 no request could ever pass: give burst = 1.`)
	}
	return cfg
}

func (c *Compiler) gateway(b *dsl.Block) *plan.Gateway {
	g := &plan.Gateway{Name: b.Name(), Strategy: c.read(b).String("strategy")}
	for _, tb := range b.All("target") {
		if t := c.target(tb); t != nil {
			g.Targets = append(g.Targets, t)
		}
	}
	for _, t := range g.Targets {
		if t.Provider.Kind.Family != g.Family() {
			c.errorf(b.DefRange, "Providers that do not fit together", "The targets of gateway %q are providers of different kinds of service: %s is %s, %s is %s.", b.Name(), g.Targets[0].Name, g.Family(), t.Name, t.Provider.Kind.Family)
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

func (c *Compiler) target(b *dsl.Block) *plan.Target {
	r := c.read(b)
	t := &plan.Target{
		Name: b.Name(), Priority: r.Int("priority"), Fallback: r.Bool("fallback"), Timeout: r.Duration("timeout"), Models: r.Strings("models"),
		Bulkhead: c.bulkhead(b), Gateway: b.Parent.Name(), Rng: b.DefRange,
	}
	if prev := c.targets[t.Name]; prev != nil && prev.Gateway != t.Gateway {
		c.errorf(b.DefRange, "Duplicate name", "The target %q is a duplicate: gateway %q has one %s. Target names are unique in a file, because breaker.%s and target.%s read one of them.", t.Name, prev.Gateway, dsl.Declared(prev.Rng, t.Rng), t.Name, t.Name)
	}
	c.targets[t.Name] = t
	if t.Provider = lookup(c, c.providers, r.Ref("provider")); t.Provider == nil {
		c.unresolved = true
		return nil
	}
	if cfg := find(c, c.world.breakers, r.Ref("breaker")); cfg != nil {
		t.Breaker = cfg
	} else if r.Has("breaker") {
		c.unresolved = true
	}
	if cfg := find(c, c.world.limits, r.Ref("rate_limit")); cfg != nil {
		t.Limit = cfg
	}
	return t
}

func (c *Compiler) bulkhead(b *dsl.Block) *policy.BulkheadConfig {
	n := b.First("bulkhead")
	if n == nil {
		return nil
	}
	r := c.read(n)
	return &policy.BulkheadConfig{MaxConcurrent: max(1, r.Int("max_concurrent")), MaxQueue: r.Int("max_queue")}
}

// direct is the gateway of one target that a plain provider stands for. All
// users of the provider share its target.
func (c *Compiler) direct(p *plan.Provider, ref dsl.Reference) *plan.Gateway {
	t := c.targets[p.Name]
	switch {
	case t == nil:
		t = &plan.Target{Name: p.Name, Provider: p, Plain: true}
		c.targets[p.Name] = t
	case !t.Plain:
		c.errorf(ref.Range, "Duplicate name", "Used without a gateway, provider.%s is a target named %q, and a gateway has a target of that name already. Use the gateway here, or rename its target.", p.Name, p.Name)
		return nil
	}
	return &plan.Gateway{Targets: []*plan.Target{t}}
}

// lookup finds a declaration by reference and reports a reference to nothing.
func lookup[T any](c *Compiler, known map[string]*T, ref dsl.Reference) *T {
	if ref.Name == "" {
		return nil
	}
	if v := known[ref.Name]; v != nil {
		return v
	}
	c.unknownRef(ref, read.SortedNames(known))
	return nil
}

func find[T any](c *Compiler, known map[string]*T, ref dsl.Reference) *T {
	if ref.Name == "" {
		return nil
	}
	if v, ok := known[ref.Name]; ok {
		return v
	}
	c.unknownRef(ref, read.SortedNames(known))
	return nil
}

func (c *Compiler) unknownRef(ref dsl.Reference, known []string) {
	if c.expander().Lost(ref.Type, ref.Name) {
		return // why it is not there was said
	}
	hint := dsl.DidYouMean(ref.Name, known)
	if hint == "" {
		hint = " Declare it: `" + ref.Type + " \"" + ref.Name + "\" { … }`."
	}
	c.errorf(ref.Range, "Reference to nothing", "No %s %q is declared in this file.%s", ref.Type, ref.Name, hint)
}
