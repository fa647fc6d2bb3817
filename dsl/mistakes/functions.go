package mistakes

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// libraries are functions of the libraries of other languages, with what is called
// here for each: %s stands for its arguments, and more of them for one each.
var libraries = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"JSON.stringify": "jsonencode(%s)", "json.dumps": "jsonencode(%s)", "json.Marshal": "jsonencode(%s)", "JSON.generate": "jsonencode(%s)",
		"JSON.parse": "jsondecode(%s)", "json.loads": "jsondecode(%s)", "json.Unmarshal": "jsondecode(%s)",
		"os.Getenv": "env(%s)", "os.getenv": "env(%s)", "os.environ.get": "env(%s)", "os.LookupEnv": "env(%s)", "Deno.env.get": "env(%s)", "ENV.fetch": "env(%s)", "System.getenv": "env(%s)",
		"strings.Contains": "strcontains(%s)", "strings.HasPrefix": "startswith(%s)", "strings.HasSuffix": "endswith(%s)", "strings.TrimSpace": "trimspace(%s)", "strings.ToLower": "lower(%s)", "strings.ToUpper": "upper(%s)",
		"slices.Contains": "contains(%s)", "fmt.Sprintf": "format(%s)", "fmt.Sprint": "tostring(%s)", "strconv.Itoa": "tostring(%s)", "strconv.Atoi": "tonumber(%s)", "Object.keys": "keys(%s)", "Object.values": "values(%s)",
		"Math.max": "max(%s)", "Math.min": "min(%s)", "Math.abs": "abs(%s)", "Math.floor": "floor(%s)", "Math.ceil": "ceil(%s)", "math.floor": "floor(%s)", "math.ceil": "ceil(%s)", "math.Floor": "floor(%s)", "math.Ceil": "ceil(%s)",
		"re.search": "regexmatch(%s)", "re.match": "regexmatch(%s)", "re.fullmatch": "regexmatch(%s)", "regexp.MatchString": "regexmatch(%s)",
	}
})

// ofLibrary says what to call for a function of another language's library, ""
// for any other.
func ofLibrary(value, name, before, after string) string {
	form, known := libraries()[value+"."+name]
	if !known {
		return ""
	}
	arguments, _, closed := call(after)
	if !closed || arguments == "" {
		arguments = "…"
	}
	said := fmt.Sprintf("A function is called by its name alone: "+form+".", arguments)
	if strings.HasPrefix(form, "jsonencode") && asBody().MatchString(before) {
		said += fmt.Sprintf(" Where a block has an attribute json, as the reply of an http provider has, an object is enough: json = %s.", arguments)
	}
	if strings.HasPrefix(form, "env") && asAddress().MatchString(before) {
		said = fmt.Sprintf("The variable of the environment that holds an address is named: base_url_env = %s.", arguments)
	}
	return said
}

var (
	asBody    = pattern.New(`\b(?:body|content)\s*=\s*[\w.]+$`)
	asAddress = pattern.New(`\bbase_url\s*=\s*[\w.]+$`)
)

// loops are methods of lists that take a function elsewhere, with the for
// expression that does the same: of the list, the name of an element and what the
// function returns.
var loops = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"map": "[for %[2]s in %[1]s : %[3]s]", "collect": "[for %[2]s in %[1]s : %[3]s]",
		"filter": "[for %[2]s in %[1]s : %[2]s if %[3]s]", "select": "[for %[2]s in %[1]s : %[2]s if %[3]s]",
		"some": "anytrue([for %[2]s in %[1]s : %[3]s])", "any": "anytrue([for %[2]s in %[1]s : %[3]s])",
		"every": "alltrue([for %[2]s in %[1]s : %[3]s])", "all": "alltrue([for %[2]s in %[1]s : %[3]s])", "forEach": "alltrue([for %[2]s in %[1]s : %[3]s])", "each": "alltrue([for %[2]s in %[1]s : %[3]s])",
		"find": "[for %[2]s in %[1]s : %[2]s if %[3]s][0]", "detect": "[for %[2]s in %[1]s : %[2]s if %[3]s][0]",
		"flatMap": "flatten([for %[2]s in %[1]s : %[3]s])", "reduce": "sum([for %[2]s in %[1]s : %[3]s])", "count": "length([for %[2]s in %[1]s : %[2]s if %[3]s])",
	}
})

