package places

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
)

// Of are the blocks of a file by their types, and by their types and kinds.
func Of(body *hclsyntax.Body) map[string]bool {
	all := map[string]bool{}
	var visit func(b *hclsyntax.Body)
	visit = func(b *hclsyntax.Body) {
		for _, n := range b.Blocks {
			all[n.Type] = true
			if len(n.Labels) > 0 {
				all[n.Type+" "+n.Labels[0]] = true
			}
			visit(n.Body)
		}
	}
	visit(body)
	return all
}

// mostHomes is how many types of blocks a message names for an attribute. A block with more
// than fewKinds such kinds is named by its type alone.
const mostHomes, fewKinds = 5, 5

// Names names blocks in short, each type once and those that the file has where it has
// any. It names none where there are too many to read.
func Names(all []*schema.Block, written map[string]bool) []string {
	found := slices.DeleteFunc(slices.Clone(all), func(s *schema.Block) bool {
		return !written[s.Type] || s.Kind != "" && !written[s.Type+" "+s.Kind]
	})
	if len(found) == 0 {
		found = all
	}
	kinds, most := map[string]int{}, map[string]int{}
	for _, s := range found {
		kinds[s.Type]++
	}
	for _, s := range all {
		most[s.Type]++
	}
	var names []string
	for _, s := range found {
		name := Describe(s)
		if kinds[s.Type] > 1 || most[s.Type] > fewKinds {
			name = s.Type
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > mostHomes {
		return nil
	}
	return names
}

// Takes reports whether a block has an attribute that may be set.
func Takes(s *schema.Block, name string) bool {
	a := s.Attr(name)
	return a != nil && !a.Refused
}

// Inside are the blocks in this one that take an attribute of that name. What is written
// in a step by mistake is mostly of a step of another kind, and not what a request must
// have.
func Inside(s *schema.Block, name string) (all []*schema.Block) {
	for _, n := range s.Blocks {
		if s.Type == "step" && n.Type == "match" {
			continue
		}
		for _, k := range append([]*schema.Block{n}, n.Kinds...) {
			if Takes(k, name) {
				all = append(all, k)
			}
		}
	}
	return all
}

// Holders are the types of the blocks in this one that take a block of that type.
// A file has none and a scenario has none: where a block of theirs belongs is said with
// the type that mostly holds it.
func Holders(s *schema.Block, typ string) []string {
	var types []string
	if s.Type == "" || s.Type == "scenario" {
		return nil
	}
	for _, n := range s.Blocks {
		takes := func(k *schema.Block) bool { return k.Block(typ) != nil }
		if takes(n) || slices.ContainsFunc(n.Kinds, takes) {
			types = append(types, n.Type)
		}
	}
	return types
}

// ValidIn says in which block a block of that type would be valid, "" when in none. path
// names s where its type does not, as for a file, and may be "".
func ValidIn(s *schema.Block, typ, path string) string {
	if s.Type != "" {
		path = Describe(s)
	}
	if s.Block(typ) != nil {
		if path == "" {
			return "the top level of a file"
		}
		return wording.WithArticle(path) + " block"
	}
	for _, k := range s.Kinds {
		if found := ValidIn(k, typ, path); found != "" {
			return found
		}
	}
	for _, n := range s.Blocks {
		if n.Type == s.Type {
			continue // a block that may contain its like
		}
		if found := ValidIn(n, typ, path); found != "" {
			return found
		}
	}
	return ""
}

// Describe names a block type in a message: `step "llm"`, retry.
func Describe(s *schema.Block) string {
	switch {
	case s.Type == "":
		return "file"
	case s.Kind != "":
		return fmt.Sprintf("%s %q", s.Type, s.Kind)
	}
	return s.Type
}

// Preposition is the word before a place that [ValidIn] names.
func Preposition(place string) string {
	if strings.HasPrefix(place, "the top") {
		return "at"
	}
	return "in"
}
