package data

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// Limit is how large a file may be: what is larger was made by a program.
const Limit = 256 << 10

// most is how many changes of one file there are.
const most = 200

// The kinds of changes, those that say most first.
const (
	LeftOut = "left out" // a member, an element, a row, a line
	Boolean = "boolean"  // true is false, false is true
	Number  = "number"   // one more, or one less
	Text    = "text"     // a text is empty, a pattern has an anchor less
)

// shares is how many changes of each kind there are at least, where there are so many.
var shares = []struct {
	kind  string
	share int
}{{LeftOut, 80}, {Boolean, 30}, {Number, 60}, {Text, 30}}

// A Change is one change of a file.
type Change struct {
	// From and To are the bytes that are replaced, and Line is the line of the first; the first one is 1.
	From, To, Line int
	// Text takes their place.
	Text string
	// Operator is the kind of the change, one of LeftOut, Boolean, Number and Text.
	Operator string
	// Path is where it is in a file that is a tree, such as rules[0].max, and "" in others.
	Path string
	// Change says what is changed, on one line of at most 80 characters.
	Change string
}

// Apply is the text with the change in it. The text itself stays as it is.
func (c Change) Apply(text []byte) []byte {
	return slices.Concat(text[:c.From], []byte(c.Text), text[c.To:])
}

// The formats of files.
const (
	formatJSON     = "json"
	formatRecords  = "records" // a JSON value a line
	formatYAML     = "yaml"
	formatSettings = "settings"
	formatTable    = "table"
	formatSQL      = "sql"
	formatProgram  = "program" // of jq, awk or sed
	formatText     = "text"
)

// formats are those that the end of a name tells. All others are text.
var formats = sync.OnceValue(func() map[string]string {
	return map[string]string{
		".json": formatJSON, ".jsonc": formatJSON, ".json5": formatJSON, ".geojson": formatJSON,
		".jsonl": formatRecords, ".ndjson": formatRecords,
		".yaml": formatYAML, ".yml": formatYAML,
		".toml": formatSettings, ".ini": formatSettings, ".cfg": formatSettings, ".conf": formatSettings, ".properties": formatSettings, ".env": formatSettings,
		".csv": formatTable, ".tsv": formatTable,
		".sql": formatSQL,
		".jq":  formatProgram, ".awk": formatProgram, ".sed": formatProgram,
	}
})

// foreign are the ends of names of what is no data: source files, what tools write, and what is no text.
var foreign = words(`
	.hcl .tf .tfvars
	.py .pyw .pyi .js .mjs .cjs .jsx .ts .mts .cts .tsx .go .java .rb .sh .bash .zsh .fish .rs .php .cs .fs .vb .lua .pl .pm .c .h .cc
	.cpp .cxx .hpp .m .mm .swift .kt .kts .scala .groovy .gradle .clj .ex .exs .erl .hs .ml .r .jl .dart .nim .zig .ps1 .bat .cmd .vue .svelte
	.ipynb .css .scss .less .map .lock .sum .mod .work .log .pid .pyc .class .o .so .a .jar .exe .dll .wasm
	.pem .crt .cer .key .der .p12 .pub .sig .asc .png .jpg .jpeg .gif .webp .ico .svg .pdf .woff .woff2 .ttf .zip .gz .tgz .tar .bz2 .xz
	.snap .patch .diff .orig .bak .swp .tmp .min .tsbuildinfo`)

// tools are files that tools of development read, and no program.
var tools = words(`
	package.json package-lock.json npm-shrinkwrap.json composer.json pnpm-lock.yaml pnpm-workspace.yaml tsconfig.json jsconfig.json deno.json
	turbo.json nx.json lerna.json biome.json pyproject.toml setup.cfg tox.ini mypy.ini pytest.ini cargo.toml pipfile requirements.txt
	constraints.txt pom.xml gemfile rakefile makefile dockerfile containerfile procfile justfile docker-compose.yml docker-compose.yaml
	compose.yml compose.yaml license license.txt license.md copying notice authors codeowners changelog.md contributing.md readme readme.md
	readme.txt security.md openapitools.json renovate.json gradle.properties gradlew mvnw robots.txt`)

// words are made when they are first asked for, as most commands look at no file.
func words(list string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		all := map[string]bool{}
		for _, w := range strings.Fields(list) {
			all[w] = true
		}
		return all
	})
}

// Named reports whether a file has the name of one that may be data.
func Named(name string) bool { return formatOf(name) != "" }

