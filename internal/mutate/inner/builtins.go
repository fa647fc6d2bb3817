package inner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// formsOfJQ are what one would have in the place of a function of jq without knowing it, by its name and how many
// arguments it has: $1 and so on are these. Functions that are left out as a stage, or taken for another one, are in
// filtersOfJQ.
var formsOfJQ = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"../0":             "(., .[]?)",
		"recurse/0":        "(., .[]?)",
		"recurse/1":        "(., ($1))",
		"recurse/2":        "(., ($1))",
		"walk/1":           "($1)",
		"repeat/1":         "(., ($1))",
		"until/2":          "($2)",
		"while/2":          "(., ($2))",
		"group_by/1":       "[.]",
		"unique_by/1":      "unique",
		"add/0":            ".[0]",
		"add/1":            "first($1)",
		"join/1":           "(.[0] // \"\" | tostring)",
		"split/1":          "[.]",
		"split/2":          "[.]",
		"splits/1":         ".",
		"splits/2":         ".",
		"contains/1":       "(. == ($1))",
		"inside/1":         "(. == ($1))",
		"IN/1":             "(. == first($1))",
		"IN/2":             "(first($1) == first($2))",
		"has/1":            "(.[$1] != null)",
		"in/1":             "(. as $key | ($1)[$key] != null)",
		"index/1":          "rindex($1)",
		"rindex/1":         "index($1)",
		"indices/1":        "[index($1)]",
		"limit/2":          "($2)",
		"INDEX/1":          "(reverse | INDEX($1))",
		"from_entries/0":   "(reverse | from_entries)",
		"first/1":          "last($1)",
		"last/1":           "first($1)",
		"nth/1":            "first",
		"nth/2":            "first($2)",
		"skip/2":           "($2)",
		"flatten/0":        "flatten(1)",
		"flatten/1":        ".",
		"paths/0":          "(keys[] | [.])",
		"paths/1":          "paths",
		"tojson/0":         "tostring",
		"utf8bytelength/0": "length",
		"bsearch/1":        "(index($1) // -1)",
		"scan/1":           "first(scan($1))",
		"scan/2":           "first(scan($1; $2))",
		"del/1":            ".",
		"pick/1":           ".",
		"min_by/1":         "first",
		"max_by/1":         "last",
		"values/0":         ".",
		"nulls/0":          ".",
		"booleans/0":       ".",
		"numbers/0":        ".",
		"strings/0":        ".",
		"arrays/0":         ".",
		"objects/0":        ".",
		"iterables/0":      ".",
		"scalars/0":        ".",
		"finites/0":        ".",
		"normals/0":        ".",
		"toboolean/0":      ".",
		"todate/0":         ".",
		"@csv/0":           "(map(tostring) | join(\",\"))",
		"@tsv/0":           "(map(tostring) | join(\"\\t\"))",
		"@json/0":          "tostring",
		"@text/0":          ".",
		"@html/0":          "tostring",
		"@uri/0":           "tostring",
		"@sh/0":            "tostring",
		"@base64/0":        "tostring",
		"@base64d/0":       ".",
	}
})

// called is a function of jq at a part of a level: its name, the arguments that it has, and where it ends.
func (p *program) called(own level, k int) (name string, args []string, from, to int) {
	i := own[k]
	t := p.tokens[i]
	from, to = t.From, t.To
	switch name = p.text[t.From:t.To]; {
	case t.Kind == sign && name == "..":
		return name, nil, from, to
	case t.Kind != word || p.grammar.keywords[t.Name] || name == "" || strings.ContainsAny(name[:1], ".$") || strings.Contains(name, "::"):
		return "", nil, 0, 0
	case k > 0 && (p.is(own[k-1], "def") || p.is(own[k-1], "label") || p.is(own[k-1], "break")):
		return "", nil, 0, 0
	}
	switch name {
	case "true", "false", "null", "if", "end", "break":
		return "", nil, 0, 0
	}
	if from > 0 && p.text[from-1] == '@' {
		if p.kindAt(i+1) == text {
			return "", nil, 0, 0 // what is put into that text is written so
		}
		name, from = "@"+name, from-1
	} else if p.isSign(i+1, ":") {
		return "", nil, 0, 0 // the name of a member
	}
	if up := t.Up; up >= 0 && p.at(up) == "{" && (k == 0 || p.isSign(own[k-1], ",")) && !strings.HasPrefix(name, "@") {
		return "", nil, 0, 0 // a member and its name
	}
	if k+1 < len(own) && p.at(own[k+1]) == "(" && p.tokens[own[k+1]].From == t.To {
		open := p.tokens[own[k+1]]
		start := open.To
		depth := 0
		for j := own[k+1] + 1; j < open.Mate; j++ {
			switch p.kindAt(j) {
			case opening:
				depth++
			case closing:
				depth--
			case sign:
				if depth == 0 && p.at(j) == ";" {
					args = append(args, p.text[start:p.tokens[j].From])
					start = p.tokens[j].To
				}
			}
		}
		args = append(args, p.text[start:p.tokens[open.Mate].From])
		to = p.tokens[open.Mate].To
	}
	return name, args, from, to
}

