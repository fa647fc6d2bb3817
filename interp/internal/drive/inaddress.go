package drive

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// InAddress says of a check that looks in what the program wrote for a letter, a digit, or two of them,
// that it holds of the address of a listener alone, which the program wrote as well; "" where none does.
func (r *Run) InAddress() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, reads := r.rejudges()
	if !reads {
		return ""
	}
	alone := output{r.addressesIn(r.Obs.Sut.Stdout), r.addressesIn(r.Obs.Sut.Stderr)}
	if alone == (output{}) {
		return ""
	}
	for _, a := range r.plan.Asserts {
		for _, short := range shortOnes(a.Condition) {
			written := alone
			if utf8.RuneCountInString(short) == 1 {
				written = output{anyPort(alone.stdout), anyPort(alone.stderr)}
			}
			if strings.Contains(written.stdout+written.stderr, short) && j.holds(a.Condition, written) && !j.holds(a.Condition, output{}) {
				return fmt.Sprintf("assert %q looks for %q in what the program wrote, which has the address of a listener, and such an address has that as well: %s.\nhint: look for more of what the program has to say, such as \"item %[2]s\"", a.Name, short, having(short, alone))
			}
		}
	}
	return ""
}

// ports are some that have each digit.
var ports = []string{"50246", "31789"}

// anyPort adds to addresses ports with other digits: those of this run are chance.
func anyPort(addresses string) string {
	if addresses == "" {
		return ""
	}
	return addresses + " :" + strings.Join(ports, " :")
}

// having is an address that has a text, with a port that is not that of this run where another one will
// do.
func having(short string, written output) string {
	for _, port := range ports {
		if a := "http://127.0.0.1:" + port; strings.Contains(a, short) {
			return a
		}
	}
	return strings.TrimSpace(written.stdout + " " + written.stderr)
}

// addressesIn are the addresses of listeners that a text has, each with its scheme where the text has
// that.
func (r *Run) addressesIn(text string) string {
	var list []string
	for _, at := range []map[string]string{r.at.URLs, r.at.DSNs} {
		for _, name := range read.SortedNames(at) {
			u, err := url.Parse(at[name])
			switch {
			case err != nil || u.Host == "":
			case strings.Contains(text, u.Scheme+"://"+u.Host):
				list = append(list, u.Scheme+"://"+u.Host)
			case strings.Contains(text, u.Host):
				list = append(list, u.Host)
			}
		}
	}
	return strings.Join(list, " ")
}

// shortOnes are the letters and digits, one or two, for which the functions look that an expression calls.
func shortOnes(e hclsyntax.Expression) (list []string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if !is || !slices.Contains([]string{"strcontains", "regexmatch", "regexall", "startswith", "endswith"}, f.Name) {
			return
		}
		for _, arg := range f.Args {
			if v, written := dsl.Literal(dsl.Bare(arg)); written && v.Type() == cty.String && !v.IsNull() && isShort(v.AsString()) {
				list = append(list, v.AsString())
			}
		}
	})
	return list
}

func isShort(text string) bool {
	n := utf8.RuneCountInString(text)
	return 0 < n && n <= 2 && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
