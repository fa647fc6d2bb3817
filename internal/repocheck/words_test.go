package repocheck

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A word is a text that does not belong in the tree, with the reason. Patterns
// are put together from parts, so that this file does not match itself.
type word struct {
	Pattern *regexp.Regexp
	Why     string
	// In tells the files it is looked for in; nil means all.
	In func(*file) bool
}

func product(f *file) bool { return f.AST != nil && !f.IsTest() }

// corpusIsNamed are the files that may name the recorded data that can lie
// beside a checkout; tests name it as the default of SCENARIO_CORPUS.
func corpusIsNamed(f *file) bool {
	return f.Path == "Makefile" || f.Path == ".ci/run" || f.IsTest()
}

var words = []word{
	{regexp.MustCompile(`(?i)\bsub` + `agent|helper ` + `session`), "the project speaks of itself alone", nil},
	{regexp.MustCompile(`(^|[^\w.)}-])/(ho` + `me|ro` + `ot|wo` + `rk|Us` + `ers)/`), "a path of one machine means nothing on another", nil},
	{regexp.MustCompile(`\.\./sha` + `red`), "what lies beside the repository is not part of it", func(f *file) bool { return !corpusIsNamed(f) }},
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`), "write it, or open an issue", product},
	{regexp.MustCompile(`\b(CU|CG|BT)[0-9]+\b`), "a row of a specification means nothing to a user: it belongs in docs/conformance", userPage},
	{regexp.MustCompile(`\]\((\.\./docs/|docs/)?conformance/|docs/conf` + `ormance`), "a user need not know how a specification is met: link to what the sentence is about", userPage},
	{regexp.MustCompile(`§ ?[0-9]|\b(our|the language'?s) specification\b|\bCUGA\b|\bAgent` + `Loom\b`), "users do not have that document: say what it says", userPage},
	{regexp.MustCompile(`\.md §|\(§`), "a section of a document that is not in the repository: say what it says", func(f *file) bool { return product(f) || strings.HasSuffix(f.Path, ".hcl") }},
	{regexp.MustCompile(`(?i)\b(the|its|our) design\b`), "a user need not know what was designed: it belongs in docs/conformance", userPage},
}

// userPage tells the pages of those who write scenarios; what they need not know
// stands in docs/conformance.
func userPage(f *file) bool {
	inDocs := strings.HasPrefix(f.Path, "docs/") && !strings.Contains(f.Path[len("docs/"):], "/") && f.Path != "docs/internals.md" && f.Path != "docs/README.md"
	return inDocs && strings.HasSuffix(f.Path, ".md") || f.Path == "README.md"
}

// checkWords finds the lines that hold a word of the list.
func checkWords(f *file) []string {
	var found []string
	for _, w := range words {
		if w.In != nil && !w.In(f) || !w.Pattern.MatchString(f.Text) {
			continue
		}
		n := 0
		for line := range strings.Lines(f.Text) {
			n++
			if m := w.Pattern.FindString(line); m != "" {
				found = append(found, fmt.Sprintf("%s:%d: %q: %s", f.Path, n, strings.TrimSpace(m), w.Why))
			}
		}
	}
	return found
}

// Shows that no file speaks of what is not the project: other machines' paths,
// the tools it was made with, work left undone.
func TestWords(t *testing.T) {
	for _, f := range allFiles(t) {
		report(t, checkWords(f))
	}
}

// Shows that each word is found where it is not wanted, and that its harmless
// neighbours are not.
func TestWordsFindOffenders(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"maker", "docs/x.md", "written by a sub" + "agent", "speaks of itself"},
		{"home", "docs/x.md", "run /ho" + "me/me/bin/scenario", "path of one machine"},
		{"home in quotes", "a.go", `package a; const x = "/ro` + `ot/.cache"`, "path of one machine"},
		{"URL", "docs/x.md", "https://example.com/ho" + "me/", ""},
		{"variable", "docs/x.md", "${tmp}/wo" + "rk/x", ""},
		{"beside", "docs/x.md", "see ../sha" + "red/data", "beside the repository"},
		{"beside in CI", ".ci/run", "../sha" + "red/data/cassettes", ""},
		{"undone", "a.go", "package a // TO" + "DO: this", "write it"},
		{"undone in a test", "a_test.go", "package a // TO" + "DO: this", ""},
		{"row", "docs/services.md", "as BT12 has it", "means nothing to a user"},
		{"row where it belongs", "docs/conformance/services.md", "as BT12 has it", ""},
		{"design", "README.md", "differs from its design", "need not know"},
		{"link to a specification", "docs/x.md", "as [shown](conf" + "ormance/language.md#a)", "need not know how"},
		{"link of the index", "docs/README.md", "as [shown](conf" + "ormance/language.md#a)", ""},
		{"section", "docs/x.md", "as §4 has it", "do not have that document"},
		{"section in code", "a.go", "package a // as it should be (cassettes.md §5)", "not in the repository"},
		{"section in an example", "scenarios/a.scenario.hcl", "# as it should be (§5)", "not in the repository"},
		{"section of an RFC", "a.go", "package a // RFC 9110 §10.2.3", ""},
		{"section inside", "docs/internals.md", "as §4 has it", ""},
		{"name in small letters", "docs/x.md", "import std/cuga", ""},
		{"design inside", "docs/internals.md", "the design", ""},
		{"designed", "docs/x.md", "it was designed for speed", ""},
		{"todo as a word", "a.go", "package a // todos", ""},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, checkWords(source(t, c.file, c.text)), c.want) })
	}
}

