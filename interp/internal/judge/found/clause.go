package found

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// clauses begin the parts of a statement in which a column may stand.
var clauses = pattern.New(`(?i)\b(select|from|on|where|set|group\s+by|having|order\s+by|values|returning)\b`)

// column is a name that is no keyword of these.
var column = pattern.New(`(?i)^[a-z_][a-z0-9_]+$`)

// clausesOf are the parts of a statement in which a column stands, in their order: none where a text
// is no statement, or what is sought no name.
func clausesOf(text, what string) (list []string) {
	if !column().MatchString(what) || clauses().MatchString(what) || !isStatement(text) {
		return nil
	}
	begins, n := clauses().FindAllStringIndex(text, -1), 0
	for at := range occurrences(text, what) {
		for n < len(begins) && begins[n][1] <= at {
			n++
		}
		end := at + len(what)
		if at > 0 && isIdentifier(text[at-1]) || end < len(text) && (isIdentifier(text[end]) || text[end] == '.') {
			continue
		}
		if n == 0 {
			continue
		}
		if clause := strings.ToUpper(text[begins[n-1][0]:begins[n-1][1]]); !slices.Contains(list, clause) {
			list = append(list, clause)
		}
	}
	return list
}

func isStatement(text string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return slices.Contains([]string{"select", "update", "delete", "insert", "with"}, strings.ToLower(word))
}
