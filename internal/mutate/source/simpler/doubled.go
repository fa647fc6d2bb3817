package simpler

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// arithmetic is the operator of what grows by the same in each round.
const arithmetic = "arithmetic"

// doubled lets what doubles grow by the same each time: 2 ** n is n + 1, which begins as the powers from 0 do, and
// 2 * n, which begins as those from 1; delay *= 2 adds what it began with.
func (f *finder) doubled() {
	for i := range f.Len() {
		if f.Quiet(i) {
			continue
		}
		switch f.At(i) {
		case "**":
			f.power(i-1, i, "2")
		case "<<":
			f.power(i-1, i, "1")
		case "(":
			name := f.At(i - 1)
			if a := f.callOf(i); len(a) == 2 && (name == "pow" || name == "Pow") && f.Slice(a[0][0], a[0][1]) == "2" && !f.fixed(a[1][0], a[1][1]) {
				f.linear(f.Chain(i-1), f.Mate(i)+1, f.Slice(a[1][0], a[1][1]))
			}
		case "*=":
			if f.At(i+1) == "2" && f.Around(i) >= 0 && f.upTo(f.Around(i)) <= i+2 {
				if first := f.began(i); first != "" {
					from, to := f.Bytes(i, i+2)
					a, _ := f.Bytes(f.Statement(f.Around(i)).First, i)
					f.Add(from, to, "+= "+first, "`"+short(f.Text[a:to], 36)+"` → `+= "+short(first, 28)+"`")
				}
			}
		case "*":
			if f.At(i+1) == "2" && f.Word(i-1) && f.At(i+2) != "**" && f.At(i-2) != "*" && f.At(i-2) != "/" {
				if first := f.began(i); first != "" {
					a, _ := f.Bytes(f.Chain(i-1), i)
					_, to := f.Bytes(i, i+2)
					f.Add(a, to, "("+f.Text[a : to-1][:len(strings.TrimRight(f.Text[a:to-1], " *"))]+" + "+first+")", "`"+short(f.Text[a:to], 36)+"` → `+ "+short(first, 28)+"`")
				}
			}
		}
	}
}

// upTo is the end of a statement, without the sign at it.
func (f *finder) upTo(n int) int {
	last := f.Statement(n).Last
	if f.At(last-1) == ";" {
		last--
	}
	return last
}

// callOf are the arguments of a call, nil where a bracket is of none.
func (f *finder) callOf(open int) [][2]int {
	if !f.call(open) {
		return nil
	}
	return f.Args(open)
}

// power lets one of 2 be linear, which is written with a base and a sign.
func (f *finder) power(base, sign int, of string) {
	switch before := f.At(base - 1); { // x * 2 ** n is x * (2 ** n), and x * 1 << n is not
	case f.At(base) != of, before == ".", of == "1" && (before == "*" || before == "/" || before == "+" || before == "-"):
		return
	}
	if end := f.end(sign + 1); !f.fixed(sign+1, end) {
		f.linear(base, end, f.Wrapped(sign+1, end))
	}
}

// fixed reports whether tokens are one number, or are what Go counts constants with.
func (f *finder) fixed(first, last int) bool {
	s := f.Slice(first, last)
	return s == "" || s == "iota" || last-first == 1 && s[0] >= '0' && s[0] <= '9'
}

func (f *finder) linear(first, last int, n string) {
	from, to := f.Bytes(first, last)
	for _, with := range []string{"(" + n + " + 1)", "(2 * " + n + ")"} {
		f.Add(from, to, with, "`"+short(f.Text[from:to], 36)+"` → `"+short(with, 36)+"`")
	}
}

// began is what a name began with that is doubled at a sign and put back, "" where nothing says that.
func (f *finder) began(sign int) string {
	n := f.Around(sign)
	if n < 0 {
		return ""
	}
	names, _ := f.Assigned(n)
	name := f.Slice(f.Chain(sign-1), sign)
	if f.At(sign) == "*=" {
		names = []string{name}
	}
	if len(names) != 1 || names[0] != name || f.turned >= mostAsides {
		return ""
	}
	f.turned++
	for m := n - 1; m >= 0 && m > n-mostNear; m-- {
		s := f.Statement(m)
		others, at := f.Assigned(m)
		if at < 0 || len(others) == 0 || others[len(others)-1] != name || f.At(at-1) != name || f.At(at-2) == "," || at+1 >= s.Last || f.At(at) != "=" && f.At(at) != ":=" {
			continue
		}
		last := f.upTo(m)
		if first := f.Slice(at+1, last); len(first) < 60 && !strings.Contains(first, "(") && !strings.Contains(first, name) {
			return f.Wrapped(at+1, last)
		}
		return ""
	}
	return ""
}

var (
	// powers are those of 2 in $((…)), and doubling is a name that is doubled there and put back.
	powers   = pattern.New(`\$\(\(([^()\n]{0,40}?)(?:\b2 ?\*\* ?|\b1 ?<< ?)(\$?[A-Za-z_][A-Za-z0-9_]*|\([^()\n]{1,40}\))`)
	doubling = pattern.New(`\b([A-Za-z_][A-Za-z0-9_]*)=\$\(\( ?\$?([A-Za-z_][A-Za-z0-9_]*) ?(\* ?2) ?\)\)`)
	begun    = pattern.New(`(?:^|[\s;])([A-Za-z_][A-Za-z0-9_]*)=([0-9]{1,9})(?:[\s;]|$)`)
)

// doubledInScript does so in a script: $((2 ** n)), delay=$((delay * 2)).
func (f *finder) doubledInScript() {
	for _, m := range powers().FindAllStringSubmatchIndex(f.Text, 4*mostOfKind) {
		if !f.comment(m[0]) {
			n, from, to := f.Text[m[4]:m[5]], m[3], m[5]
			for _, with := range []string{"(" + n + " + 1)", "(2 * " + n + ")"} {
				f.Add(from, to, with, "`"+short(f.Text[from:to], 36)+"` → `"+short(with, 36)+"`")
			}
		}
	}
	var first map[string]string
	for _, m := range doubling().FindAllStringSubmatchIndex(f.Text, 4*mostOfKind) {
		name := f.Text[m[2]:m[3]]
		if f.comment(m[0]) || name != f.Text[m[4]:m[5]] {
			continue
		}
		if first == nil {
			first = map[string]string{}
			for _, b := range begun().FindAllStringSubmatch(f.Text, mostAsides) {
				if first[b[1]] == "" {
					first[b[1]] = b[2]
				}
			}
		}
		if first[name] != "" {
			f.Add(m[6], m[7], "+ "+first[name], "`"+short(f.Text[m[0]:m[1]], 40)+"` → `+ "+first[name]+"`")
		}
	}
}

// comment reports whether a byte of a script stands in a line that is a comment.
func (f *finder) comment(at int) bool {
	begin := strings.LastIndexByte(f.Text[:at], '\n') + 1
	return strings.HasPrefix(strings.TrimSpace(f.Text[begin:at]), "#")
}
