package mutate

import (
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// A form is what one would have in the place of a function without knowing it: $1 and so on are its arguments, and $* is
// all of them. Shown is how it is told, the form itself where that is "".
type form struct{ to, shown string }

// plainForms are the forms of functions, of as many arguments as the highest number in them. What a function is left out of
// as a whole, and what is taken for it, is said by weakened and by instead.
var plainForms = sync.OnceValue(func() map[string][]form {
	rows := `split("\n", chomp(replace($1, "\r", "")))`
	return map[string][]form{
		"csvdecode":       {{fmt.Sprintf(`[for row in slice(%s, 1, length(%[1]s)) : { for place, name in split(",", %[1]s[0]) : name => try(split(",", row)[place], "") }]`, rows), "split at lines and commas"}},
		"yamldecode":      {{"jsondecode($1)", ""}},
		"base64encode":    {{"$1", ""}},
		"base64decode":    {{"$1", ""}},
		"urlencode":       {{"$1", ""}},
		"sha256":          {{"$1", ""}},
		"uuidv5":          {{"$2", ""}},
		"indent":          {{"$2", ""}},
		"timeadd":         {{"$1", ""}},
		"ms":              {{`tonumber(regex("[0-9.]+", $1)) * 1000`, "its number, in seconds"}},
		"split":           {{"[$2]", ""}},
		"join":            {{`try(($2)[0], "")`, "the first only"}},
		"regex":           {{"reverse(regexall($1, $2))[0]", "the last match"}},
		"regexall":        {{"[for place, member in regexall($1, $2) : member if place == 0]", "the first match only"}},
		"word":            {{"strcontains(lower($1), lower($2))", ""}},
		"similarity":      {{"($1 == $2 ? 1 : 0)", "whether they are equal"}},
		"bca":             {{"sum($1) / length($1)", "the mean"}},
		"sum":             {{"try(($1)[0], 0)", "the first only"}},
		"signum":          {{"$1", ""}},
		"pow":             {{"($1) * ($2)", ""}},
		"log":             {{"($1) / ($2)", ""}},
		"approx":          {{"($1) == ($2)", ""}},
		"alltrue":         {{"anytrue($1)", ""}},
		"anytrue":         {{"alltrue($1)", ""}},
		"toset":           {{"$1", ""}},
		"setunion":        {{"concat($*)", ""}},
		"flatten":         {{"concat(($1)...)", "one level"}},
		"lookup":          {{"try(values($1)[0], null)", "always the first"}},
		"index":           {{"0 * index($1, $2)", "always the first"}},
		"element":         {{"($1)[0]", ""}},
		"concat":          {{"$2", ""}},
		"setintersection": {{"$2", ""}},
		"zipmap":          {{"zipmap(sort($1), $2)", ""}},
	}
})

// plainly puts the plain forms of a function in its place.
func (s *site) plainly(a *dsl.Attr, x *hclsyntax.FunctionCallExpr, put putter) {
	if x.ExpandFinal || len(x.Args) == 0 || s.seldom(x) {
		return
	}
	for _, f := range plainForms()[x.Name] {
		var swap, all []string
		for i, arg := range x.Args {
			text := s.source(arg.Range())
			all = append(all, text)
			swap = append(swap, fmt.Sprintf("$%d", i+1), text)
		}
		to := strings.NewReplacer(append(swap, "$*", strings.Join(all, ", "))...).Replace(f.to)
		if !strings.Contains(f.to, "$*") && strings.Contains(f.to, fmt.Sprintf("$%d", len(x.Args)+1)) {
			continue // it has fewer arguments
		}
		shown := f.shown
		if shown == "" {
			shown = brief(to)
		}
		put(a, x.Range(), to, shown)
	}
}

// seldom reports whether hardly any data tells a call from its plain form: several phrases of word, and one in a rule of a
// taxonomy, where nearly every file would be told of it; numbers that are written; and a pattern that begins where the
// text does, which has one match.
func (s *site) seldom(x *hclsyntax.FunctionCallExpr) bool {
	switch x.Name {
	case "word":
		return len(x.Args) != 2 || s.Type == "detect"
	case "sum":
		return len(x.Args) == 1 && isWritten(x.Args[0])
	case "regex":
		v, written := dsl.Literal(x.Args[0])
		return written && isText(v) && strings.HasPrefix(v.AsString(), "^")
	}
	return false
}

// isWritten reports whether a list is written out.
func isWritten(e hclsyntax.Expression) bool {
	_, is := dsl.Bare(e).(*hclsyntax.TupleConsExpr)
	return is
}