var (
	// arrow is a function as JavaScript, Java and C# write it, with one parameter that
	// counts; anonymous is one of Python.
	arrow     = pattern.New(`^(?:async\s+)?\(?\s*([A-Za-z_]\w*)[^()=]*\)?\s*[=-]>\s*(.+)$`)
	anonymous = pattern.New(`^lambda\s+([A-Za-z_]\w*)[^:]*:\s*(.+)$`)
	// lengthOf asks for the number of elements of what a call returns.
	lengthOf = pattern.New(`^\.(?:length|size|count)\b`)
)

// withFunction writes the call of a method that takes a function as a for
// expression, "" where the method takes none.
func withFunction(value, name, after string) string {
	form, known := loops()[name]
	if !known {
		return ""
	}
	arguments, rest, closed := call(after)
	element, returned := "x", "…"
	m := arrow().FindStringSubmatch(arguments)
	if m == nil {
		m = anonymous().FindStringSubmatch(arguments)
	}
	switch {
	case name == "count" && m == nil:
		return ""
	case m != nil && closed && !strings.HasPrefix(m[2], "{"):
		element, returned = m[1], inLanguage(m[2])
	case m != nil:
		element = m[1]
	}
	written := fmt.Sprintf(form, value, element, returned)
	if attr, ok := strings.CutPrefix(returned, element+"."); ok && name == "map" && plainName().MatchString(attr) {
		written = fmt.Sprintf("%s[*].%s", value, attr)
	}
	if lengthOf().MatchString(rest) {
		written = "length(" + written + ")"
	}
	const said = "A function cannot be written in place. "
	switch name {
	case "forEach", "each":
		return fmt.Sprintf("%sA condition on each element of a list is %s.", said, written)
	case "map", "collect", "flatMap":
		return fmt.Sprintf("%sWhat each element of a list has is %s.", said, written)
	}
	return fmt.Sprintf("%sAn expression over a list is written with for: %s.", said, written)
}

var plainName = pattern.New(`^[A-Za-z_][\w.]*$`)

// inLanguage is an expression of another language with the operators and quotes of
// this one.
func inLanguage(text string) string {
	text = strings.NewReplacer("===", "==", "!==", "!=", "?.", ".").Replace(strings.TrimSpace(text))
	if !strings.Contains(text, `"`) {
		text = strings.ReplaceAll(text, "'", `"`)
	}
	return strings.TrimRight(text, "; \t")
}

// call reads what stands between a parenthesis, with which the text begins, and the
// one that closes it, and what comes behind.
func call(text string) (arguments, rest string, closed bool) {
	parts, rest, closed := argumentsOf(text)
	return strings.Join(parts, ", "), rest, closed
}

// argumentsOf are those of a call, one by one.
func argumentsOf(text string) (parts []string, rest string, closed bool) {
	depth, begin := 0, 1
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ',' && depth == 1:
			parts, begin = append(parts, strings.TrimSpace(text[begin:i])), i+1
		case c == ')' || c == ']' || c == '}':
			if depth--; depth == 0 {
				if last := strings.TrimSpace(text[begin:i]); last != "" || len(parts) > 0 {
					parts = append(parts, last)
				}
				return parts, text[i+1:], true
			}
		}
	}
	return []string{strings.TrimSpace(text[min(1, len(text)):])}, "", false
}

// regularExpression explains one between slashes.
func regularExpression(e syntaxError) (string, string) {
	m := slashes().FindStringSubmatch(e.line)
	if m == nil {
		return "", ""
	}
	written := strings.NewReplacer(`\/`, "/", ".*", "*", ".+", "*", `\d+`, "*", `\w+`, "*", `[^/]+`, "*").Replace(m[2])
	written = strings.TrimSuffix(strings.TrimPrefix(written, "^"), "$")
	if m[1] == "path" && !strings.HasPrefix(written, "/") {
		written = cmp.Or("/"+written, "/")
	}
	if strings.ContainsAny(written, `\()[]{}+?|^$`) {
		return summaryPattern, "Nothing is written between slashes. In the strings of a match, * stands for any run of characters, as in \"/orders/*\"; elsewhere a text is compared with regexmatch(pattern, text), the pattern in quotes."
	}
	return summaryPattern, fmt.Sprintf("Nothing is written between slashes. In the strings of a match, * stands for any run of characters: `%s = %q`. Elsewhere a text is compared with regexmatch(pattern, text), the pattern in quotes.", m[1], written)
}

var slashes = pattern.New(`\b([A-Za-z_][\w-]*)\s*[=:]\s*/((?:\\.|[^/\\])+)/[a-z]*\s*[,}]?`)
