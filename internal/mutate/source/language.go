package source

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/mutate/source/broken"
	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// A language is what the readers and the operators have to know of one.
type language struct {
	name string
	// ends are the ends of names of files, and runs what a first line (#!) names.
	ends, runs []string
	// comment begins a comment to the end of the line; block says that /* */ is one.
	comment string
	block   bool
	// shell, indented, ended and worded: how statements are told from each other.
	// By commands, by indentation, by ; alone, by words that end with `end`.
	shell, indented, ended, worded bool
	// bare says that conditions stand without parentheses before a {.
	bare bool
	// typed says that the compiler refuses names that are not used: what is left out
	// stays as what is never run.
	typed bool
	// and, or, yes and no are the words of logic.
	and, or, yes, no string
	// empty is a statement that does nothing.
	empty string
	// tick says what a ` begins: a template 't' or a raw string 'r'. regex says that
	// there are literals of regular expressions, hash that "#{x}" is computed, char
	// that 'x' is one character, triple that """ begins a text.
	tick                      byte
	regex, hash, char, triple bool
	// control, declares and imports are first words of statements. bounds are the words
	// that end an operand of and and or; before are all after which one begins.
	control, declares, imports, bounds, before words
}

type words = wordlist.Words

func set(list string) words { return wordlist.Set(list) }

const (
	pythonBounds = "if elif else for return yield lambda while assert case raise del async"
	scriptBounds = "if else for return yield while case do throw const let var switch default"
	goBounds     = "if else for return case const var range switch go defer select"
	javaBounds   = "if else for return yield while case do throw assert switch default"
	rubyBounds   = "if elsif else for return yield while until unless case when then do raise puts print and or not"
)

// languages are all that are known.
var languages = sync.OnceValue(func() []*language {
	return []*language{
		{
			name: "python", ends: []string{".py", ".pyw"}, runs: []string{"python"}, comment: "#", indented: true, triple: true,
			and: "and", or: "or", yes: "True", no: "False", empty: "pass",
			control:  set("return raise break continue del assert"),
			declares: set("def class global nonlocal pass type"), imports: set("import from"),
			bounds: set(pythonBounds), before: set(pythonBounds + " await and or not in is import from with as except"),
		},
		{
			name: "javascript", ends: []string{".js", ".mjs", ".cjs"}, runs: []string{"node", "deno", "bun"}, comment: "//", block: true, tick: 't', regex: true,
			and: "&&", or: "||", yes: "true", no: "false", empty: ";",
			control:  set("return throw break continue delete"),
			declares: set("let const var function class using"), imports: set("import"),
			bounds: set(scriptBounds), before: set(scriptBounds + " await typeof instanceof in of new delete void import from extends"),
		},
		{
			name: "typescript", ends: []string{".ts", ".mts", ".cts"}, runs: []string{"ts-node", "tsx"}, comment: "//", block: true, tick: 't', regex: true,
			and: "&&", or: "||", yes: "true", no: "false", empty: ";",
			control:  set("return throw break continue delete"),
			declares: set("let const var function class using interface type enum namespace declare abstract"), imports: set("import"),
			bounds: set(scriptBounds), before: set(scriptBounds + " await typeof instanceof in of new delete void import from extends as satisfies keyof"),
		},
		{
			name: "go", ends: []string{".go"}, comment: "//", block: true, tick: 'r', char: true, bare: true, typed: true,
			and: "&&", or: "||", yes: "true", no: "false",
			control:  set("return break continue defer go"),
			declares: set("var const type func"), imports: set("import package"),
			bounds: set(goBounds), before: set(goBounds + " import func"),
		},
		{
			name: "java", ends: []string{".java"}, comment: "//", block: true, char: true, triple: true, ended: true, typed: true,
			and: "&&", or: "||", yes: "true", no: "false", empty: ";",
			control:  set("return throw break continue assert"),
			declares: set("class interface enum record var final"), imports: set("import package"),
			bounds: set(javaBounds), before: set(javaBounds + " new instanceof import extends"),
		},
		{
			name: "ruby", ends: []string{".rb"}, runs: []string{"ruby"}, comment: "#", worded: true, regex: true, hash: true,
			and: "&&", or: "||", yes: "true", no: "false", empty: "nil",
			control:  set("return raise break next redo retry"),
			declares: set("def class module alias include extend attr_reader attr_writer attr_accessor private protected public"), imports: set("require require_relative load"),
			bounds: set(rubyBounds), before: set(rubyBounds + " in end begin ensure rescue"),
		},
		{
			name: "shell", ends: []string{".sh", ".bash"}, runs: []string{"sh", "bash", "dash", "ash", "ksh"}, comment: "#", shell: true,
			and: "&&", or: "||", yes: "true", no: "false", empty: ":",
		},
	}
})

// languageOf is nil where a file is of no language that is known.
func languageOf(name string, text []byte) *language {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	if end := path.Ext(base); end != "" && end != base {
		for _, l := range languages() {
			for _, e := range l.ends {
				if strings.EqualFold(e, end) {
					return l
				}
			}
		}
		return nil
	}
	first, _, _ := bytes.Cut(text[:min(len(text), 256)], []byte("\n"))
	rest, is := strings.CutPrefix(string(first), "#!")
	if !is {
		return nil
	}
	for _, w := range strings.Fields(rest) {
		w = path.Base(w)
		if w == "env" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		return runBy(strings.TrimRight(w, "0123456789."))
	}
	return nil
}

func runBy(program string) *language {
	for _, l := range languages() {
		for _, r := range l.runs {
			if r == program {
				return l
			}
		}
	}
	return nil
}

// Broken reports whether what a program wrote to stderr says that its source cannot
// be compiled. Such a mutant says nothing about a scenario. What the program itself
// says of a text that it reads, such as a SyntaxError of JSON, is none of it: the
// name of the file stands beside what a compiler says.
func Broken(name, stderr string) bool {
	if l := languageOf(name, nil); l != nil {
		return broken.Of(l.name, name, stderr)
	}
	return path.Ext(strings.ReplaceAll(name, `\`, "/")) == "" && broken.Of("", name, stderr)
}
