package explore

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
)

// A variant is a kind of fault with arguments.
type variant struct {
	kind     *faults.Kind
	args     schema.Values
	after    time.Duration
	hasAfter bool
}

// A catalogue is what can strike in one scenario, the commonest first: a refused
// connection, silence, 503, 429 with a wait, a cut, then the kinds in the order of
// their reference.
type catalogue []variant

// newCatalogue lists what is tried of each kind: of arguments those that something
// in a program can tell apart.
func newCatalogue(f figures, wanted func(kind string) bool) catalogue {
	var first, rest catalogue
	for _, k := range faults.Kinds() {
		if !wanted(k.Name) {
			continue
		}
		for _, given := range argumentsOf(k.Name, f) {
			args := defaults(k)
			maps.Copy(args, given)
			rest = append(rest, variant{kind: k, args: args})
		}
	}
	for _, common := range []func(*variant) bool{
		func(v *variant) bool { return v.kind.Name == "connection_refused" },
		func(v *variant) bool { return v.kind.Name == "timeout" },
		func(v *variant) bool { return v.args["status_code"] == 503 },
		func(v *variant) bool { return v.args["status_code"] == 429 },
		func(v *variant) bool { return v.kind.Name == "stream_truncate" || v.kind.Name == "connection_reset" },
	} {
		rest = slices.DeleteFunc(rest, func(v variant) bool {
			if common(&v) {
				first = append(first, v)
				return true
			}
			return false
		})
	}
	return append(first, rest...)
}

// statusesTried are one of each class that clients and taxonomies tell apart.
var statusesTried = []int{503, 500, 401, 402, 400, 404, 408, 529}

// statesTried are one SQLSTATE of each class that a client tells apart: a defect of
// the server, a conflict that a new transaction solves, a broken rule, a missing
// table, a cancelled statement, too many connections.
var statesTried = []string{"XX000", "40001", "23505", "42P01", "57014", "53300"}

// endsTried are the ends of a cut stream, in the order in which they are met.
var endsTried = []string{"reset", "eof", "clean", "stall"}

// argumentsOf are the arguments with which a kind is tried.
func argumentsOf(kind string, f figures) []schema.Values {
	switch kind {
	case "http_error":
		return statusArguments(f)
	case "stream_truncate":
		var list []schema.Values
		for _, end := range endsTried {
			list = append(list, schema.Values{"end": end}, schema.Values{"end": end, "after_chunks": 1})
		}
		return list
	case "connection_reset":
		return []schema.Values{{}, {"after_bytes": 1}}
	case "malformed_response":
		return []schema.Values{{}, {"where": "frame"}}
	case "content_length_mismatch":
		return []schema.Values{{}, {"by": -1}}
	case "partial_response":
		return []schema.Values{{}, {"finish_reason": "content_filter"}}
	case "db_error":
		var list []schema.Values
		for _, state := range statesTried {
			list = append(list, schema.Values{"sqlstate": state})
		}
		return list
	case "slow_stream":
		if len(f.deadlines) > 0 {
			return []schema.Values{{}, {"chunk_delay": f.deadlines[0]}}
		}
	}
	return []schema.Values{{}}
}

// statusArguments are the statuses that are tried, and the waits that come with 429.
func statusArguments(f figures) []schema.Values {
	var list []schema.Values
	statuses := append(slices.Clone(statusesTried), f.statuses...)
	for i, n := range statuses {
		if n != 429 && !slices.Contains(statuses[:i], n) {
			list = append(list, schema.Values{"status_code": n})
		}
	}
	for _, seconds := range f.retryAfters() {
		list = append(list, schema.Values{"status_code": 429, "headers": map[string]string{"Retry-After": strconv.Itoa(seconds)}})
	}
	return append(list, schema.Values{"status_code": 429})
}

// defaults are the arguments of a kind that nobody gives one.
func defaults(k *faults.Kind) schema.Values {
	args := schema.Values{}
	for i := range k.Attrs {
		if v := k.Attrs[i].DefaultValue(); v != nil {
			args[k.Attrs[i].Name] = v
		}
	}
	return args
}

// at are the strikes at a point, in the order in which they are tried.
func (c catalogue) at(p *interp.Point) []Strike {
	var list []Strike
	for i := range c {
		if v := &c[i]; p.Part() != "lock" && p.Meets(v.kind) {
			list = append(list, Strike{Address: p.Address, Lane: p.Lane, N: p.N, Fault: v.kind, Args: v.args, After: v.after, HasAfter: v.hasAfter})
		}
	}
	return list
}
