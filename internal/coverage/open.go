package coverage

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/explore"
)

// WriteOpen writes the open cells alone, those in front of a retry, a breaker or a
// fallback first, each with a script that meets it.
func WriteOpen(w io.Writer, tables []*Table) error {
	type place struct {
		row  *Row
		cell *Cell
	}
	var list []place
	for _, t := range tables {
		for _, r := range t.Rows {
			for i := range r.Cells {
				if r.Cells[i].State == Open {
					list = append(list, place{r, &r.Cells[i]})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b place) int {
		return -cmp.Compare(number(a.row.Guarded), number(b.row.Guarded))
	})
	var b strings.Builder
	for _, p := range list {
		fmt.Fprintf(&b, "open  %s: %s  %s:%d\n", p.row.Address, p.cell.Group, p.row.File, p.row.Line)
		if script := p.row.script(p.cell.Group); script != "" {
			b.WriteString(indented(script))
		}
	}
	fmt.Fprintln(&b, CountOf(tables...))
	_, err := io.WriteString(w, b.String())
	return err
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// script meets a group at the address, "" where no fault does by itself.
func (r *Row) script(g faults.Group) string {
	t := commonest(g, func(k *faults.Kind) bool { return slices.Contains(r.Kinds, k) })
	if t == nil {
		return ""
	}
	file := hclwrite.NewEmptyFile()
	explore.AppendFault(file.Body().AppendNewBlock("on", []string{r.Address}).Body(), t.Kind, t.Args)
	return string(hclwrite.Format(file.Bytes()))
}

func indented(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return "      " + strings.Join(lines, "\n      ") + "\n"
}
