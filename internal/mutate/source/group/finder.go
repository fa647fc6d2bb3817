package group

import (
	"cmp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// A Code is a source file that was read: its tokens, and the statements that they make up.
type Code interface {
	Len() int
	// At is the text of a token, Word says that it is a name, Member that it stands behind a point, and Quiet that it is
	// not changed. Mate is the other one of two brackets, -1 for none.
	At(i int) string
	Word(i int) bool
	Member(i int) bool
	Quiet(i int) bool
	Mate(i int) int
	// Chain is the first token of the names that end with one, Args are the arguments in brackets, Used says that the
	// value of what stands between two tokens is used, and Declares that a name is that of a function that is declared.
	Chain(i int) int
	Args(open int) [][2]int
	Used(first, last int) bool
	Declares(i int) bool
	// Slice is the text of tokens, Wrapped as it stands on its own, and Bytes are the first and the last byte.
	Slice(first, last int) string
	Wrapped(first, last int) string
	Bytes(first, last int) (from, to int)
	// Around is the statement around a token, -1 for none, and Assigned are the names to which one assigns, and the sign.
	Around(i int) int
	Statement(n int) Statement
	Assigned(n int) (names []string, sign int)
}

// A Statement is a simple one or a head, by its tokens, in a function.
type Statement struct {
	First, Last, Scope int
	Head               bool
}

// A Finder finds what belongs together in a file.
type Finder struct {
	Code
	Text string
	// Span is how long a change may be at most.
	Span int
	// What is known of the language: its blocks are indented, it is JavaScript, conditions stand without brackets,
	// statements end with a sign, blocks end with a word.
	Indented, Script, Bare, Ended, Worded bool
	// Add keeps a change.
	Add func(from, to int, with, change string)

	mentioned map[string]bool // what was looked for in all of the text
}

// All finds all.
func (f *Finder) All() {
	f.undone()
	f.renames()
	f.signs()
	f.staged()
	f.ends()
	f.containers()
	f.opposites()
	f.decimals()
}

// renaming reports whether a function puts a file in the place of another one, and gives what stands for a call of it.
func renaming(name string) (nothing string, is bool) {
	switch name {
	case "os.replace", "os.rename", "shutil.move":
		return "None", true
	case "fs.renameSync", "renameSync", "fs.rename", "rename", "fs.promises.rename", "fsp.rename":
		return "undefined", true
	case "os.Rename":
		return "error(nil)", true
	case "File.rename", "FileUtils.mv", "FileUtils.move":
		return "nil", true
	}
	return "", name == "Files.move"
}

// temporary reports whether a function opens a file whose name nobody knows.
func temporary(name string) bool {
	switch name {
	case "tempfile.NamedTemporaryFile", "NamedTemporaryFile", "os.CreateTemp", "ioutil.TempFile", "Tempfile.new", "Tempfile.create":
		return true
	}
	return false
}

// AtOnce makes some changes one.
func (f *Finder) AtOnce(all []Place, change string) {
	slices.SortFunc(all, func(a, b Place) int { return cmp.Compare(a.From, b.From) })
	for i := range all[1:] {
		if all[i+1].From < all[i].To {
			return
		}
	}
	from, to, text := Join(f.Text, all)
	f.Add(from, to, text, change)
}

func place(from, to int, text string) Place {
	return Place{From: from, To: to, Text: text}
}

// renames writes a file itself where a temporary one is written and takes its place.
func (f *Finder) renames() {
	for open := range f.Len() {
		if f.At(open) != "(" || f.Mate(open) < open+2 || !f.Word(open-1) || f.Quiet(open) {
			continue
		}
		first := f.Chain(open - 1)
		nothing, is := renaming(f.Slice(first, open))
		args := f.Args(open)
		var old, name string
		switch {
		case is && len(args) >= 2 && !(f.Script && len(args) > 2) && (f.Script || nothing != "undefined"):
			old, name = f.Slice(args[0][0], args[0][1]), f.Slice(args[1][0], args[1][1])
		case f.Indented && len(args) == 1 && f.Member(open-1) && (f.At(open-1) == "replace" || f.At(open-1) == "rename") && first == open-3:
			nothing, old, name = "None", f.At(first), f.Slice(args[0][0], args[0][1])
		default:
			continue
		}
		from, to := f.Bytes(first, f.Mate(open)+1)
		whole := f.Used(first, f.Mate(open)+1)
		switch {
		case f.Ended && whole:
			continue
		case f.Ended:
			nothing = "if (false) { " + f.Text[from:to] + "; }"
		case f.Bare && !whole:
			nothing = "_ = " + nothing
		}
		if places := f.renamedIn(first, old, name); len(places) > 0 && old != name && len(name) < 200 {
			f.AtOnce(append(places, place(from, to, nothing)), "`"+inner.Short(f.Text[from:to], 36)+"` left out, `"+inner.Short(name, 20)+"` itself is written")
		}
	}
}

// renamedIn puts the name of a file in the place of that of the temporary one, in what stands before a token.
func (f *Finder) renamedIn(before int, old, name string) (all []Place) {
	base, _, part := strings.Cut(old, ".")
	end, _ := f.Bytes(before, before+1)
	n := f.Around(before)
	for m := n - 1; m >= 0 && m > n-100; m-- {
		s := f.Statement(m)
		if begin, _ := f.Bytes(s.First, s.Last); s.Scope != f.Statement(n).Scope || end-begin > f.Span {
			continue
		}
		if part {
			for i := s.First; i < s.Last; i++ {
				if f.At(i) != "(" || f.Mate(i) < 0 || !f.Word(i-1) {
					continue
				}
				first := max(f.Chain(i-1), s.First)
				if !temporary(f.Slice(first, i)) || !strings.Contains(f.Slice(s.First, s.Last), base) {
					continue
				}
				from, to := f.Bytes(first, f.Mate(i)+1)
				with := `File.open(` + name + `, "w")`
				switch {
				case f.Bare:
					with = "os.Create(" + name + ")"
				case f.Indented && strings.Contains(f.Text[from:to], `"w"`) || strings.Contains(f.Text[from:to], `'w'`):
					with = "open(" + name + `, "w")`
				case f.Indented:
					with = "open(" + name + `, "wb")`
				}
				return append(all, place(from, to, with))
			}
			continue
		}
		names, sign := f.Assigned(m)
		if s.Head || sign < 0 || sign+1 >= s.Last || !slices.Contains(names, old) {
			continue
		}
		from, to := f.Bytes(sign+1, s.Last)
		if f.Indented && strings.Contains(f.Text[from:to], "mkstemp(") {
			return append(all, place(from, to, "os.open("+name+", os.O_RDWR | os.O_CREAT | os.O_TRUNC), "+name))
		}
		return append(all, place(from, to, name))
	}
	if n < 0 || len(old) < 3 { // it is written out in all places
		return nil
	}
	start := max(end-f.Span+400, 0)
	for {
		i := strings.Index(f.Text[start:end], old)
		if i < 0 || len(all) > 20 {
			return all
		}
		all, start = append(all, place(start+i, start+i+len(old), name)), start+i+len(old)
	}
}

// signs lets a signature be what is signed, both where it is made and where it is looked at: only a scenario in which
// somebody else makes one is red.
func (f *Finder) signs() {
	var made, looked []Place
	for open := range f.Len() {
		name := f.At(open - 1)
		if f.At(open) != "(" || f.Mate(open) < open+2 || f.Quiet(open) || name != "sign" && name != "verify" && name != "Sign" && name != "Verify" || f.Declares(open-1) {
			continue
		}
		first := f.Chain(open - 1)
		from, to := f.Bytes(first, f.Mate(open)+1)
		var a []string
		for _, one := range f.Args(open) {
			a = append(a, f.Slice(one[0], one[1]))
		}
		call := f.Text[from:to]
		script, method := f.Script && (first == open-1 || f.At(first) == "crypto"), f.Member(open-1)
		switch {
		case script && name == "sign" && len(a) == 3:
			made = append(made, place(from, to, "Buffer.from("+a[1]+")"))
		case script && name == "verify" && len(a) == 4:
			looked = append(looked, place(from, to, "(Buffer.compare(Buffer.from("+a[1]+"), Buffer.from("+a[3]+")) === 0 || "+call+")"))
		case f.Bare && name == "Sign" && f.At(first) == "ed25519" && len(a) == 2:
			made = append(made, place(from, to, "append("+call+"[:0], "+a[1]+"...)"))
		case f.Bare && name == "Verify" && f.At(first) == "ed25519" && len(a) == 3:
			looked = append(looked, place(from, to, "(string("+a[1]+") == string("+a[2]+") || "+call+")"))
		case f.Indented && method && name == "sign" && len(a) >= 1:
			made = append(made, place(from, to, "("+a[0]+")"))
		case f.Indented && method && name == "verify" && len(a) >= 2:
			looked = append(looked, place(from, to, "("+a[0]+" == "+a[1]+" or "+call+")"))
		case f.Worded && method && name == "sign" && len(a) == 2:
			made = append(made, place(from, to, "("+a[1]+")"))
		case f.Worded && method && name == "verify" && len(a) == 3:
			looked = append(looked, place(from, to, "("+a[1]+" == "+a[2]+" || "+call+")"))
		}
	}
	if n := len(made) + len(looked); len(made) > 0 && len(looked) > 0 && n < 20 {
		f.AtOnce(append(made, looked...), "what is signed is its own signature, for `sign` and `verify`")
	}
}

// conversions are two functions or methods that leave a value as it is, one after the other, in either order.
var conversions = words.Set(`json.loads,json.dumps JSON.parse,JSON.stringify pickle.loads,pickle.dumps marshal.loads,marshal.dumps yaml.safe_load,yaml.dump
	yaml.safe_load,yaml.safe_dump base64.b64decode,base64.b64encode parse.unquote,parse.quote decodeURIComponent,encodeURIComponent atob,btoa v8.deserialize,v8.serialize
	Object.fromEntries,Object.entries ast.literal_eval,repr zlib.decompress,zlib.compress Marshal.load,Marshal.dump JSON.parse,JSON.generate YAML.load,YAML.dump
	html.unescape,html.escape JSON.parse,JSON.dump string,[]byte
	.encode,.decode .unpack,.pack .hex,.fromhex`)

// undone leaves out two calls that undo each other: JSON.parse(JSON.stringify(x)) is x itself.
func (f *Finder) undone() {
	for open := range f.Len() {
		if f.At(open) != "(" || f.Mate(open) < open+2 || f.Quiet(open) || !f.Word(open-1) {
			continue
		}
		first := f.chainOf(open)
		a := f.Args(open)
		if len(a) == 0 || f.At(first-1) == "new" || f.At(first-1) == "def" || f.At(first-1) == "function" {
			continue
		}
		within, end := a[0][0], a[0][1]
		from, to := f.Bytes(first, f.Mate(open)+1)
		if f.At(end-1) != ")" || to-from > f.Span {
			if f.Worded && f.Slice(first, open) == "JSON.parse" && len(a) == 1 && f.At(end-1) == "to_json" && f.Member(end-1) {
				f.undo(from, to, f.Slice(within, end-2))
			}
			continue
		}
		next := f.Mate(end - 1)
		if next <= within || f.chainOf(next) != within {
			continue
		}
		b := f.Args(next)
		if len(b) == 0 || f.At(b[0][0]) == "*" || f.At(b[0][0]) == "..." {
			continue
		}
		outside, inside := f.short(first, open), f.short(within, next)
		if conversions()[outside+","+inside] || conversions()[inside+","+outside] {
			f.undo(from, to, f.Wrapped(b[0][0], b[0][1]))
		}
	}
	for i := range f.Len() { // x.encode("utf-8").decode("utf-8")
		if !f.Word(i) || !f.Member(i) || f.Quiet(i) || f.At(i+1) != "(" || f.Mate(i+1) < 0 {
			continue
		}
		next := f.Mate(i+1) + 2
		if !f.Member(next) || f.At(next+1) != "(" || f.Mate(next+1) < 0 || !conversions()["."+f.At(i)+",."+f.At(next)] && !conversions()["."+f.At(next)+",."+f.At(i)] {
			continue
		}
		first := f.Chain(i)
		from, to := f.Bytes(first, f.Mate(next+1)+1)
		f.undo(from, to, f.Slice(first, i-1))
	}
}

// chainOf is the first token of what is called with a bracket.
func (f *Finder) chainOf(open int) int {
	if f.Bare && f.At(open-2) == "]" && f.At(open-3) == "[" { // []byte
		return open - 3
	}
	return f.Chain(open - 1)
}

// short is the name of what is called, with the last module alone.
func (f *Finder) short(first, open int) string {
	if open-first > 3 {
		first = open - 3
	}
	return f.Slice(first, open)
}

func (f *Finder) undo(from, to int, with string) {
	f.Add(from, to, with, inner.Instead(f.Text[from:min(to, from+1000)], with))
}
