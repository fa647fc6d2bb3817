package program

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp"
)

// An ending is an error of the language itself that ended a program, and the place that it names.
type ending struct {
	file string
	line int
	// kind is what the language calls it, and name the name that is not known, "" where it is another error.
	kind, name string
}

// How languages say that an error ended a program, and where.
var (
	pythonFrame = pattern.New(`^  File "([^"]+)", line (\d+)`)
	pythonError = pattern.New(`^(NameError|UnboundLocalError|TypeError|AttributeError|SyntaxError|IndentationError): `)
	nodeError   = pattern.New(`^(?:Uncaught )?(ReferenceError|TypeError|SyntaxError): `)
	nodeFrame   = pattern.New(`^    at (?:.*\()?(?:file://)?([^()]+?):(\d+):\d+\)?$`)
	rubyError   = pattern.New(`^([^\s:][^:]*):(\d+):in .*\((NoMethodError|NameError|TypeError)\)$`)
	goFrame     = pattern.New(`^\t(.+\.go):(\d+)(?: |$)`)
	shellError  = pattern.New(`^([^\s:][^:]*): (?:line )?(\d+): (.*)$`)
	missingName = pattern.New("^(?:name|cannot access local variable|local variable|undefined local variable or method) [`']([^']+)'|^(\\S+) is not defined$|^(\\S+): (?:unbound variable|parameter not set)$")
)

// endingOf is the error of the language that ended a program, by what it wrote to stderr and its status; nil where
// none did. An error that the program raises itself is none, and neither is one of the data, such as a KeyError.
func endingOf(stderr string, status int) *ending {
	lines := strings.Split(strings.TrimRight(stderr, "\r\n"), "\n")
	if status == 1 || status == 2 {
		for _, read := range []func([]string) *ending{pythonEnding, nodeEnding, rubyEnding, goEnding} {
			if e := read(lines); e != nil {
				return e
			}
		}
	}
	return shellEnding(lines, status)
}

// at is an error at a place.
func at(file, line, kind, message string) *ending {
	n, err := strconv.Atoi(line)
	if err != nil {
		return nil
	}
	e := &ending{file: file, line: n, kind: kind}
	if m := missingName().FindStringSubmatch(message); m != nil {
		e.name = m[1] + m[2] + m[3]
	}
	return e
}

// pythonEnding is what the last traceback says.
func pythonEnding(lines []string) *ending {
	var frame []string
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i] != "Traceback (most recent call last):" {
			continue
		}
		for _, line := range lines[i+1:] {
			if m := pythonFrame().FindStringSubmatch(line); m != nil {
				frame = m
			}
			if strings.HasPrefix(line, " ") {
				continue
			}
			kind := pythonError().FindStringSubmatch(line)
			if kind == nil || frame == nil {
				return nil
			}
			return at(frame[1], frame[2], kind[1], line[len(kind[0]):])
		}
		return nil
	}
	return nil
}

// nodeEnding is what Node says. Of its own functions the one that called them is the place, but for JSON.parse: what
// that says is about data.
func nodeEnding(lines []string) *ending {
	for i, line := range lines {
		kind := nodeError().FindStringSubmatch(line)
		if kind == nil {
			continue
		}
		for _, frame := range lines[i+1:] {
			if !strings.HasPrefix(frame, "    at ") {
				continue
			}
			if strings.HasSuffix(frame, "(<anonymous>)") && !strings.Contains(frame, "JSON.") {
				continue
			}
			if m := nodeFrame().FindStringSubmatch(frame); m != nil {
				return at(m[1], m[2], kind[1], line[len(kind[0]):])
			}
			return nil
		}
		return nil
	}
	return nil
}

func rubyEnding(lines []string) *ending {
	for _, line := range lines {
		if m := rubyError().FindStringSubmatch(line); m != nil {
			_, message, _ := strings.Cut(line[len(m[1]):], "': ")
			return at(m[1], m[2], m[3], message)
		}
	}
	return nil
}

// goEnding is a panic because of a nil: its first place is that of the program.
func goEnding(lines []string) *ending {
	for i, line := range lines {
		if !strings.HasPrefix(line, "panic: runtime error: invalid memory address or nil pointer dereference") {
			continue
		}
		for _, frame := range lines[i+1:] {
			if m := goFrame().FindStringSubmatch(frame); m != nil {
				return at(m[1], m[2], nilPointer, "")
			}
		}
		return nil
	}
	return nil
}

