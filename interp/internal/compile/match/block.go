package match

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// asked lists what a request to a service of each family can have, beside the
// condition.
var asked = map[string][]string{
	"llm":  {"method", "path", "query", "headers", "host", "json", "model", "prompt", "stream", "turn"},
	"http": {"method", "path", "query", "headers", "host", "json"},
	"mcp":  {"method", "path", "query", "headers", "host", "json", "tool"},
	"sql":  {"statement"},
}

// overNetwork are those that a request over a pipe does not have.
var overNetwork = []string{"path", "query", "headers", "host"}

// Fields are what a request to a provider can have, in the order of the
// reference.
func Fields(p *plan.Provider) []string {
	list := asked[p.Kind.Family]
	if p.Command == nil {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(overNetwork, name) })
}

// Read compiles a match block, but for its condition, for requests to a
// provider. What no such request can have is an error.
func Read(r dsl.Reader, p *plan.Provider) plan.Match {
	m := plan.Match{Rng: r.Block.DefRange}
	known := Fields(p)
	for _, a := range r.Block.Attrs {
		switch {
		case a.Name == "condition" || !r.Has(a.Name):
		case !slices.Contains(known, a.Name):
			r.Errorf(a.Name, "Match that never fits", "A request to provider.%s, which is of kind %q, has no %s: a match for it takes %s and condition.", p.Name, p.Kind.Name, a.Name, strings.Join(known, ", "))
		default:
			m.Leaves = append(m.Leaves, attribute(r, a.Name, p)...)
		}
	}
	if len(r.Block.Attrs) == 0 {
		warn(r, m.Rng, "Match without a condition", "The match block names nothing that a request must have, so every request fits. Give it an attribute, or leave it out.")
	}
	sorted(&m)
	return m
}

// warn adds a warning about a place in a block.
func warn(r dsl.Reader, at hcl.Range, summary, format string, args ...any) {
	*r.Diags = append(*r.Diags, &hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: &at})
}

// attribute are the leaves of one attribute of a block.
func attribute(r dsl.Reader, name string, p *plan.Provider) []plan.Leaf {
	switch v := r.Value(name); name {
	case "query", "headers":
		fields, _ := v.(map[string]any)
		return texts(r, name, fields)
	case "json":
		if text, ok := v.(string); ok {
			asMembers(r, text)
		}
		return body(r, v, []string{name})
	case "path":
		if text, ok := v.(string); ok {
			if why := noPath(text, p); why != "" {
				r.Errorf(name, "Match that never fits", "%s", why)
			} else if part := expression(text); part != "" {
				warn(r, r.Range(name), summaryPlaceholder, "A path is no regular expression, so %q stands for itself, but for a * in it. Any text is written *: path = %q.", part, strings.ReplaceAll(text, part, "*"))
			} else if part := placeholder(text); part != "" {
				warn(r, r.Range(name), summaryPlaceholder, "Only a path with %q in it fits. Any text is written *: path = %q.", part, strings.ReplaceAll(text, part, "*"))
			}
		}
		return value(v, name)
	case "method":
		text, ok := v.(string)
		if ok && p.Kind.Family != "mcp" {
			text = strings.ToUpper(text)
			v = text
		}
		near := dsl.DidYouMean(text, read.Method.Members)
		if read.Method.Free(text) {
			near = ""
		}
		if ok && near != "" && !strings.Contains(text, "*") && !slices.Contains(read.Method.Members, text) {
			r.Errorf(name, "Match that never fits", "No request has the method %q.%s", text, near)
		}
		return value(v, name)
	default:
		return value(v, name)
	}
}

const (
	summaryPlaceholder = "Text that looks like a placeholder"
	summaryMembers     = "String that looks like an object"
)

// asMembers warns of a string that a body of JSON is compared with and that says what members
// it has: only a body that is this string is equal to it.
func asMembers(r dsl.Reader, text string) {
	meant := dsl.AsObject(text)
	if m := member().FindStringSubmatch(text); m != nil {
		meant = fmt.Sprintf("{ %s = %s }", m[1], strconv.Quote(m[2]))
	}
	if meant == "" || !plan.IsLiteral(r.Block.Expr("json")) {
		return
	}
	warn(r, r.Range("json"), summaryMembers, "A string is equal only to a body that is this string. Members of a body are written as an object: json = %s.", meant)
}

// member is a name and a value as people write them in a string.
var member = pattern.New(`^\s*([A-Za-z_]\w*)\s*[=:]\s*"?([^"]+?)"?\s*$`)

// expression is the first part of a path that is a regular expression for any text, "" where
// there is none.
func expression(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		if anyText().MatchString(part) {
			return part
		}
	}
	return ""
}

// anyText is a regular expression that nobody writes into a path.
var anyText = pattern.New(`^\(?(?:\.[*+]|\[[^\]]+\][*+?]?|\\[dwDWS][*+]?|[0-9A-Za-z]*\[[^\]]+\][*+])\)?\$?$`)

