package inner

import (
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A put takes a change of a text: other bytes for those from a to b.
type put = func(a, b int, with string)

// place is one place of a format of printf: where its value is found, flags, width, precision, where its value is found
// in Go, and the kind of value.
var place = pattern.New(`%(\d+\$|\([^()%]*\)|<\w+>)?([-+ #0,'(]*)(\d*)(\.\d*)?(\[\d+\])?([a-zA-Z%])`)

// A Directive is one place of a format of printf.
type Directive struct {
	// From and To are its bytes.
	From, To int
	// Index says where its value is found, as At does in Go.
	Index, Flags, Width, Precision, At, Kind string
}

// String is the directive as it is written.
func (d Directive) String() string {
	return "%" + d.Index + d.Flags + d.Width + d.Precision + d.At + d.Kind
}

// Directives are the places of a format of printf, without %%.
func Directives(s string) []Directive {
	var list []Directive
	for _, m := range place().FindAllStringSubmatchIndex(s, -1) {
		part := func(n int) string { return s[max(m[2*n], 0):max(m[2*n+1], 0)] }
		if d := (Directive{m[0], m[1], part(1), part(2), part(3), part(4), part(5), part(6)}); d.Kind != "%" {
			list = append(list, d)
		}
	}
	return list
}

// Formats are the changes of a format of printf: a place loses its width with what fills it, its sign, its separator of
// thousands or its precision, or has as many significant digits. Any writes a value as the language does without a
// format: %v in Go, %s elsewhere.
func Formats(s, any string, put put) {
	for _, d := range Directives(s) {
		write := func(flags, width, precision, kind string) {
			put(d.From, d.To, "%"+d.Index+flags+width+precision+d.At+kind)
		}
		if d.Width != "" {
			write(drop(d.Flags, "-0"), "", d.Precision, d.Kind)
		}
		for _, some := range []string{"+ ", ",'"} {
			if strings.ContainsAny(d.Flags, some) {
				write(drop(d.Flags, some), d.Width, d.Precision, d.Kind)
			}
		}
		switch {
		case d.Precision == "":
		case d.Kind == "f" || d.Kind == "F":
			kept := "" // Java refuses all others of a value that is no number
			if d.Width != "" && strings.Contains(d.Flags, "-") {
				kept = "-"
			}
			write(kept, d.Width, "", any[1:])
			write(drop(d.Flags, "#"), d.Width, significant(d.Precision), "g")
		default:
			write(d.Flags, d.Width, "", d.Kind)
		}
	}
}

// drop is a text without some bytes.
func drop(s, some string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(some, r) {
			return -1
		}
		return r
	}, s)
}

// significant is the precision of which %g has as many digits as %f has for a number of two digits before the point.
func significant(precision string) string {
	n, _ := strconv.Atoi(precision[1:])
	return "." + strconv.Itoa(n+2)
}

// spec is what stands behind the colon in a Python format: fill and alignment, sign, other flags and a zero, width,
// separator of thousands, precision and kind.
var spec = pattern.New(`^((?s:.)?[<>=^])?([-+ ])?(z?#?)(0)?(\d*)([,_])?(\.\d+)?([a-zA-Z%])?$`)

// Specs are the changes of a format of Python such as `>8,.2f`, as those of [Formats] are.
func Specs(s string, put put) {
	m := spec().FindStringSubmatch(s)
	if m == nil || s == "" {
		if !strings.Contains(s, "{") {
			Times(s, put)
		} else {
			put(0, len(s), "")
		}
		return
	}
	align, sign, flags, zero, width, grouping, precision, kind := m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]
	write := func(parts ...string) { put(0, len(s), strings.Join(parts, "")) }
	if width != "" {
		write(sign, flags, grouping, precision, kind)
	}
	if sign == "+" || sign == " " {
		write(align, flags, zero, width, grouping, precision, kind)
	}
	if grouping != "" {
		write(align, sign, flags, zero, width, precision, kind)
	}
	switch {
	case precision == "":
	case kind == "f" || kind == "F":
		write(align, sign, zero, width, grouping)
		write(align, sign, zero, width, grouping, significant(precision), "g")
	default:
		write(align, sign, flags, zero, width, grouping, kind)
	}
}

// braces is one place of a text that Python's format fills, or a brace that is written twice.
var braces = pattern.New(`\{\{|\}\}|\{[^{}:!]*(?:![rsa])?(:([^{}]*))\}`)

