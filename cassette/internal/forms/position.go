package forms

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// How far a command goes on at most, and how far before it is looked for what begins its line.
const (
	commandMax = 400
	beforeMax  = 200
)

// CommandAt is the command that begins at a place of a text, to the end of its line; "" where none begins: in the
// middle of a word, and behind words that start no other program.
func CommandAt(text string, at int) string {
	if !beginsCommand(text, at) {
		return ""
	}
	rest := text[at:min(len(text), at+commandMax)]
	if at > 0 && isQuoted(text, at-1) { // the line ends with the string
		if end := strings.IndexByte(rest, text[at-1]); end > 0 && rest[end-1] != '\\' && strings.Contains(rest[:end], " ") {
			rest = rest[:end]
		}
	}
	for i := range len(rest) {
		switch before := rest[:i]; rest[i] {
		case '\n':
			if !strings.HasSuffix(strings.TrimSuffix(before, "\r"), `\`) {
				return before
			}
		case 'n', 'r': // in a string, behind one sign of an escape
			if line := strings.TrimRight(before, `\`); len(before)-len(line) == 1 {
				return line
			}
		}
	}
	return rest
}

// wrappers are what may stand between the beginning of a line and its command: signs of a prompt, words of a
// shell, variables, and programs that start another.
var wrappers = sync.OnceValue(func() *regexp.Regexp {
	const (
		options   = `(?:\s+(?:-[ug]\s+[\w.-]+|-n(?:\s+-?\d+)?|-[\w=-]*[a-fh-mo-tv-zA-Z0-9]))*`
		container = `(?:\s+(?:--(?:rm|init|tty|interactive|detach|privileged)|-[a-zA-Z]*[itdT]|-[^\s=]+=\S*|-[\w-]+\s+[^-\s]\S*))*\s+[^-\s]\S*`
	)
	return regexp.MustCompile(`^\s*(?:(?:` + strings.Join([]string{
		`\S*[$#>%]`, `[!+*{-]`, `then|do|else|elif|if|while|until|command|builtin|exec|RUN|CMD|ENTRYPOINT`,
		`[A-Za-z_]\w*=\S*`,
		`(?:\S*/)?(?:sudo|doas|env|time|nohup|setsid|nice|ionice|stdbuf|xargs|watch|strace|timeout)` + options + `(?:\s+\d+[smh]?)?`,
		`(?:\S*/)?(?:ba|da|k|z)?sh(?:\s+-\w+)+`,
		`ssh(?:\s+(?:-[AaCfGgKkMNnqsTtVvXxYy]+|-[A-Za-z]\s+\S+))*\s+[^-\s]\S*`,
		`(?:docker(?:[\s-]compose)?|podman|nerdctl)\s+(?:container\s+)?(?:run|exec)` + container,
		`(?:kubectl|oc)\s+(?:\S+\s+)*?exec\s+(?:\S+\s+)*?--`,
	}, "|") + `)\s+)*$`)
})

// beginsCommand reports whether a command may begin at a place.
func beginsCommand(text string, at int) bool {
	cut := at > beforeMax
	before := text[max(0, at-beforeMax):at]
	if strings.HasSuffix(before, "/") {
		before = strings.TrimRightFunc(before, isOfPath)
	}
	if from := strings.LastIndexByte(before, '\n') + 1; from > 0 {
		before, cut = before[from:], false
	}
	if before == "" {
		return !cut
	}
	if c := before[len(before)-1]; isOfPath(rune(c)) && !endsEscape(before) || strings.IndexByte("@:=,", c) >= 0 {
		return false
	}
	from := strings.LastIndexAny(before, "\r|;&\"'`(")
	if inList(before, text[at:]) {
		from = strings.LastIndexAny(before, "\r|;&`([{")
		before, from, cut = parted.Replace(before[from+1:]), -1, cut && from < 0
	}
	for _, sign := range []string{": ", `\n`, `\r`, `\t`} {
		if i := strings.LastIndex(before, sign); i >= 0 {
			from = max(from, i+1)
		}
	}
	line := before[from+1:]
	return (from >= 0 || !cut) && (strings.TrimSpace(line) == "" || line[len(line)-1] <= ' ' && wrappers().MatchString(line))
}

// parted makes a line of a list.
var parted = strings.NewReplacer(`"`, " ", "'", " ", ",", " ", `\`, " ")

// endsEscape reports whether a text ends with a break of a line as strings have it.
func endsEscape(text string) bool {
	return len(text) > 1 && text[len(text)-2] == '\\' && strings.IndexByte("nrt", text[len(text)-1]) >= 0
}

// inList reports whether what stands behind a text is a whole element of a list, with another string before it.
func inList(before, rest string) bool {
	list, comma := strings.CutSuffix(strings.TrimRight(strings.TrimRight(before, `\"'`), " \t"), ",")
	rest = strings.TrimLeft(strings.TrimLeftFunc(rest, isOfPath), `\`)
	return comma && isQuoted(before, len(before)-1) &&
		isQuoted(list, len(list)-1) && isQuoted(rest, 0)
}

func isQuoted(text string, at int) bool {
	return at >= 0 && at < len(text) && (text[at] == '"' || text[at] == '\'')
}

func isOfPath(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("_-./~", c)
}

// A found is a form that is looked for without a redactor.
type found struct {
	Form
	pattern *regexp.Regexp
}

// compiled are the forms of commands, ready to look for them.
var compiled = sync.OnceValue(func() (list []found) {
	for _, f := range formsOfCommands() {
		list = append(list, found{f, regexp.MustCompile(f.Pattern)})
	}
	return list
})

var allowedOfCommands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(strings.Join(notOfCommands, "|")) })

// PasswordsIn are those that the commands of a line have in their options.
func PasswordsIn(line string) (list []string) {
	folded := strings.ToLower(line)
	if len(folded) != len(line) {
		folded = line
	}
	for _, f := range compiled() {
		list = append(list, f.in(line, folded)...)
	}
	return list
}

// in are the passwords of a form in a line, whose words are looked for in small letters.
func (f found) in(line, folded string) (list []string) {
	for _, w := range f.Words {
		for at := 0; ; at++ {
			next := strings.Index(folded[at:], w)
			if next < 0 {
				break
			}
			at += next
			part := line
			if f.At == AtCommand {
				part = CommandAt(line, at)
			}
			for _, m := range f.pattern.FindAllStringSubmatch(part, -1) {
				p := slices.MaxFunc(m[1:], func(a, b string) int { return len(a) - len(b) })
				if !allowedOfCommands().MatchString(p) && !slices.Contains(list, p) {
					list = append(list, p)
				}
			}
		}
	}
	return list
}
