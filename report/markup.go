package report

import (
	"bytes"
	"fmt"
	"html"
	"strings"
)

// Markup is HTML and SVG in the making. Text that comes from outside has one
// way into it, as an argument of add, and is escaped there.
type markup struct{ bytes.Buffer }

// A raw text is markup of our own that add takes as it is.
type raw string

// add writes a format whose arguments are escaped: for what stands between
// tags, and for values of attributes in double quotes.
func (m *markup) add(format string, args ...any) {
	for i, a := range args {
		switch x := a.(type) {
		case raw:
			args[i] = string(x)
		case string:
			args[i] = escaped(x)
		}
	}
	fmt.Fprintf(&m.Buffer, format, args...)
}

func escaped(s string) string { return html.EscapeString(strings.Map(xmlRune, s)) }

// percent is a share of a width, as short as it can be written.
func percent(x float64) raw {
	s := fmt.Sprintf("%.2f", x*100)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	return raw(s + "%")
}