// misnamed are words that nobody expects in a name, with those of the trade.
var misnamed = map[string]string{
	"adrift":    "unresolved",
	"beside":    "what it is there: sidecar, session, standalone, external",
	"heard":     "answer, answered, received, message",
	"hop":       "redirect",
	"laid":      "rendered, played, layout",
	"question":  "request, exchange",
	"strangers": "foreign",
	"tape":      "cassette, recording",
	"unheard":   "unanswered",
}

// misnamedIn are the directories, with all below, in which some of those words
// still stand. A word that stands there no more has to leave the list.
var misnamedIn = map[string][]string{}

// wordsOf cuts a name into its words, in lower case.
func wordsOf(name string) []string {
	var list []string
	for _, r := range name {
		if len(list) == 0 || unicode.IsUpper(r) || r == '_' {
			list = append(list, "")
		}
		list[len(list)-1] += string(unicode.ToLower(r))
	}
	return list
}

// checkNames finds the names that a file declares with a word of the list. used
// gathers the words that are excepted where they are.
func checkNames(f *file, except map[string][]string, used map[string]bool) []string {
	if !product(f) {
		return nil
	}
	var found []string
	name := func(id *ast.Ident) {
		// Hop-by-hop fields are the name that RFC 9110 gives them.
		for _, w := range wordsOf(strings.ReplaceAll(id.Name, "HopByHop", "")) {
			better := misnamed[w]
			if better == "" || exceptedIn(f, w, except, used) {
				continue
			}
			found = append(found, f.at(id.Pos(), "%s: %q is a riddle to a reader: name it by the words of the trade (%s)", id.Name, w, better))
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			name(n.Name)
		case *ast.TypeSpec:
			name(n.Name)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				name(id)
			}
		case *ast.Field:
			for _, id := range n.Names {
				name(id)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok && n.Tok.String() == ":=" {
					name(id)
				}
			}
		}
		return true
	})
	return found
}

func exceptedIn(f *file, word string, except map[string][]string, used map[string]bool) bool {
	for dir, words := range except {
		if slices.Contains(words, word) && matchDir(dir+"/...", f.Dir()) {
			used[dir+" "+word] = true
			return true
		}
	}
	return false
}

// checkNamesOf checks all files and that every exception is needed.
func checkNamesOf(files []*file, except map[string][]string) []string {
	used := map[string]bool{}
	var found []string
	for _, f := range files {
		found = append(found, checkNames(f, except, used)...)
	}
	for _, dir := range slices.Sorted(maps.Keys(except)) {
		for _, w := range except[dir] {
			if !used[dir+" "+w] {
				found = append(found, fmt.Sprintf("%q stands in no name below %s any more: take it off misnamedIn in internal/repocheck/words_test.go", w, dir))
			}
		}
	}
	return found
}

// Shows that names are made of words that a reader guesses right.
func TestNames(t *testing.T) {
	report(t, checkNamesOf(goFiles(t), misnamedIn))
}

// Shows that such a word is found in every kind of declaration, that a word of
// which it is a part is not, and that an exception has to be needed.
func TestNamesFindOffenders(t *testing.T) {
	except := map[string][]string{"old": {"tape"}}
	for _, c := range []struct {
		name, file, source string
		except             map[string][]string
		want               string
	}{
		{"function", "a.go", "func openTape() {}", nil, `openTape: "tape" is a riddle`},
		{"method", "a.go", "type t int\nfunc (t) Heard() {}", nil, `Heard: "heard" is a riddle`},
		{"type", "a.go", "type Question int", nil, `"question"`},
		{"constant", "a.go", "const besideMin = 1", nil, `"beside"`},
		{"field", "a.go", "type t struct{ strangers int }", nil, `"strangers"`},
		{"parameter", "a.go", "func f(hop int) {}", nil, `"hop"`},
		{"variable", "a.go", "func f() { laidOut := 1; _ = laidOut }", nil, `"laid"`},
		{"a term of a standard", "a.go", "func isHopByHop() {}", nil, ""},
		{"a part of a word", "a.go", "var tapestry, shop, hops = 1, 2, 3", nil, ""},
		{"another's name", "a.go", "import \"m\"\nvar x = m.Tape", nil, ""},
		{"a test", "a_test.go", "var tape = 1", nil, ""},
		{"excepted", "old/x/a.go", "var tape = 1", except, ""},
		{"another word there", "old/x/a.go", "var tape, adrift = 1, 2", except, `"adrift"`},
		{"the same elsewhere", "new/a.go", "var tape = 1", map[string][]string{}, `"tape"`},
		{"an exception that nothing needs", "old/a.go", "var x = 1", except, "stands in no name below old any more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, checkNamesOf([]*file{source(t, c.file, "package x\n"+c.source)}, c.except), c.want)
		})
	}
}
