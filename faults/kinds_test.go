package faults_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/faults"
)

// Shows that the catalogue lists each specified kind that there is
// once, documented, with arguments that a reader can use.
func TestKinds(t *testing.T) {
	want := []string{
		"timeout", "http_error", "malformed_response", "stream_truncate", "connection_reset", "partial_response",
		"connection_refused", "dns_error", "tls_error", "slow_stream", "delay",
		"empty_response", "wrong_content_type", "error_in_200", "bad_gzip", "content_length_mismatch", "redirect_loop", "garbage",
		"stream_error_event", "error",
		"hang", "crash", "refuse", "bookkeeping", "stale_client", "tool_error", "protocol_error", "session_expired", "id_mismatch",
		"db_down", "db_slow", "db_error", "pool_exhausted",
		"stale_response", "swapped_response", "truncated_list", "wrong_numbers", "wrong_record", "contradiction", "refusal",
	}
	var got []string
	for _, k := range faults.Kinds() {
		got = append(got, k.Name)
		if faults.Lookup(k.Name) != k || k.Script == nil || len(k.For) == 0 || !strings.HasSuffix(k.Summary, ".") {
			t.Errorf("%s is incomplete", k.Name)
		}
		for _, a := range k.Attrs {
			if !strings.HasSuffix(a.Doc, ".") || slices.Contains([]string{"after", "times", "target", "turn", "iteration", "optional"}, a.Name) {
				t.Errorf("%s: attribute %q is not documented, or a common one", k.Name, a.Name)
			}
		}
	}
	if !slices.Equal(got, want) || faults.Lookup("nothing") != nil {
		t.Errorf("there are %q", got)
	}
}

// Shows that the page on checks names, of the gate unfired_fault, the kinds
// whose wait is the fault, in the order of the catalogue.
func TestSlowKindsAreDocumented(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "checks.md"))
	if err != nil {
		t.Fatal(err)
	}
	var slow []string
	for _, k := range faults.Kinds() {
		if k.Slow {
			slow = append(slow, "`"+k.Name+"`")
		}
	}
	const sentence = "unless its wait is the fault: "
	if want := sentence + strings.Join(slow, ", ") + "."; strings.Count(string(page), want) != 1 {
		t.Errorf("docs/checks.md does not say %q", want)
	}
}

// alsoCalled are kinds whose name is a word of its own elsewhere: an attribute,
// a value, a field, a kind of failure. Their literals mean nothing about faults there.
var alsoCalled = []string{"timeout", "error", "malformed_response", "tool_error", "protocol_error", "session_expired", "db_error", "refuse", "delay", "refusal"}

// foreign reports whether a file is about a foreign format, whose words it
// spells, or about what people write in the place of another word.
func foreign(path string) bool {
	dir := filepath.ToSlash(filepath.Dir(path))
	return strings.HasSuffix(dir, "cassette/convert") || strings.HasSuffix(dir, "cassette/agentloom") || filepath.Base(path) == "agentloom.go" || strings.HasSuffix(filepath.ToSlash(path), "dsl/spelling/synonyms.go") ||
		strings.HasSuffix(dir, "internal/incident")
}

// Shows that the name of a kind is written in the kind's own file alone, so
// that no second switch over kinds can grow: code asks the catalogue.
func TestNameIsWrittenOnce(t *testing.T) {
	root := moduleRoot(t)
	found := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (d.Name() == "testdata" || d.Name() == "docs" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir(), filepath.Ext(path) != ".go", strings.HasSuffix(path, "_test.go"), foreign(path):
			return nil
		}
		literals(t, path, func(text string) {
			if faults.Lookup(text) != nil && !slices.Contains(alsoCalled, text) {
				file, _ := filepath.Rel(root, path)
				found[text] = append(found[text], filepath.ToSlash(file))
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range faults.Kinds() {
		if slices.Contains(alsoCalled, k.Name) {
			continue
		}
		want := []string{"faults/" + k.Name + ".go"}
		if k.Lies {
			want = []string{"faults/lie/" + k.Name + ".go"}
		}
		if !slices.Equal(found[k.Name], want) {
			t.Errorf("%q is written in %q, want only %q: ask faults.Lookup instead", k.Name, found[k.Name], want)
		}
	}
}

// forProviders are the kinds that mean something on a call to a provider.
func forProviders() []*faults.Kind {
	var list []*faults.Kind
	for _, k := range faults.Kinds() {
		if slices.ContainsFunc(k.For, func(where string) bool {
			return slices.Contains([]string{"llm", "http", "stream", "llm stream"}, where)
		}) {
			list = append(list, k)
		}
	}
	return list
}

func moduleRoot(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// literals calls found with the value of every string literal of a file. A
// file that does not parse has the compiler to complain about it.
func literals(t *testing.T, path string, found func(string)) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				found(text)
			}
		}
		return true
	})
}

// Shows that every kind is in the group of what a client meets by it, as the table of
// faults and failures says.
func TestGroups(t *testing.T) {
	want := map[faults.Group]string{
		faults.GroupConnection: "connection_reset connection_refused dns_error tls_error",
		faults.GroupHang:       "timeout hang",
		faults.GroupRateLimit:  "http_error error_in_200",
		faults.GroupServer:     "http_error error_in_200",
		faults.GroupClient:     "http_error",
		faults.GroupGarbled:    "malformed_response empty_response wrong_content_type bad_gzip redirect_loop garbage",
		faults.GroupCut:        "stream_truncate content_length_mismatch stream_error_event",
		faults.GroupWrong:      "partial_response stale_response swapped_response truncated_list wrong_numbers wrong_record contradiction refusal",
		faults.GroupLate:       "slow_stream delay",
		faults.GroupOwn:        "error crash refuse bookkeeping stale_client tool_error protocol_error session_expired id_mismatch db_down db_slow db_error pool_exhausted",
	}
	got := map[faults.Group]string{}
	for _, k := range faults.Kinds() {
		for _, g := range k.Groups {
			got[g] = strings.TrimSpace(got[g] + " " + k.Name)
		}
		if !slices.Contains(k.Groups, k.GroupOf(k.Usual())) {
			t.Errorf("%s by itself is in %s, which is none of its groups", k.Name, k.GroupOf(k.Usual()))
		}
	}
	for _, g := range faults.Groups() {
		if got[g] != want[g] {
			t.Errorf("%s: %s, want %s", g, got[g], want[g])
		}
	}
	for status, g := range map[int]faults.Group{200: faults.GroupWrong, 404: faults.GroupClient, 429: faults.GroupRateLimit, 500: faults.GroupServer, 529: faults.GroupServer} {
		if now := faults.Lookup("http_error").GroupOf(map[string]any{"status_code": status}); now != g {
			t.Errorf("%d is in %s, want %s", status, now, g)
		}
	}
}
