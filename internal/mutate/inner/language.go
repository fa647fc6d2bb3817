package inner

import (
	"regexp"
	"strings"
	"sync"
)

// looked bounds how much of a text is looked at to tell its language.
const looked = 2000

// Each is how a text begins, and what it has further on.
var (
	statements = sync.OnceValue(func() []*regexp.Regexp {
		return []*regexp.Regexp{
			regexp.MustCompile(`(?is)^select\s.*\sfrom\s`),
			regexp.MustCompile(`(?is)^(?:insert\s+(?:or\s+\w+\s+)?|insert\s+ignore\s+|replace\s+)into\s+\S+.*(?:values|select|set|default)\b`),
			regexp.MustCompile(`(?is)^update\s+(?:or\s+\w+\s+)?\S+\s+(?:as\s+\w+\s+|\w{1,3}\s+)?set\s+\S+\s*=`),
			regexp.MustCompile(`(?is)^delete\s+from\s+\S+`),
			regexp.MustCompile(`(?is)^with\s+(?:recursive\s+)?\S+\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s*)?\(`),
			regexp.MustCompile(`(?is)^create\s+(?:or\s+replace\s+)?(?:temp\s+|temporary\s+|unique\s+)*(?:table|index|view|trigger)\s+.*(?:\(|\sas\s|\sbegin\s)`),
			regexp.MustCompile(`(?is)^(?:pragma\s+[^;]*|begin(?:\s+\w+)*)\s*;\s*(?:create|insert|update|delete|select)\s`),
		}
	})
	// fragments are parts of a statement: their words are in capitals.
	fragments = sync.OnceValue(func() []*regexp.Regexp {
		return []*regexp.Regexp{
			regexp.MustCompile(`(?s)^(?:AND|OR|WHERE|HAVING)\s+.*(?:[=<>?]|\b(?:LIKE|IN|IS|BETWEEN|EXISTS)\b)`),
			regexp.MustCompile(`(?s)^(?:ORDER|GROUP)\s+BY\s+[\w."]+`),
			regexp.MustCompile(`(?s)^(?:(?:LEFT|INNER)\s+)?JOIN\s+\S+.*\s(?:ON|USING)\b`),
			regexp.MustCompile(`(?s)^LIMIT\s+(?:\d|\?|\$\d|:|%)`),
			regexp.MustCompile(`(?s)^ON\s+CONFLICT\b`),
		}
	})
	// selects is a SELECT without FROM in which something is asked for.
	selects = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^SELECT\s+(?:\w+\(|\d|\?|EXISTS|CASE\b)`)
	})
	pipes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:^|[|(\[{,;:]\s*)` +
			`(?:select|map|map_values|sort_by|group_by|unique_by|min_by|max_by|with_entries|gsub|sub|test|startswith|limit)\(|` +
			`\|\s*(?:to_entries|from_entries|length|add|first|last|keys|not|tonumber|tostring|floor|sort|unique|reverse|join\()`)
	})
	jqBegins = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\.(?:[\w\["|\s]|$)|[\[{(]\s*\.|\.?\[|map\(|to_entries|group_by\(|sort_by\(|with_entries\(|\(\.)`)
	})
	fields = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\$(?:\d|NF)|\b(?:NR|NF|FS|OFS)\b`)
	})
	actions = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^[^{}]*\{[^{}]*(?:\bprintf?\b|\+=|\+\+)[^{}]*\}`)
	})
)

// Language is the language of a text: "sql", "jq" or "awk", and "" for all others. What
// a text is given to, such as the command jq, says it better.
func Language(text string) string {
	s := strings.TrimSpace(text[:min(len(text), looked)])
	for strings.HasPrefix(s, "--") { // comments before a statement
		_, rest, found := strings.Cut(s, "\n")
		if !found {
			return ""
		}
		s = strings.TrimSpace(rest)
	}
	if len(s) < 6 {
		return ""
	}
	switch s[0] | 0x20 {
	case 's', 'i', 'u', 'd', 'w', 'c', 'p', 'b', 'r', 'a', 'o', 'h', 'g', 'l', 'j':
		if sqlText(s) {
			return "sql"
		}
	}
	if jqBegins().MatchString(s) && pipes().MatchString(s) && !strings.Contains(s, "=>") && !strings.Contains(s, "${") && (&program{text: s}).reads(&filtersOfJQ().grammar) {
		return "jq"
	}
	if fields().MatchString(s) && actions().MatchString(s) && (&program{text: s}).reads(&scriptsOfAWK().grammar) {
		return "awk"
	}
	return ""
}

func (p *program) reads(g *grammar) bool { return p.read(g, 0, len(p.text)) }

// sqlText reports whether a text is SQL. Of one that is written in small letters, more
// has to be seen than that words stand in it which prose has, too.
func sqlText(s string) bool {
	for _, r := range statements() {
		if r.MatchString(s) {
			first, _, _ := strings.Cut(s, " ")
			first, _, _ = strings.Cut(first, "\n")
			return first == strings.ToUpper(first) || !prose(s)
		}
	}
	if selects().MatchString(s) {
		return true
	}
	for _, r := range fragments() {
		if r.MatchString(s) {
			return true
		}
	}
	return false
}

// prose reports whether a text looks like a sentence: it has no sign that statements
// have, or it ends as sentences do.
func prose(s string) bool {
	return !strings.ContainsAny(s, "=<>*(?,") || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.Contains(s, ". ") || strings.Contains(s, " the ")
}
