package sql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// tagOf is how the server reports what a statement did: its command and, for
// one that counts, the number of rows.
func tagOf(query string, out providers.Output) string {
	verb, n := Verb(query), len(out.Rows)
	if out.Affected != nil {
		n = *out.Affected
	}
	switch verb {
	case "INSERT":
		return "INSERT 0 " + strconv.Itoa(n)
	case "SELECT", "UPDATE", "DELETE", "MERGE", "FETCH", "MOVE", "COPY":
		return verb + " " + strconv.Itoa(n)
	case "SHOW", "EXPLAIN", "CALL":
		return verb
	case "TRUNCATE", "LOCK":
		return verb + " TABLE"
	}
	switch {
	case out.Rows != nil:
		return "SELECT " + strconv.Itoa(n)
	case out.Affected != nil:
		return "UPDATE " + strconv.Itoa(n)
	case slices.Contains([]string{"CREATE", "DROP", "ALTER"}, verb):
		return verb + " " + objectOf(query)
	default:
		return verb
	}
}

// objectOf is the kind of thing that a statement creates, drops or alters: the
// second word that is no adjective of it.
func objectOf(query string) string {
	words := strings.FieldsFunc(strings.ToUpper(query), func(r rune) bool { return r < 'A' || r > 'Z' })
	verb := Verb(query)
	words = words[slices.Index(words, verb)+1:]
	for _, w := range words {
		if !slices.Contains([]string{"OR", "REPLACE", "UNIQUE", "TEMP", "TEMPORARY", "LOCAL", "GLOBAL", "UNLOGGED", "RECURSIVE"}, w) {
			return w
		}
	}
	return ""
}
