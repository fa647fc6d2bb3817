package coverage

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/faults"
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageText string

// PageStart is how every page begins, so that a page may be written over another and
// over nothing else.
const PageStart = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Coverage of failures</title>"

// pageTemplate hides nothing and runs nothing: what files say is text in it.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("coverage").Parse(pageText))
})

type (
	page struct {
		Style  template.CSS
		Count  string
		Groups []pageGroup
		Tables []pageTable
	}
	pageGroup struct{ Name, What string }
	pageTable struct {
		Title, Place, Count, Scenarios string
		Rows                           []pageRow
		Policies                       []pagePolicy
		Never                          []string
	}
	pageRow struct {
		ID, Address, Place string
		Guarded            bool
		Cells              []pageCell
		Kinds              []pageKind
		By                 []pageEvidence
	}
	pageCell struct{ State, Sign, Title string }
	pageKind struct{ State, Sign, Name, Link string }
	pageUse  struct {
		Name, Sign string
		Seen       bool
	}
	pagePolicy struct {
		Name string
		Uses []pageUse
	}
	pageEvidence struct{ ID, What, Scenario, Place, Checks string }
)

// groupText says what a group is, for who points at its column.
var groupText = map[faults.Group]string{
	faults.GroupConnection: "no connection, or a reset",
	faults.GroupHang:       "silence",
	faults.GroupRateLimit:  "429: come later",
	faults.GroupServer:     "an error of the service",
	faults.GroupClient:     "a request that is refused",
	faults.GroupGarbled:    "an answer that cannot be read",
	faults.GroupCut:        "half an answer",
	faults.GroupWrong:      "well-formed, and not what was asked for",
	faults.GroupLate:       "an answer that takes long",
	faults.GroupOwn:        "what only MCP, databases and actors have",
}

// WriteHTML writes one page that needs nothing else: no script, no second file.
func WriteHTML(w io.Writer, tables []*Table) error {
	p := page{Style: template.CSS(pageStyle), Count: CountOf(tables...).String()}
	for _, g := range faults.Groups() {
		p.Groups = append(p.Groups, pageGroup{string(g), groupText[g]})
	}
	ids := 0
	id := func(letter string) string {
		ids++
		return letter + strconv.Itoa(ids)
	}
	for _, t := range tables {
		p.Tables = append(p.Tables, t.page(id))
	}
	return pageTemplate().Execute(w, p)
}

func (t *Table) page(id func(letter string) string) pageTable {
	title, place, _ := strings.Cut(t.title(), "  ")
	out := pageTable{Title: title, Place: place, Count: CountOf(t).String(), Scenarios: plural(t.Scenarios, "scenario")}
	for _, r := range t.Rows {
		out.Rows = append(out.Rows, r.page(id))
	}
	for i := range t.Policies {
		p := pagePolicy{Name: policyName(&t.Policies[i])}
		for _, u := range t.Policies[i].Uses {
			use := pageUse{u.Name, signs[Open], u.Seen}
			if u.Seen {
				use.Sign = signs[Checked]
			}
			p.Uses = append(p.Uses, use)
		}
		out.Policies = append(out.Policies, p)
	}
	for _, p := range t.Unreached {
		out.Never = append(out.Never, fmt.Sprintf("%s  %s:%d", p.What, p.Range.Filename, p.Range.Start.Line))
	}
	for _, c := range t.Idle {
		out.Never = append(out.Never, fmt.Sprintf("invariant %q  %s:%d", c.Name, c.Range.Filename, c.Range.Start.Line))
	}
	return out
}

func (r *Row) page(id func(letter string) string) pageRow {
	out := pageRow{ID: id("a"), Address: r.Address, Place: fmt.Sprintf("%s:%d", r.File, r.Line), Guarded: r.Guarded}
	first, states := map[string]string{}, map[string]State{}
	for _, c := range r.Cells {
		out.Cells = append(out.Cells, pageCell{string(c.State), strings.TrimSpace(signs[c.State]), fmt.Sprintf("%s, %s: %s", r.Address, c.Group, c.State)})
		for _, e := range c.By {
			by := pageEvidence{ID: id("e"), What: e.Kind, Scenario: e.Scenario, Place: e.place(), Checks: e.noticed()}
			if e.Kind == "" {
				by.What = string(c.Group) + ", by an answer"
			} else if states[e.Kind] != Checked {
				states[e.Kind] = Met
			}
			if len(e.Checks) > 0 {
				states[e.Kind] = Checked
			}
			if first[e.Kind] == "" {
				first[e.Kind] = by.ID
			}
			out.By = append(out.By, by)
		}
	}
	for _, k := range r.Kinds {
		state := states[k.Name]
		if state == "" {
			state = Open
		}
		out.Kinds = append(out.Kinds, pageKind{string(state), signs[state], k.Name, first[k.Name]})
	}
	slices.SortStableFunc(out.Kinds, func(a, b pageKind) int { // what is met is seen without scrolling
		return cmp.Compare(min(1, len(b.Link)), min(1, len(a.Link)))
	})
	return out
}

// place says where the scenario is, and which of its lines strike.
func (e *Evidence) place() string {
	text := fmt.Sprintf("%s:%d", e.File, e.Line)
	for i, n := range e.Lines {
		switch i {
		case 0:
			text += ", line "
		default:
			text += ", "
		}
		text += strconv.Itoa(n)
	}
	return text
}

// noticed says which checks notice it.
func (e *Evidence) noticed() string {
	var list []string
	for _, c := range e.Checks {
		list = append(list, fmt.Sprintf("%s %q", c.Kind, c.Name))
	}
	return strings.Join(list, ", ")
}
