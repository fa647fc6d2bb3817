package part

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// pairs puts in the place of a call another one of the same library, or of the language, that does nearly the same: what
// is equal and what is the same object, the second piece and all that is behind it.
func (c *call) pairs() {
	switch name, a := c.name, c.arg(0); {
	case c.Indented:
		c.pythonPairs()
	case c.Script && c.At(c.open-1) == "match" && c.Member(c.open-1) && len(c.args) == 1 && strings.Contains(c.Slice(c.args[0][0], c.args[0][1]), `\d`) && c.element() == "1" && !(c.At(c.first-1) == "(" && c.Word(c.first-2)):
		_, c.to = c.Bytes(c.first, c.Mate(c.open)+4)
		c.put("Number("+c.Text[c.from:c.to]+")", "as a number of JavaScript")
	case c.Script && c.At(c.open-1) == "split" && c.Member(c.open-1) && len(c.args) == 1:
		c.piece(".at(-1)")
	case c.Ended && c.At(c.open-1) == "split" && c.Member(c.open-1) && len(c.args) == 1 && a != "" && c.element() == "1":
		c.put(c.Slice(c.first, c.open)+"("+a+", 2)", "→ two pieces")
	case c.Bare && name == "strings.Split" && len(c.args) == 2 && a != "" && c.arg(1) != "" && c.element() == "1":
		c.put("strings.SplitN("+a+", "+c.arg(1)+", 2)", "→ two pieces")
	case c.Ended && name == "Objects.equals" && len(c.args) == 2 && a != "" && c.arg(1) != "":
		c.put("("+a+" == "+c.arg(1)+")", "→ the same object")
	case c.Ended && c.At(c.open-1) == "equals" && c.Member(c.open-1) && len(c.args) == 1 && a != "" && c.first < c.open-2:
		c.put("("+c.Slice(c.first, c.open-2)+" == "+a+")", "→ the same object")
	case c.Ended && c.At(c.open-1) == "compareTo" && c.Member(c.open-1) && len(c.args) == 1 && a != "" && c.first < c.open-2 && c.At(c.Mate(c.open)+2) == "0":
		sign := map[string]string{"==": "", "!=": "!"}
		with, is := sign[c.At(c.Mate(c.open)+1)]
		if is {
			_, c.to = c.Bytes(c.first, c.Mate(c.open)+3)
			c.put(with+c.Slice(c.first, c.open-2)+".equals("+a+")", "→ equals")
		}
	}
}

// element is the number in the brackets behind a call, "" for none.
func (c *call) element() string {
	at := c.Mate(c.open) + 1
	if c.At(at) != "[" || c.Mate(at) < at+2 || c.Mate(at) > at+3 {
		return ""
	}
	return strings.ReplaceAll(c.Slice(at+1, c.Mate(at)), " ", "")
}

// piece takes the last of the pieces of a text for the second one, and the other way round.
func (c *call) piece(last string) {
	end := c.Mate(c.open) + 1
	_, from := c.Bytes(end-1, end)
	for _, one := range []struct{ is, with string }{{"[1]", last}, {".at(-1)", "[1]"}, {".pop()", "[1]"}, {"[-1]", "[1]"}} {
		if strings.HasPrefix(c.Text[from:], one.is) && one.with != one.is {
			c.Related(from, from+len(one.is), one.with, inner.Within(c.Text, c.from, from+len(one.is), from, from+len(one.is), one.with))
			return
		}
	}
}

