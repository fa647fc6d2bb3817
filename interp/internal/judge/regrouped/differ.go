package regrouped

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp/internal/event"
)

// A difference is in what a request is not the one before it.
type difference struct {
	what string // such as "the header Idempotency-Key"
	// counts says that the two differ in words that count attempts, or name one.
	counts bool
}

// differ reports whether a request asks what another one asked, as far as one can tell, and in what
// it is different: a header, or something that a program makes anew for each request.
func differ(before, after *attempt) (d difference, alike bool) {
	p, q := before.asked.Request, after.asked.Request
	if p == nil || q == nil || p.Method != q.Method || p.Tool != q.Tool || pathOf(p.URL) != pathOf(q.URL) {
		return d, false
	}
	_, _, d.counts = countsOn(p.Body+" "+p.Statement, q.Body+" "+q.Statement)
	was, now := leavesOf(p), leavesOf(q)
	same, other := 0, 0
	all := joined(was, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := all[name]
		a, had := was[at]
		b, has := now[at]
		switch {
		case had && has && a == b:
			same++
			continue
		case had && has && !d.counts && !varies(at.path, a, b):
			return d, false
		case had != has:
			other++
		}
		if d.what == "" {
			d.what = at.String()
		}
	}
	if other > 0 && same == 0 {
		return d, false
	}
	if d.what == "" {
		d.what = headerOf(before, after)
	}
	return d, d.what != ""
}

// A leaf is a part of a request: a member of its body or its query, or all of it, as path is "".
type leaf struct{ in, path string }

func (l leaf) String() string {
	switch {
	case l.path == "":
		return "the " + l.in
	case l.in == "query":
		return "the query field " + l.path
	}
	return "the member " + l.path + " of the body"
}

// joined are the leaves of both, by what they are called.
func joined(a, b map[leaf]string) map[string]leaf {
	all := make(map[string]leaf, len(a))
	for _, leaves := range []map[leaf]string{a, b} {
		for at := range leaves {
			all[at.String()] = at
		}
	}
	return all
}

// headerOf is the header field that makes a call of its own of a request that asks the same as
// another one, "" for none: it may have been left by a client that gave up.
func headerOf(before, after *attempt) string {
	switch n := after.asked.RetryCount; {
	case before.asked.IdempotencyKey != after.asked.IdempotencyKey:
		return "the header Idempotency-Key"
	case n != nil && *n == 0 && before.ended.Outcome == "failure":
		return "nothing, with 0 in the header X-Stainless-Retry-Count again"
	}
	return ""
}

// pathOf is a URL without its query.
func pathOf(address string) string {
	path, _, _ := strings.Cut(address, "?")
	return path
}

// leavesOf are what a request says in its query, body and statement.
func leavesOf(r *event.Request) map[leaf]string {
	leaves := map[leaf]string{}
	if _, query, has := strings.Cut(r.URL, "?"); has {
		values, _ := url.ParseQuery(query)
		for name, list := range values {
			leaves[leaf{"query", name}] = strings.Join(list, ",")
		}
	}
	if r.Statement != "" {
		leaves[leaf{"statement", ""}] = r.Statement
	}
	var body any
	d := json.NewDecoder(strings.NewReader(r.Body))
	d.UseNumber()
	if err := d.Decode(&body); err != nil || r.Statement != "" {
		leaves[leaf{"body", ""}] = r.Body
		return leaves
	}
	addLeaves(leaves, "", body)
	return leaves
}

func addLeaves(leaves map[leaf]string, path string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			addLeaves(leaves, strings.TrimPrefix(path+"."+name, "."), e)
		}
	case []any:
		for i, e := range v {
			addLeaves(leaves, path+"["+strconv.Itoa(i)+"]", e)
		}
	case string:
		leaves[leaf{"body", path}] = v
	default:
		leaves[leaf{"body", path}] = fmt.Sprint(v)
	}
}