// shellEnding is the last message of a shell, where its status says that it ended by that.
func shellEnding(lines []string, status int) *ending {
	m := shellError().FindStringSubmatch(lines[len(lines)-1])
	if m == nil {
		return nil
	}
	switch message := m[3]; {
	case status == 127 && (strings.HasSuffix(message, ": command not found") || strings.HasSuffix(message, ": not found")):
		return at(m[1], m[2], notFound, "")
	case (status == 1 || status == 2 || status == 127) && (strings.HasSuffix(message, ": unbound variable") || strings.HasSuffix(message, ": parameter not set")):
		return at(m[1], m[2], unbound, message)
	}
	return nil
}

// Kinds of errors that have no name in their language.
const (
	nilPointer = "nil pointer"
	notFound   = "command not found"
	unbound    = "unbound variable"
)

// ofValues are the errors that depend on the values that a line meets. Where a condition before them is left out, they
// show that the scenario has the values that the condition is for.
var ofValues = []string{"TypeError", "AttributeError", "NoMethodError", nilPointer, unbound}

// crashes reports whether an error is that of a changed line: the line ends the program by itself, or the change left
// out what gives the missing name its value. Such a change says nothing of a check: any scenario is red with it that
// comes to the line.
func (m *Mutant) crashes(e *ending) bool {
	if e == nil || m.Of.Data || !sameFile(e.file, m.Of.Path) {
		return false
	}
	if m.Parts != nil {
		return m.byParts(e)
	}
	if (m.Operator == "condition" || m.Operator == "compare") && slices.Contains(ofValues, e.kind) {
		return false
	}
	if m.Operator == together {
		return slices.Contains(m.lines(), e.line)
	}
	if e.line >= m.Line && e.line <= m.Line+strings.Count(strings.TrimRight(m.Text, "\n"), "\n") {
		return true
	}
	return e.name != "" && m.Operator == "statement" && givesValue(string(m.Of.Text[m.From:m.To]), e.name)
}

// lines are those that a change makes other ones. What stands between two places that are changed at once is none of
// them, where the change makes as many lines as there were.
func (m *Mutant) lines() (list []int) {
	was, is := strings.Split(string(m.Of.Text[m.From:m.To]), "\n"), strings.Split(m.Text, "\n")
	for i, line := range is {
		if len(was) != len(is) || line != was[i] {
			list = append(list, m.Line+i)
		}
	}
	return list
}

// sameFile reports whether an error names a file of the program, which lies at rel in its directory.
func sameFile(named, rel string) bool {
	named = strings.ReplaceAll(named, `\`, "/")
	if path.IsAbs(named) || strings.Contains(named, ":/") {
		return strings.HasSuffix(named, "/"+rel)
	}
	named = path.Clean(named)
	return named == rel || strings.HasSuffix(rel, "/"+named) || strings.HasSuffix(named, "/"+rel)
}

// givesValue reports whether a statement, which is one of several languages, sets a name.
func givesValue(statement, name string) bool {
	left, right, found := strings.Cut(statement, "=")
	if !found || strings.HasPrefix(right, "=") {
		return false
	}
	for {
		i := strings.Index(left, name)
		if i < 0 {
			return false
		}
		before, after := left[:i], left[i+len(name):]
		if (before == "" || !nameByte(before[len(before)-1]) && before[len(before)-1] != '.') && (after == "" || !nameByte(after[0])) && !strings.HasPrefix(after, "[") && !strings.HasPrefix(after, ".") {
			return true
		}
		left = after
	}
}

// endingSeen is the error of the language that ended a program, by what a run has seen of it.
func endingSeen(run *interp.Observation) *ending {
	code, diags := run.Value("sut.exit_code")
	if diags.HasErrors() || code.IsMarked() || !code.IsKnown() || code.IsNull() || code.Type() != cty.Number {
		return nil
	}
	stderr, diags := run.Value("sut.stderr")
	if stderr, _ = stderr.Unmark(); diags.HasErrors() || !stderr.IsKnown() || stderr.IsNull() || stderr.Type() != cty.String {
		return nil
	}
	status, _ := code.AsBigFloat().Int64()
	return endingOf(stderr.AsString(), int(status))
}
