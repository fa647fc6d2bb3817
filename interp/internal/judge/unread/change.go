package unread

import (
	"strconv"
	"strings"
)

// how is in which way a value is another one.
type how int

const (
	alike  how = iota // the same in each request
	each              // another one in each
	none              // no value
	absent            // none in JSON, not even a null
	formed            // another one of the same form in the place of a text, the same in each request
)

// A change puts something else in the place of a value of the nth request. If it is later, it leaves the first
// element of each list as it is.
type change struct {
	how   how
	n     int
	later bool
	// edit gives what stands in the place of a text; nothing but texts is changed then.
	edit func(was string) string
}

// text is what stands in the place of a text.
func (c change) text(was string) string {
	switch {
	case c.edit != nil:
		return c.edit(was)
	case c.how == formed:
		return alikeInForm(was)
	case c.how == none, c.how == absent:
		return ""
	}
	if _, err := strconv.ParseFloat(was, 64); err == nil {
		return c.number(was)
	}
	if c.how == each {
		return "other-" + strconv.Itoa(c.n+1)
	}
	if was == "other" {
		return "another"
	}
	return "other"
}

// number is what stands in the place of a number that is written so: the same with other digits, or with
// more of them.
func (c change) number(was string) string {
	switch {
	case c.edit != nil:
		return was
	case c.how == none:
		return "null"
	}
	other := strings.Map(func(d rune) rune {
		if '1' <= d && d <= '8' {
			return d + 1
		}
		return d
	}, was)
	if other == was {
		other = "7" + strings.Repeat("0", 3)
	}
	if c.how == each && !strings.ContainsAny(was, ".eE") {
		other += strconv.Itoa(c.n + 1)
	}
	return other
}