func (c *call) pythonPairs() {
	name, a := c.name, c.arg(0)
	used := c.Used(c.first, c.Mate(c.open)+1)
	one := ""
	if len(c.args) == 1 && a != "" {
		one = c.Slice(c.args[0][0], c.args[0][1])
	}
	method := c.Member(c.open-1) && c.first < c.open-2
	switch {
	case name == "shlex.split" && one != "":
		c.put("("+one+").split()", "→ split at spaces")
		c.put(`[word.replace('"', "").replace("'", "") for word in (`+one+").split()]", "→ split at spaces, then without quotes")
	case name == "csv.reader" && one != "":
		c.put(`([field.strip().strip('"') for field in line.rstrip("\r\n").split(",")] for line in `+one+")", `→ each line split at ","`)
	case name == "csv.DictReader" && one != "":
		c.put(`(lambda rows: [dict(zip(rows[0], row)) for row in rows[1:]])([[field.strip().strip('"') for field in line.rstrip("\r\n").split(",")] for line in `+one+"])", `→ each line split at ","`)
	case method && c.At(c.open-1) == "get" && c.At(c.open-3) == "headers" && c.Member(c.open-3) && used:
		from, to := c.Bytes(c.first, c.open-2)
		c.Related(from, to, "dict("+c.Text[from:to]+")", "`"+inner.Short(c.Slice(c.first, c.Mate(c.open)+1), 50)+"` by its name in this case alone")
	case method && c.At(c.open-1) == "split" && one != "" && c.At(c.args[0][0]+1) != "=":
		base := c.Slice(c.first, c.open-2)
		switch c.element() {
		case "0":
			c.put(base+".rsplit("+one+", 1)", "→ without the last piece")
		case "1":
			c.put(base+".split("+one+", 1)", "→ two pieces")
			c.piece("[-1]")
		case "-1":
			c.put(base+".split("+one+", 1)", "→ two pieces")
			c.piece("")
		}
	case (name == "round" || name == "int") && one != "" && (c.At(c.first-1) == "==" || c.At(c.first-1) == "!="):
		n := c.args[0][1] - c.args[0][0]
		first := c.first - 1 - n
		if first < 0 || c.Slice(first, c.first-1) != one {
			return
		}
		with := "isinstance(" + one + ", int)"
		if c.At(c.first-1) == "!=" {
			with = "not " + with
		}
		c.from, _ = c.Bytes(first, c.first)
		c.put("("+with+")", "→ isinstance(…, int)")
	case method && c.At(c.open-1) == "iter_lines" && len(c.args) == 0 && used:
		c.put("(line for packet in "+c.Slice(c.first, c.open-2)+".iter_content(None) for line in packet.splitlines())", "→ each packet is lines of its own")
	}
}

// streamed takes each packet of an answer for lines of its own.
func (f *Finder) streamed(i int) {
	if !f.Indented || !f.Word(i) || f.At(i) != "in" || !f.Word(i+1) || f.At(i+2) != ":" || !f.opened(f.At(i+1)) {
		return
	}
	from, to := f.Bytes(i+1, i+2)
	name := f.At(i + 1)
	f.Related(from, to, "(line for packet in iter("+name+`.read1, b"") for line in packet.splitlines(True))`, "each packet of `"+inner.Short(name, 40)+"` is lines of its own")
}

var opens = pattern.New(`(?m)^\s*with .*urlopen\(.* as (\w+):`)

// opened reports whether a name is one that an answer has in a with statement.
func (f *Finder) opened(name string) bool {
	if f.answers == nil {
		f.answers = map[string]bool{}
		if f.Mentions("urlopen(") {
			for _, m := range opens().FindAllStringSubmatch(f.Text, -1) {
				f.answers[m[1]] = true
			}
		}
	}
	return f.answers[name]
}

// gathered lets the others of a group go on where one task fails.
func (f *Finder) gathered(open int) {
	if !f.Indented || f.At(open) != "(" || f.At(open-1) != "TaskGroup" || f.Mate(open) != open+1 || f.Mentions("ExceptionGroup") || f.Quiet(open) {
		return
	}
	module := `__import__("asyncio")`
	if f.Member(open - 1) {
		module = f.Slice(f.Chain(open-1), open-2)
	}
	from, to := f.Bytes(f.Chain(open-1), open+2)
	f.Related(from, to, `type("Tasks", (list,), {"__aenter__": lambda tasks: `+module+`.sleep(0, tasks), "__aexit__": lambda tasks, kind, *_: `+module+`.sleep(0) if kind else `+module+
		`.gather(*tasks), "create_task": lambda tasks, one, **_: (tasks.append(`+module+`.ensure_future(one)), tasks[-1])[1]})()`, "`"+f.Text[from:to]+"` → gather, which lets the others go on")
}