// Braces are the changes of a text that Python's format fills.
func Braces(s string, put put) {
	for _, m := range braces().FindAllStringSubmatchIndex(s, -1) {
		if m[2] < 0 {
			continue
		}
		Specs(s[m[4]:m[5]], func(a, b int, with string) {
			if a == 0 && b == m[5]-m[4] && with == "" {
				put(m[2], m[3], "") // with the colon
				return
			}
			put(m[4]+a, m[4]+b, with)
		})
	}
}

// Decimals are the changes of a pattern of a number in Java: #,##0.00 without its comma, and without the zeros behind
// its point, or with such as are written only if they are needed.
func Decimals(s string, put put) {
	if at := strings.IndexByte(s, ','); at >= 0 {
		put(at, at+1, "")
	}
	if at := strings.LastIndex(s, ".0"); at >= 0 {
		end := at + 1
		for end < len(s) && s[end] == '0' {
			end++
		}
		put(at, end, "")
		put(at+1, end, strings.Repeat("#", end-at-1))
	}
}

var (
	// timed is one part of a format of strftime, or a sign that is written twice.
	timed = pattern.New(`%%|%[-_0^#:]*\d*[EO]?[a-zA-Z+]`)
	// layout is one part of a layout of a time in Go.
	layout = pattern.New(`2006|January|Jan|Monday|Mon|MST|Z07:00|Z0700|-07:00|-0700|01|02|_2|03|04|05(?:[.,](?:0+|9+))?|06|15|PM|pm`)
	// lettered is one part of a pattern of a time in Java, or a text in it.
	lettered = pattern.New(`'[^']*'|y+|u+|Y+|M+|L+|d+|D+|H+|h+|k+|K+|m+|s+|S+|E+|e+|a+|A+|n+|X+|x+|Z+|z+|V+|w+|W+|Q+`)
	// spelled is one part of a pattern of a time in SQL.
	spelled = pattern.New(`IYYY|YYYY|YY|(?i:month|mon|day|dy)|MM|DDD|DD|IW|HH24|HH12|HH|MI|SS|MS|US|[AP]M|TZ`)
)

// Times leave out one part of a format of strftime: %Y-%m-%d. Two that stand for several are the first of those.
func Times(s string, put put) {
	parts := timed().FindAllStringIndex(s, -1)
	for _, p := range parts {
		switch s[p[0]:p[1]] {
		case "%F":
			put(p[0], p[1], "%Y-%m")
		case "%T":
			put(p[0], p[1], "%H:%M")
		}
	}
	leftOut(s, parts, put)
}

// Layouts leave out one part of a layout of a time in Go: 2006-01-02.
func Layouts(s string, put put) { leftOut(s, layout().FindAllStringIndex(s, -1), put) }

// Letters leave out one part of a pattern of a time in Java: yyyy-MM-dd.
func Letters(s string, put put) { leftOut(s, lettered().FindAllStringIndex(s, -1), put) }

// Spelled leave out one part of a pattern of a time in SQL: YYYY-MM-DD.
func Spelled(s string, put put) { leftOut(s, spelled().FindAllStringIndex(s, -1), put) }

// leftOut leaves out each part of a format of a time, with the few signs that stand before it.
func leftOut(s string, all [][]int, put put) {
	var parts [][]int
	for _, p := range all {
		if s[p[0]] != '\'' && s[p[0]:p[1]] != "%%" {
			parts = append(parts, p)
		}
	}
	if len(parts) < 2 || len(parts) > 8 {
		return
	}
	const signs = 3
	for n, p := range parts {
		a, b := p[0], p[1]
		switch {
		case n == 0 && parts[1][0]-b <= signs:
			b = parts[1][0]
		case n > 0 && a-parts[n-1][1] <= signs:
			a = parts[n-1][1]
		}
		put(a, b, "")
	}
}

// formattedTexts change all texts that are the format of a call.
func (p *program) formattedTexts() {
	for i, t := range p.tokens {
		if t.Kind == text {
			p.formatted(i)
		}
	}
}

// formatted changes a text that is the format of a call.
func (p *program) formatted(i int) {
	t := p.tokens[i]
	if t.Up < 1 || p.kindAt(t.Up-1) != word || p.at(t.Up) != "(" {
		return
	}
	s := p.text[t.From:t.To]
	put := func(a, b int, with string) {
		p.add("format", t.From+a, t.From+b, with, Within(p.text, t.From, t.To, t.From+a, t.From+b, with))
	}
	switch p.tokens[t.Up-1].Name {
	case "strftime", "strflocaltime", "date_format", "time_format":
		Times(s, put)
	case "to_char":
		Spelled(s, put)
	case "printf", "sprintf", "format":
		if t.Up == i-1 {
			Formats(s, "%s", put)
		}
	}
}
