package program

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/mutate/data"
	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/interp"
)

// An Unchanged is a part of the program in which nothing was changed, although scenarios run it or read it. No score
// says anything of it.
type Unchanged struct {
	// Shown is the file, or the command of a scenario, and Why says why nothing in it was changed.
	Shown, Why string
	// Calls are those of a file of which other parts were changed: no change is about them. Why is "" then.
	Calls string
}

// String is what is said of it.
func (u Unchanged) String() string {
	if u.Calls != "" {
		return fmt.Sprintf("not changed: %s: %s", u.Shown, u.Calls)
	}
	return fmt.Sprintf("not changed: %s (%s)", u.Shown, u.Why)
}

// Reasons why nothing is changed.
const (
	tooLarge  = "it is larger than 256 KiB"
	noMatch   = "its brackets or quotes do not match"
	jsx       = "JSX is not read"
	noPlace   = "it has no place that is changed"
	mostLines = 3 // lines of commands that have code in them
)

// languages are those of which no source is changed, by the ends of names. CSS and the like are no languages here.
var languages = sync.OnceValue(func() map[string]string {
	return map[string]string{
		".rs": "Rust", ".php": "PHP", ".cs": "C#", ".fs": "F#", ".vb": "Visual Basic", ".lua": "Lua", ".pl": "Perl", ".pm": "Perl",
		".c": "C", ".h": "C", ".cc": "C++", ".cpp": "C++", ".cxx": "C++", ".hpp": "C++", ".m": "Objective-C", ".mm": "Objective-C", ".swift": "Swift",
		".kt": "Kotlin", ".kts": "Kotlin", ".scala": "Scala", ".groovy": "Groovy", ".clj": "Clojure", ".ex": "Elixir", ".exs": "Elixir", ".erl": "Erlang",
		".hs": "Haskell", ".ml": "OCaml", ".r": "R", ".jl": "Julia", ".dart": "Dart", ".nim": "Nim", ".zig": "Zig", ".ps1": "PowerShell", ".bat": "a batch file",
		".cmd": "a batch file", ".vue": "Vue", ".svelte": "Svelte", ".zsh": "zsh", ".fish": "fish", ".coffee": "CoffeeScript",
	}
})

// unknown says why nothing in a file of code is changed whose language is not known, "" for what is no code.
func unknown(rel string, text []byte) string {
	end := strings.ToLower(path.Ext(rel))
	if end == ".jsx" || end == ".tsx" {
		return jsx
	}
	if name := languages()[end]; name != "" {
		return name + " is not read"
	}
	if end != "" || source.Known(rel, text) {
		return ""
	}
	line, _, _ := bytes.Cut(text[:min(len(text), 256)], []byte("\n"))
	rest, is := strings.CutPrefix(string(line), "#!")
	if words := strings.Fields(rest); is && len(words) > 0 {
		name := path.Base(words[0])
		if name == "env" && len(words) > 1 {
			name = path.Base(words[len(words)-1])
		}
		return "a program of " + name + " is not read"
	}
	return ""
}

// illegible says why nothing in a file of a language that is known is changed, "" where it can be read.
func illegible(rel string, text []byte) string {
	switch {
	case len(text) > data.Limit:
		return tooLarge
	case source.Legible(rel, text):
		return ""
	case strings.HasSuffix(rel, "js") && bytes.Contains(text, []byte("</")):
		return jsx
	}
	return noMatch
}

// interpreters are commands that take code as an argument, and behind which options.
var interpreters = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		"sh": {"-c"}, "bash": {"-c"}, "dash": {"-c"}, "zsh": {"-c"}, "ksh": {"-c"}, "fish": {"-c"}, "python": {"-c"}, "python2": {"-c"}, "python3": {"-c"}, "pypy3": {"-c"},
		"node": {"-e", "--eval", "-p", "--print"}, "bun": {"-e", "--eval"}, "deno": {"eval"}, "ruby": {"-e"}, "perl": {"-e", "-E", "-ne", "-pe"}, "php": {"-r"},
		"lua": {"-e"}, "pwsh": {"-c", "-Command"}, "awk": nil, "gawk": nil, "jq": nil, "sed": nil,
	}
})

// coded is what of a command takes code that stands in it, such as python3 -c, "" for none.
func coded(words []string) string {
	for i, w := range words {
		name := path.Base(w)
		options, known := interpreters()[name]
		if !known {
			continue
		}
		if options == nil {
			if i+1 < len(words) && !slices.ContainsFunc(words[i+1:], func(o string) bool { return strings.HasPrefix(o, "-f") || strings.HasPrefix(o, "--f") }) {
				return name
			}
			return ""
		}
		for _, o := range words[i+1:] {
			if slices.Contains(options, o) {
				return name + " " + o
			}
			if !strings.HasPrefix(o, "-") { // a file, which is changed
				break
			}
			if !strings.HasPrefix(o, "--") && strings.HasSuffix(o, "c") && len(o) < 6 && slices.Contains(options, "-c") {
				return name + " " + o // sh -ec
			}
		}
		return ""
	}
	return ""
}

// commands are the commands of scenarios that have code in them.
func commands(plans []*interp.Plan, command []string) (list []Unchanged) {
	if command != nil {
		if code := coded(command); code != "" {
			list = append(list, Unchanged{Shown: "the command behind --", Why: "the code behind " + code + " is not read"})
		}
		return list
	}
	var more int
	for _, p := range plans {
		s := p.Sut()
		if s == nil {
			continue
		}
		code := coded(s.Words())
		if code == "" {
			continue
		}
		if len(list) == mostLines {
			more++
			continue
		}
		list = append(list, Unchanged{Shown: fmt.Sprintf("the command of %q", p.Name), Why: "the code behind " + code + " is not read"})
	}
	if more > 0 {
		list = append(list, Unchanged{Shown: fmt.Sprintf("the commands of %d more scenarios", more), Why: "the code in them is not read"})
	}
	return list
}

// says reports whether a file of code has a line that does something: one that is no import, no comment and no bracket.
func says(text []byte) bool {
	block := false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if block = block || strings.HasPrefix(line, "/*"); block {
			block = !strings.Contains(line, "*/")
			continue
		}
		word, _, _ := strings.Cut(line, " ")
		switch {
		case strings.Trim(line, "{}()[],; ") == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//") || strings.HasPrefix(line, `"""`):
		case slices.Contains([]string{"import", "from", "package", "export", "require", "require_relative", "use", "__all__"}, word):
		default:
			return true
		}
	}
	return false
}

// inCommand reports whether a command names a file.
func inCommand(plans []*interp.Plan, command []string, of *Source) bool {
	base := path.Base(of.Path)
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return path.Base(w) == base })
	}
	if command != nil {
		return has(command)
	}
	return slices.ContainsFunc(plans, func(p *interp.Plan) bool { return p.Sut() != nil && has(p.Sut().Words()) })
}
