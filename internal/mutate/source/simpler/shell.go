package simpler

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// remainder is one of a name or of what a command gives, in $((…)).
	remainder = pattern.New(`\$\(\(\s*(\$\([^()\n]{1,200}\)|\$?[A-Za-z_][A-Za-z0-9_]*)\s*%`)
	// summing are commands that make a number of a text.
	summing = pattern.New(`cksum|md5sum|sha[0-9]*sum|openssl|shasum|\bsum\b|\bhash`)
)

// script counts where a script takes the remainder of a sum of a text: $(( $(printf %s "$c" | cksum) % 3 )).
func (f *finder) script() {
	for _, m := range remainder().FindAllStringSubmatchIndex(f.Text, 4*mostOfKind) {
		of := f.Text[m[2]:m[3]]
		if f.comment(m[0]) {
			continue
		}
		summed := of
		if !strings.HasPrefix(of, "$(") {
			name := strings.TrimPrefix(of, "$") + "=$("
			at := strings.LastIndex(f.Text[max(m[0]-4096, 0):m[0]], name)
			if at < 0 {
				continue
			}
			summed = f.Text[max(m[0]-4096, 0)+at:]
			summed, _, _ = strings.Cut(summed, "\n")
		}
		if !summing().MatchString(summed) {
			continue
		}
		f.turns++
		name := fmt.Sprintf("turn%d", f.turns)
		f.Add(m[2], m[3], "("+name+" = ${"+name+":--1} + 1)", "`"+short(of, 44)+"` counts 0, 1, 2, and so on")
	}
}
