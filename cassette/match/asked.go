package match

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Says reports whether m compares anything of what a request asks, after hide has
// hidden what is not to be compared: whether a request to the same address that asks
// something else in every way would be noticed. What asks nothing says enough.
func (m Match) Says(r Request, hide func(Request) Request) bool {
	if m.Profile == Loose {
		return true // what is written is that nothing is compared
	}
	same, other, n := m.otherwise(r)
	return n == 0 || m.Key(hide(same)) != m.Key(hide(other))
}

// IgnoresAll reports whether m.Ignore leaves nothing of what a request asks to be
// compared, although m would compare something without it.
func (m Match) IgnoresAll(r Request, hide func(Request) Request) bool {
	all := m
	all.Ignore = nil
	return len(m.Ignore) > 0 && all.Says(r, hide) && !m.Says(r, hide)
}

// AsItIs hides nothing of a request.
func AsItIs(r Request) Request { return r }

// Asks is how many values of a request say what it asks: parameters, what is in the
// body, and the header fields that m names. Of a request to a model it is what the
// model is told, without its instructions where there is more.
func (m Match) Asks(r Request) int {
	_, _, n := m.otherwise(r)
	return n
}

// otherwise returns the request, written anew, and one to the same address that asks
// something else by each of its n values.
func (m Match) otherwise(r Request) (same, other Request, n int) {
	same, other = r, r
	tree, isTree := m.jsonBody(r)
	if isTree {
		object, _ := tree.(map[string]any)
		changed, alone := asksOtherwise(object, pathOf(r), &n)
		if !alone {
			changed = changedIn(tree, &n, nil)
		}
		same.Body, other.Body = appendCanonical(nil, tree), appendCanonical(nil, changed)
		if alone {
			return same, other, n
		}
	} else if len(r.Body) > 0 {
		other.Body = slices.Concat([]byte("otherwise "), r.Body, []byte(" otherwise"))
		n++
	}
	same.URL, other.URL = changedQuery(r.URL, &n)
	other.Header = m.changedHeader(r.Header, &n)
	if n == 0 && isTree {
		other.Body, n = []byte(`{"otherwise":true}`), 1
	}
	return same, other, n
}

// asksOtherwise is a body with other values where a protocol says that they are what it asks,
// and nothing beside them; ok is false where none says so.
func asksOtherwise(body map[string]any, path string, n *int) (changed any, ok bool) {
	switch {
	case asksModel(body, path):
		changed = told(body, n)
	case isRPC(body):
		other := maps.Clone(body)
		other["params"] = changedIn(body["params"], n, nil)
		if *n == 0 || complete(body["method"]) {
			other["method"] = changedIn(body["method"], n, nil)
		}
		changed = other
	}
	return changed, *n > 0
}

// complete reports whether a method of JSON-RPC says by itself what is asked.
func complete(method any) bool {
	name, _ := method.(string)
	return name == "initialize" || name == "ping" || strings.HasPrefix(name, "notifications/") || strings.HasSuffix(name, "/list")
}

// told is a request to a model that tells it something else. What instructs the model
// is the same in all requests of a program, so it counts where there is nothing else.
func told(body map[string]any, n *int) map[string]any {
	other := maps.Clone(body)
	for _, whole := range []bool{false, true} {
		for _, name := range slices.Concat(conversation, []string{"system_instruction"}) {
			v, ok := body[name]
			if !ok || !whole && slices.Contains(instructing, name) {
				continue
			}
			other[name] = changedIn(v, n, func(item map[string]any) bool {
				return !whole && (item["role"] == "system" || item["role"] == "developer")
			})
		}
		if *n > 0 {
			break
		}
	}
	return other
}

// instructing are the fields that say how a model is to answer.
var instructing = []string{"system", "systemInstruction", "system_instruction", "instructions"}

// changedIn is a value with another one in the place of each string, number and boolean
// in it, which n counts. For a conversation, keeps says which objects stay; what a role
// or a type is stays there, too.
func changedIn(v any, n *int, keeps func(map[string]any) bool) any {
	switch v := v.(type) {
	case string:
		*n++
		return v + " otherwise"
	case number:
		*n++
		if v == "7" {
			return number("8")
		}
		return number("7")
	case bool:
		*n++
		return !v
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = changedIn(v[i], n, keeps)
		}
		return out
	case map[string]any:
		if keeps != nil && keeps(v) {
			return v
		}
		out := maps.Clone(v)
		for name := range v {
			if keeps == nil || name != "role" && name != "type" {
				out[name] = changedIn(v[name], n, keeps)
			}
		}
		return out
	}
	return v
}

// changedQuery is an address, and one with other parameters, of which those that carry
// credentials stay.
func changedQuery(address string, n *int) (same, other string) {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery == "" {
		return address, address
	}
	v := *u
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		*n++
		v.RawQuery += "otherwise"
		return u.String(), v.String()
	}
	u.RawQuery = values.Encode()
	for name, list := range values {
		if isCredential(name) {
			continue
		}
		for i := range list {
			*n++
			list[i] += " otherwise"
		}
	}
	v.RawQuery = values.Encode()
	return u.String(), v.String()
}

// changedHeader is a header with other values in the fields that m names, but for those
// that say in which form something is asked.
func (m Match) changedHeader(h http.Header, n *int) http.Header {
	other := maps.Clone(h)
	for _, name := range m.Headers {
		name = http.CanonicalHeaderKey(name)
		if slices.Contains(framing, name) {
			continue
		}
		for i, v := range h[name] {
			if i == 0 {
				other[name] = slices.Clone(h[name])
			}
			*n++
			other[name][i] = v + " otherwise"
		}
	}
	return other
}

// framing are header fields of which no request is another one.
var framing = []string{"Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Length", "Content-Type", "Host", "User-Agent"}
