package taken

import (
	"fmt"
	"sync"
)

// A Form is what one would have in the place of a function without knowing it: $1 and so on are its arguments, and $* is
// all of them. Shown is how it is told, the form itself where that is "".
type Form struct{ To, Shown string }

// PlainForms are the forms of functions, of as many arguments as the highest number in them. What a function is left out of
// as a whole, and what is taken for it, is said elsewhere.
var PlainForms = sync.OnceValue(func() map[string][]Form {
	rows := `split("\n", chomp(replace($1, "\r", "")))`
	return map[string][]Form{
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
