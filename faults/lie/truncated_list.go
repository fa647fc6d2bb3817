package lie

import (
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

// TruncatedList loses the end of a list.
var TruncatedList = &Lie{
	Name:       "truncated_list",
	Summary:    "A well-formed answer whose list ends too early, or is empty: the rows of a statement, the lists of an answer of JSON that lie in no other list, the tool calls of a model that says nothing else, the pieces of a stream over HTTP. Counts that stand beside a list stay.",
	AlsoCalled: []string{"short_list", "empty_list", "missing_rows", "truncate_list"},
	For:        everywhere,
	Attrs: []schema.Attr{
		{Name: "keep", Type: schema.Int, Min: 0, HasMin: true, Doc: "How many elements stay, at most: 0 leaves an empty list. Default: half of them, rounded down."},
		{Name: "fields", Type: schema.Strings, Doc: "The names of the lists that are cut. Default: all that lie in no other list. The rows of a statement have no name."},
	},
	Example: "keep = 1",
	Tried:   []schema.Values{{}, {"keep": 0}},
	Tell:    truncate,
}

func truncate(args schema.Values, c *Content) error {
	fields := names(args, "fields")
	cut := 0
	for _, doc := range c.Documents {
		cut += cutLists(doc, args, fields)
	}
	if n := c.List; n != nil && cut == 0 && len(fields) == 0 {
		if keep := kept(args, n.Len); keep < n.Len {
			n.Cut(keep)
			cut++
		}
	}
	switch {
	case cut > 0:
		return nil
	case c.List != nil && c.List.Len > 0 || len(fields) > 0 || args["keep"] != nil:
		return Powerless("no list of the answer is longer than it may stay")
	}
	return Powerless("the answer holds no list that could be cut")
}

// kept is how many of n elements stay.
func kept(args schema.Values, n int) int {
	switch keep := args["keep"].(type) {
	case int:
		return min(keep, n)
	case float64:
		return min(int(keep), n)
	}
	return n / 2
}

// cutLists cuts the lists of a document and returns how many.
func cutLists(doc *string, args schema.Values, fields []string) int {
	spans, err := Scan(*doc)
	if err != nil {
		return 0
	}
	var edits []Edit
	for i := range spans {
		s := &spans[i]
		wanted := s.Lists == 0
		if len(fields) > 0 {
			wanted = len(s.Path) > 0 && slices.Contains(fields, s.Path[len(s.Path)-1])
		}
		if s.Kind != '[' || !wanted || len(edits) > 0 && s.Start < edits[len(edits)-1].End {
			continue
		}
		keep := kept(args, len(s.Elements))
		if keep == len(s.Elements) {
			continue
		}
		from := s.Elements[0][0]
		if keep > 0 {
			from = s.Elements[keep-1][1]
		}
		edits = append(edits, Edit{from, s.Elements[len(s.Elements)-1][1], ""})
	}
	*doc = Splice(*doc, edits)
	return len(edits)
}
