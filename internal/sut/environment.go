package sut

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/interp"
)

// A vendor is a kind of provider whose clients look for its address, and for a
// key, in the environment.
type vendor struct {
	kind      string
	addresses []string
	keys      []string
	// version is the end of a base_url that clients add by themselves.
	version string
}

// vendors are all of them.
var vendors = []vendor{
	{"openai", []string{"OPENAI_BASE_URL", "OPENAI_API_BASE"}, []string{"OPENAI_API_KEY"}, ""},
	{"anthropic", []string{"ANTHROPIC_BASE_URL"}, []string{"ANTHROPIC_API_KEY"}, "/v1"},
	{"gemini", []string{"GOOGLE_GEMINI_BASE_URL"}, []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "/v1beta"},
	{"ollama", []string{"OLLAMA_HOST"}, nil, ""},
	{"cohere", []string{"CO_API_URL"}, []string{"CO_API_KEY"}, ""},
}

// placeholder is the value of keys. Clients refuse to start without one, and a
// real one never reaches a program that is tested.
const placeholder = interp.PlaceholderKey

// noProxy names what a program asks without a proxy.
const noProxy = "127.0.0.1,localhost,::1"

// sharing are the providers of a vendor, where all of them have one address, so
// that one variable can tell it; nil otherwise.
func (v vendor) sharing(asked []*interp.Provider) []*interp.Provider {
	var of []*interp.Provider
	for _, p := range asked {
		if p.Kind.Name == v.kind && p.AddressEnv == "" {
			of = append(of, p)
		}
	}
	if slices.ContainsFunc(of, func(p *interp.Provider) bool { return p.Address() != of[0].Address() }) {
		return nil
	}
	return of
}

// Vendors are the addresses of vendors, by their kinds, from those of providers,
// by their names. Where several providers have one it is that of none of them, so
// that what is asked tells whose request it is; listen begins to listen there, and
// returns its address.
func Vendors(asked []*interp.Provider, urls map[string]string, listen func(server.Origin) (string, error)) (map[string]string, error) {
	all := map[string]string{}
	for _, v := range vendors {
		of := v.sharing(asked)
		if len(of) == 0 {
			continue
		}
		all[v.kind] = urls[of[0].Name]
		if len(of) == 1 {
			continue
		}
		var err error
		if all[v.kind], err = listen(server.Origin{Base: of[0].Base()}); err != nil {
			return nil, fmt.Errorf("nothing can listen for %s: %w", v.kind, err)
		}
	}
	return all, nil
}

// Variables are those that tell a program where the services are: each provider by
// its name, and each vendor whose providers share an address by its kind.
func Variables(asked []*interp.Provider, urls, shared map[string]string) map[string]string {
	vars := map[string]string{"SCENARIO": "1", "PYTHONUNBUFFERED": "1", "NO_PROXY": noProxy, "no_proxy": noProxy}
	for _, v := range vendors {
		for _, key := range v.keys {
			vars[key] = placeholder
		}
		if shared[v.kind] == "" {
			continue
		}
		for _, name := range v.addresses {
			vars[name] = strings.TrimSuffix(shared[v.kind], v.version)
		}
	}
	for _, p := range asked {
		if p.AddressEnv != "" {
			vars[p.AddressEnv] = urls[p.Name]
		}
		switch {
		case p.ApiKeyEnv == "":
		case p.Kind.Family == "sql":
			vars[p.ApiKeyEnv] = urls[p.Name] // which has the whole connection string
		default:
			vars[p.ApiKeyEnv] = placeholder
		}
	}
	return vars
}

// Databases are the variables by which clients of PostgreSQL find a database:
// those of the one that a program asks, none where it asks several, since they
// name one.
func Databases(asked []*interp.Provider, dsns map[string]string) (map[string]string, error) {
	var of []*interp.Provider
	for _, p := range asked {
		if p.Kind.Family == "sql" && p.AddressEnv == "" {
			of = append(of, p)
		}
	}
	if len(of) != 1 {
		return nil, nil
	}
	u, err := url.Parse(dsns[of[0].Name])
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"DATABASE_URL": u.String(), "PGHOST": u.Hostname(), "PGHOSTADDR": u.Hostname(), "PGPORT": u.Port(), "PGUSER": u.User.Username(),
		"PGPASSWORD": placeholder, "PGDATABASE": strings.TrimPrefix(u.Path, "/"), "PGSSLMODE": "disable",
	}, nil
}

// misleading are inherited variables that would lead clients of PostgreSQL away.
var misleading = []string{"PGSERVICE", "PGSERVICEFILE", "PGPASSFILE", "PGSSLROOTCERT", "PGSSLCERT", "PGSSLKEY", "PGSSLNEGOTIATION", "PGREQUIRESSL", "PGCHANNELBINDING", "PGREQUIREAUTH", "PGTARGETSESSIONATTRS", "PGOPTIONS"}

// without are variables but for some of them.
func without(inherited, names []string) []string {
	return slices.DeleteFunc(slices.Clone(inherited), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(names, name)
	})
}

// environment is what a program gets: what is inherited, what the run sets, and
// what the file says, the later of a name in the place of the earlier.
func environment(inherited []string, sets ...map[string]string) []string {
	all := map[string]string{}
	var order []string
	set := func(name, value string) {
		if _, known := all[name]; !known {
			order = append(order, name)
		}
		all[name] = value
	}
	for _, pair := range inherited {
		if i := strings.IndexByte(pair[min(1, len(pair)):], '='); i >= 0 { // Windows has names that begin with =
			set(pair[:i+1], pair[i+2:])
		}
	}
	for _, vars := range sets {
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			set(name, vars[name])
		}
	}
	list := make([]string, len(order))
	for i, name := range order {
		list[i] = name + "=" + all[name]
	}
	return list
}

// addressed are the names of the variables that have one of some addresses, or its
// beginning.
func addressed(vars map[string]string, urls ...string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if v := vars[name]; (strings.HasPrefix(v, "http://") || strings.HasPrefix(v, "postgres://")) && slices.ContainsFunc(urls, func(url string) bool { return strings.HasPrefix(url, v) }) {
			names = append(names, name)
		}
	}
	return names
}