// formed puts in the place of a function what one has without it, and of one that is a stage but stands with more its
// input.
func (p *program) formed(d *filters, own level, k int) {
	name, args, from, to := p.called(own, k)
	if name == "" || p.def(name) {
		return
	}
	form, known := formsOfJQ()[fmt.Sprintf("%s/%d", name, len(args))]
	if !known {
		next := k + 1
		if len(args) > 0 {
			next++
		}
		if !d.stages[name] || !p.touching(own, next) || name == "not" {
			return
		}
		form = "." // such as unique[0]
	}
	swap := make([]string, 0, 2*len(args))
	for i, arg := range args {
		swap = append(swap, fmt.Sprintf("$%d", i+1), strings.TrimSpace(arg))
	}
	with := strings.NewReplacer(swap...).Replace(form)
	p.add("call", from, to, with, Instead(p.text[from:to], with))
}

// def reports whether the program defines a function of a name itself, or an argument of one.
func (p *program) def(name string) bool {
	if p.defined == nil {
		p.defined = map[string]bool{}
		for i := range p.tokens {
			if !p.is(i, "def") {
				continue
			}
			for j := i + 1; j < len(p.tokens) && !p.isSign(j, ":"); j++ {
				p.defined[p.at(j)] = true
			}
		}
	}
	return p.defined[name]
}

// sorting is what orders the elements that reduce goes over.
var sorting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s*\|\s*(?:sort_by\([^()]*\)|sort|reverse)`)
})

// reduced takes the first of what has one key where reduce takes the last, with and without the order of the elements,
// and the last where it adds all.
func (p *program) reduced(own level, k int) {
	if !p.is(own[k], "reduce") {
		return
	}
	as := k + 1
	for as < len(own) && !p.is(own[as], "as") {
		as++
	}
	if as+2 >= len(own) || p.at(own[as+2]) != "(" || as == k+1 {
		return
	}
	open := own[as+2]
	end := p.tokens[open].Mate
	update, depth, sets := -1, 0, -1
	for j := open + 1; j < end; j++ {
		switch p.kindAt(j) {
		case opening:
			depth++
		case closing:
			depth--
		case sign:
			switch s := p.at(j); {
			case depth > 0:
			case s == ";":
				update = j
			case update >= 0 && sets < 0 && (s == "=" || s == "+="):
				sets = j
			}
		}
	}
	if sets < 0 {
		return
	}
	t := p.tokens[sets]
	from, to := p.tokens[update].To, p.tokens[end].From
	if p.at(sets) == "+=" {
		p.add("call", t.From, t.To, "=", Within(p.text, from, to, t.From, t.To, "="))
		return
	}
	p.add("call", t.From, t.To, "//=", Within(p.text, from, to, t.From, t.To, "//="))
	begin, stop := p.bytes(own, k+1, as)
	over := p.text[begin:stop]
	if plain := sorting().ReplaceAllString(over, ""); plain != over {
		p.add("together", begin, t.To, plain+p.text[stop:t.From]+"//=", "`"+Short(over, 36)+"` as it comes, and the first of each")
	}
}

// A Builtin is a function that a program of jq calls and that it does not define itself, and where its name stands.
type Builtin struct {
	Name     string
	From, To int
}

// Builtins are the functions that a program of jq calls, in the order in which they stand; none of a text that
// cannot be read. There is no select among them, whose condition is
// changed, and no reduce that is.
func Builtins(text string) []Builtin {
	if len(text) > limit {
		return nil
	}
	p := &program{text: text, seen: map[edit]bool{}}
	p.builtins(0, len(text), 0)
	return p.found
}

func (p *program) builtins(from, to, depth int) {
	d := filtersOfJQ()
	if depth > 5 || !p.read(&d.grammar, from, to) {
		return
	}
	var computed [][2]int
	for _, t := range p.tokens {
		if t.Kind == text {
			computed = append(computed, p.computedIn(d, t.From, t.To)...)
		}
	}
	p.groups(func(_ int, own []int) {
		for k := range own {
			if name, _, from, _ := p.called(own, k); name != "" && name != "select" && !p.def(name) {
				p.found = append(p.found, Builtin{name, from, from + len(name)})
			}
			before := len(p.changes)
			if p.reduced(own, k); (p.is(own[k], "reduce") || p.is(own[k], "foreach")) && len(p.changes) == before {
				t := p.tokens[own[k]]
				p.found = append(p.found, Builtin{t.Name, t.From, t.To})
			}
		}
	})
	for _, c := range computed {
		p.builtins(c[0], c[1], depth+1)
	}
	slices.SortStableFunc(p.found, func(a, b Builtin) int { return a.From - b.From })
}
