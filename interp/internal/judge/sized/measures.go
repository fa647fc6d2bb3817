package sized

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// measures are the greatest of what a run has, of each kind.
type measures struct {
	of    [len(kinds)]int64
	bytes int
	// texts are those in which chains were looked for, and lists is in how many lists.
	texts map[string]bool
	lists int
}

func (m *measures) at(k kind, n int64) { m.of[k] = max(m.of[k], n) }

// count notes how often one was asked.
func (m *measures) count(n int) {
	m.at(requests, int64(n))
	m.at(many, int64(n))
}

// numbersIn are those that stand in a text by themselves.
func numbersIn(content string) [][]string {
	return pattern.New(`(?:^|[\s,;:=|])-?([0-9]{1,18})(?:\.[0-9]+)?(?:$|[\s,;|])`)().FindAllStringSubmatch(content[:min(len(content), numbersMost)], -1)
}

// numbersMost bounds how much of a text is searched for numbers.
const numbersMost = 1 << 20

// add measures a text.
func (m *measures) add(content string) {
	m.bytes += len(content)
	m.at(size, int64(len(content)))
	for l := range strings.Lines(content) {
		m.at(line, int64(len(l)))
	}
	if m.json(content) {
		return
	}
	m.at(text, int64(len(content)))
	parsed := false
	if lines := strings.Split(strings.TrimSpace(content), "\n"); len(lines) > 1 {
		m.at(elements, int64(len(lines)))
		m.at(many, int64(len(lines)))
		for _, l := range lines { // a line of JSON for each thing
			parsed = m.json(l) || parsed
		}
	}
	if parsed {
		return
	}
	for _, n := range numbersIn(content) {
		m.numeral(n[1])
	}
}

// numeral measures a number by its digits before the point.
func (m *measures) numeral(digits string) {
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		m.at(numbers, n)
	} else {
		m.at(numbers, kinds[numbers].enough)
	}
}

// json measures a text of JSON, and reports whether it is an object or a list.
func (m *measures) json(content string) bool {
	begin := strings.TrimLeft(content, " \t\r\n")
	if begin == "" || begin[0] != '{' && begin[0] != '[' || !json.Valid([]byte(content)) {
		return false
	}
	m.chains(content)
	d := json.NewDecoder(strings.NewReader(content))
	d.UseNumber()
	open := [2]int64{}      // objects and lists around
	var within []int64      // how many elements each list around has, -1 for an object
	begins := func(i int) { // a level of a thing is often an object and a list in it: it counts once
		open[i]++
		m.at(nesting, open[i])
	}
	for {
		t, err := d.Token()
		if err != nil {
			return true
		}
		if c, is := t.(json.Delim); is && (c == '}' || c == ']') {
			last := len(within) - 1
			if n := within[last]; n < 0 {
				open[0]--
			} else {
				open[1]--
				m.at(elements, n)
				m.at(many, n)
			}
			within = within[:last]
			continue
		}
		if last := len(within) - 1; last >= 0 && within[last] >= 0 {
			within[last]++
		}
		switch t := t.(type) {
		case json.Delim:
			if t == '{' {
				begins(0)
				within = append(within, -1)
			} else {
				begins(1)
				within = append(within, 0)
			}
		case json.Number:
			whole, _, _ := strings.Cut(strings.TrimPrefix(t.String(), "-"), ".")
			if strings.ContainsAny(t.String(), "eE") {
				m.at(numbers, kinds[numbers].enough)
			} else {
				m.numeral(whole)
			}
		case string:
			m.at(text, int64(len(t)))
		}
	}
}
