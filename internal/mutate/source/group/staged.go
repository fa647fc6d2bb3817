package group

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// moving is a statement of SQL that copies the rows of one table into another one.
	moving = pattern.New(`(?i)\b(INSERT\s+(?:OR\s+[A-Z]+\s+)?INTO|REPLACE\s+INTO)\s+([A-Z_]\w*)\s*(?:\([^()"']*\))?\s*SELECT\s[^"';]*?\bFROM\s+([A-Z_]\w*)[^"';]*`)
	// filling is the begin of one that gives a table a row, and emptying one that takes rows away.
	filling  = pattern.New(`(?i)\b(?:INSERT\s+(?:OR\s+[A-Z]+\s+)?INTO|REPLACE\s+INTO)\s+([A-Z_]\w*)`)
	emptying = pattern.New(`(?i)\b(?:DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?)\s+([A-Z_]\w*)[^"';]*`)
)

// nothing is a statement of SQL that changes nothing.
const nothing = "SELECT 1"

// mostMoves bounds how many such statements of a file are looked at.
const mostMoves = 8

// staged lets rows go into a table at once that are put into another one first, and copied from there when all are
// there: only a scenario in which something fails between them is red.
func (f *Finder) staged() {
	for _, m := range moving().FindAllStringSubmatchIndex(f.Text, mostMoves) {
		table, first := f.Text[m[4]:m[5]], f.Text[m[6]:m[7]]
		if strings.EqualFold(table, first) {
			continue
		}
		low, high := max(m[0]-f.Span, 0), min(m[1]+f.Span, len(f.Text))
		all := []Place{place(m[0], m[1], nothing)}
		for _, part := range [][2]int{{low, m[0]}, {m[1], high}} {
			near := f.Text[part[0]:part[1]]
			for _, into := range filling().FindAllStringSubmatchIndex(near, -1) {
				if strings.EqualFold(near[into[2]:into[3]], first) {
					all = append(all, place(part[0]+into[0], part[0]+into[1], f.Text[m[2]:m[3]]+" "+table))
				}
			}
		}
		if len(all) == 1 {
			continue
		}
		for _, part := range [][2]int{{low, m[0]}, {m[1], high}} {
			near := f.Text[part[0]:part[1]]
			for _, from := range emptying().FindAllStringSubmatchIndex(near, -1) {
				if strings.EqualFold(near[from[2]:from[3]], first) {
					all = append(all, place(part[0]+from[0], part[0]+from[1], nothing))
				}
			}
		}
		f.AtOnce(all, "`"+inner.Short(f.Text[m[0]:m[1]], 40)+"` left out, rows go into `"+inner.Short(table, 20)+"` at once")
	}
}