// Host reports a host that no request to the targets has: those of their addresses are
// the only ones. Of a pattern nothing is said, nor where an address is not known.
func Host(r dsl.Reader, targets []*plan.Target) {
	if !r.Has("host") {
		return
	}
	var hosts []string
	for _, t := range targets {
		only := t.Provider.Base().Host
		if only == "" || !slices.Contains(Fields(t.Provider), "host") {
			return
		}
		if !slices.Contains(hosts, only) {
			hosts = append(hosts, only)
		}
	}
	text, ok := r.Value("host").(string)
	if !ok || slices.Contains(hosts, text) || strings.Contains(text, "*") {
		return
	}
	if len(hosts) == 1 {
		r.Errorf("host", "Match that never fits", "The host of every request to provider.%s is %q, that of its address. Write host = %q, or leave it out.", targets[0].Provider.Name, hosts[0], hosts[0])
		return
	}
	r.Errorf("host", "Match that never fits", "No target has the host %q: those of their addresses are %s.%s", text, strings.Join(hosts, ", "), dsl.DidYouMean(text, hosts))
}

// placeholder is the first part of a path that stands for any text in the routes of web
// frameworks, such as :id and {id}, "" where there is none.
func placeholder(path string) string {
	for part := range strings.SplitSeq(path, "/") {
		name, colon := strings.CutPrefix(part, ":")
		inner, begun := strings.CutPrefix(part, "{")
		inner, ended := strings.CutSuffix(inner, "}")
		if colon && hclsyntax.ValidIdentifier(name) || begun && ended && hclsyntax.ValidIdentifier(inner) {
			return part
		}
	}
	return ""
}

// noPath says why no request has a path, "" where one can.
func noPath(path string, p *plan.Provider) string {
	before, _, asks := strings.Cut(path, "?")
	switch {
	case strings.Contains(path, "://"):
		if u, err := url.Parse(path); err == nil && u.Host != "" {
			path = "/" + strings.TrimPrefix(strings.TrimPrefix(u.Path, strings.TrimSuffix(p.Base().Path, "/")), "/")
		}
		return fmt.Sprintf("The path of a request has no host. Write path = %q: it is compared below %s, the address of provider.%s.", path, p.Address(), p.Name)
	case asks:
		return fmt.Sprintf("The path of a request has no parameters. Write path = %q, and what follows the question mark as query = { NAME = \"value\" }.", before)
	case !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "*"):
		return fmt.Sprintf("The path of a request begins with a slash. Write path = %q.", "/"+path)
	case p.Kind.Family != "llm":
		return ""
	}
	root := strings.TrimSuffix(p.Base().Path, "/")
	if below, ok := strings.CutPrefix(path, root+"/"); ok && root != "" {
		return fmt.Sprintf("The path is compared below %s, the address of provider.%s. Write path = %q.", p.Address(), p.Name, "/"+below)
	}
	return ""
}

func value(v any, path ...string) []plan.Leaf {
	if v == nil {
		return nil // reported, or null for absent
	}
	return []plan.Leaf{leaf(v, path...)}
}

// leaf is one value that a request must have. A string with * is a pattern.
func leaf(v any, path ...string) plan.Leaf {
	text, isText := v.(string)
	return plan.Leaf{Path: path, Want: dsl.CtyValue(v), Pattern: isText && strings.Contains(text, "*")}
}

// texts are the leaves of parameters or header fields, which are strings on the
// wire.
func texts(r dsl.Reader, name string, fields map[string]any) []plan.Leaf {
	var list []plan.Leaf
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		path := []string{name, key}
		if name == "headers" {
			path[1] = strings.ToLower(key)
		}
		switch v := fields[key].(type) {
		case map[string]any, []any:
			r.Errorf(name, "Wrong value", "%q of %s is a string, a number or null, not a value with parts.", key, name)
		case nil, string:
			list = append(list, leaf(v, path...))
		default:
			list = append(list, leaf(render.Value(dsl.CtyValue(v), longest), path...))
		}
	}
	return list
}

// longest bounds a number or bool that is written out.
const longest = 400

// body are the leaves of a value as JSON. An object or a list without anything
// in it asks for nothing.
func body(r dsl.Reader, v any, path []string) []plan.Leaf {
	below := func(name string) []string { return append(path[:len(path):len(path)], name) }
	var list []plan.Leaf
	empty := false
	switch x := v.(type) {
	case map[string]any:
		empty = len(x) == 0
		for _, key := range slices.Sorted(maps.Keys(x)) {
			list = append(list, body(r, x[key], below(key))...)
		}
	case []any:
		empty = len(x) == 0
		for i := range x {
			list = append(list, body(r, x[i], below(strconv.Itoa(i)))...)
		}
	default:
		return []plan.Leaf{leaf(v, path...)}
	}
	if empty {
		r.Errorf("json", "Match without a condition", "%s asks for nothing: every request has no less than an empty object or list. Take it out, or compare it with condition, such as request.json.items == [].", strings.Join(path, "."))
	}
	return list
}

func sorted(m *plan.Match) {
	// Few, and sorted by what is linked anyway: a copy of slices.SortFunc for them has 14 kB.
	sort.SliceStable(m.Leaves, func(i, j int) bool { return slices.Compare(m.Leaves[i].Path, m.Leaves[j].Path) < 0 })
}

// Key is equal for two matches that every request fits equally well.
func Key(m *plan.Match) string {
	var b strings.Builder
	for _, l := range m.Leaves {
		want := l.Want
		if l.Path[0] == "statement" && want.Type() == cty.String {
			want = cty.StringVal(read.Folded(want.AsString()))
		}
		b.WriteString(strings.Join(l.Path, "\x00"))
		b.WriteString("\x01" + strconv.FormatBool(l.Pattern) + render.Value(want, 1<<20) + "\x02")
	}
	if m.Condition != nil {
		b.Write(dsl.AppendSource(nil, m.Condition))
	}
	return b.String()
}