// formatOf is "" for what is no data.
func formatOf(name string) string {
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	if base == ".env" || strings.HasPrefix(base, ".env.") {
		return formatSettings
	}
	end := path.Ext(base)
	switch {
	case base == "" || base[0] == '.' || tools()[base] || foreign()[end]:
		return ""
	case strings.HasPrefix(base, "tsconfig.") || strings.HasPrefix(base, "requirements") && end == ".txt" || strings.Contains(base, ".min."):
		return ""
	case formats()[end] != "":
		return formats()[end]
	}
	return formatText
}

// Known reports whether a file is data of which changes can be made: by its name, and by what is in it.
func Known(name string, text []byte) bool {
	return formatOf(name) != "" && len(text) <= Limit && utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 && !bytes.HasPrefix(text, []byte("#!"))
}

// Changes are those of a file, of each kind at most as many as say something together: of many, some that are spread
// over the file. Those of the first kind come first, and those of one kind in the order of the file. There are none
// of a file that is not known, and of one that cannot be read.
func Changes(name string, text []byte) []Change {
	if !Known(name, text) {
		return nil
	}
	f := &file{text: text, source: string(text), seen: map[edit]bool{}}
	switch formatOf(name) {
	case formatJSON:
		if root, ok := f.json(0, len(text)); ok {
			f.tree(root)
		}
	case formatRecords:
		f.records()
	case formatYAML:
		f.yaml()
	case formatSettings:
		f.settings()
	case formatTable:
		f.table()
	case formatSQL:
		f.statements()
	case formatProgram:
		f.inner(strings.ToLower(path.Ext(name))[1:], 0, len(text))
	default:
		f.prose()
	}
	return f.chosen()
}

// A file is one that is read.
type file struct {
	text   []byte
	source string // the same
	list   []candidate
	seen   map[edit]bool
}

type edit struct {
	from, to int
	text     string
}

// A candidate is a change that may be chosen. What it says is written when it is.
type candidate struct {
	edit
	kind string
	// at is the node that it changes, nil where it changes a line.
	at *node
	// said is what it says, "" where that is to be written.
	said string
}

// add keeps a change, unless it changes nothing, or another one is the same.
func (f *file) add(kind string, from, to int, text string, at *node) {
	if from < 0 || to < from || to > len(f.source) || f.source[from:to] == text {
		return
	}
	e := edit{from, to, text}
	if f.seen[e] {
		return
	}
	f.seen[e] = true
	f.list = append(f.list, candidate{edit: e, kind: kind, at: at})
}

// inner makes the changes of a part that is a program in another language.
func (f *file) inner(language string, from, to int) {
	for _, c := range inner.Changes(language, f.source[from:to]) {
		kind := LeftOut // or another way: both say more than a value
		switch c.Operator {
		case "number":
			kind = Number
		case "boolean":
			kind = Boolean
		case "text":
			kind = Text
		}
		n := len(f.list)
		if f.add(kind, from+c.From, from+c.To, c.Text, nil); len(f.list) > n {
			f.list[n].said = c.Change
		}
	}
}

// chosen are the changes that are made.
func (f *file) chosen() (list []Change) {
	of := map[string][]candidate{}
	for _, c := range f.list {
		of[c.kind] = append(of[c.kind], c)
	}
	free := most
	count := map[string]int{}
	for _, s := range shares {
		count[s.kind] = min(s.share, len(of[s.kind]))
		free -= count[s.kind]
	}
	for _, s := range shares {
		more := min(free, len(of[s.kind])-count[s.kind])
		count[s.kind] += more
		free -= more
	}
	line, at := 1, 0
	for _, s := range shares {
		all, n := of[s.kind], count[s.kind]
		slices.SortStableFunc(all, func(a, b candidate) int { return a.from - b.from })
		line, at = 1, 0
		for i := range n {
			c := all[i*len(all)/n]
			line += strings.Count(f.source[at:c.from], "\n")
			at = c.from
			first := line + f.blankLines(c.from, c.to)
			made := Change{From: c.from, To: c.to, Line: first, Text: c.text, Operator: c.kind, Change: f.says(c)}
			if c.at != nil {
				made.Path = c.at.path()
			}
			list = append(list, made)
		}
	}
	return list
}

// blankLines is how many lines of a part go by before anything is in it.
func (f *file) blankLines(from, to int) (n int) {
	for _, c := range f.text[from:to] {
		if c == '\n' {
			n++
		} else if c != ' ' && c != '\t' && c != '\r' && c != ',' {
			return n
		}
	}
	return 0
}
