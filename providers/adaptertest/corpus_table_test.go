package adaptertest_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// A corpusTable says what became of recorded exchanges, by host.
type corpusTable struct {
	hosts        map[string]*corpusRow
	files, empty int
	refused      map[string]int // files, by the reason
	problems     []string       // what a test has to fail with
}

// A corpusRow is what became of the exchanges of one host. Every exchange is
// parsed, refused or no model call, and counted under a reason.
type corpusRow struct {
	files                              map[string]bool
	exchanges, parsed, refused, others int
	why                                map[string]int
	streams                            map[string]int // of those reasons
}

func count(m *map[string]int, key string) {
	if *m == nil {
		*m = map[string]int{}
	}
	(*m)[key]++
}

func (c *corpusTable) problem(e exchange, format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf("%s: %s", e, fmt.Sprintf(format, args...)))
}

// add looks at one exchange as a dialect has it.
func (c *corpusTable) add(e exchange, d *dialect) {
	row := c.row(e)
	row.files[e.file] = true
	row.exchanges++
	switch outcome, why := d.look(e, func(format string, args ...any) { c.problem(e, format, args...) }); outcome {
	case parsed:
		row.parsed++
		count(&row.why, why)
		if e.answer.Stream {
			count(&row.streams, why)
		}
	case refused:
		row.refused++
		count(&row.why, why)
	case noCall:
		row.others++
		count(&row.why, why)
	}
}

// row is that of an exchange's host. The name of a customer's own resource is
// no host of interest.
func (c *corpusTable) row(e exchange) *corpusRow {
	host := e.url.Host
	if strings.HasSuffix(host, ".openai.azure.com") {
		host = "*.openai.azure.com"
	}
	if c.hosts == nil {
		c.hosts = map[string]*corpusRow{}
	}
	if c.hosts[host] == nil {
		c.hosts[host] = &corpusRow{files: map[string]bool{}}
	}
	return c.hosts[host]
}

func (c *corpusTable) all() corpusRow {
	var all corpusRow
	for _, r := range c.hosts {
		all.exchanges += r.exchanges
		all.parsed += r.parsed
		all.refused += r.refused
		all.others += r.others
	}
	return all
}

// lines write the table.
func (c *corpusTable) lines() []string {
	cells := [][]string{{"host", "files", "exchanges", "parsed", "refused", "no model call", "why"}}
	cell := func(host string, files int, r corpusRow, why string) {
		line := []string{host}
		for _, n := range []int{files, r.exchanges, r.parsed, r.refused, r.others} {
			line = append(line, fmt.Sprint(n))
		}
		cells = append(cells, append(line, why))
	}
	for _, host := range slices.Sorted(maps.Keys(c.hosts)) {
		r := c.hosts[host]
		cell(host, len(r.files), *r, r.reasons())
	}
	for _, why := range slices.Sorted(maps.Keys(c.refused)) {
		cell("(no file that is read)", c.refused[why], corpusRow{}, why)
	}
	if c.empty > 0 {
		cell("(no exchange)", c.empty, corpusRow{}, "response files and recordings of nothing, which have no host")
	}
	cell("all", c.files, c.all(), fmt.Sprintf("%d hosts", len(c.hosts)))
	return aligned(cells)
}

// unexplained are the hosts of which an exchange has no reason.
func (c *corpusTable) unexplained() []string {
	var hosts []string
	for _, host := range slices.Sorted(maps.Keys(c.hosts)) {
		r, explained := c.hosts[host], 0
		for why, n := range r.why {
			if why != "" {
				explained += n
			}
		}
		if explained != r.exchanges || r.parsed+r.refused+r.others != r.exchanges {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

func (r *corpusRow) reasons() string {
	var list []string
	order := slices.Sorted(maps.Keys(r.why))
	slices.SortStableFunc(order, func(a, b string) int { return r.why[b] - r.why[a] })
	for _, why := range order {
		text := fmt.Sprintf("%d× %s", r.why[why], cmp.Or(why, "UNEXPLAINED"))
		if n := r.streams[why]; n > 0 {
			text += fmt.Sprintf(" (%d streamed)", n)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// aligned writes cells as a table of Markdown.
func aligned(cells [][]string) []string {
	widths := make([]int, len(cells[0]))
	for _, line := range cells {
		for i, text := range line {
			widths[i] = max(widths[i], len(text))
		}
	}
	var lines []string
	for n, line := range cells {
		var b, rule strings.Builder
		for i, text := range line {
			switch {
			case i == 0:
				fmt.Fprintf(&b, "| %-*s ", widths[i], text)
			case i == len(line)-1:
				fmt.Fprintf(&b, "| %s |", text)
			default:
				fmt.Fprintf(&b, "| %*s ", widths[i], text)
			}
			rule.WriteString("|---")
		}
		lines = append(lines, b.String())
		if n == 0 {
			lines = append(lines, rule.String()+"|")
		}
	}
	return lines
}

// A deaf adapter refuses every answer.
type deaf struct{ providers.Adapter }

func (a deaf) Parse(context.Context, providers.Input, *http.Response, error, func() time.Time, func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return providers.Output{}, &failure.Failure{Kind: failure.MalformedResponse, Message: "planted"}
}

// A hearing adapter takes every answer for a whole one.
type hearing struct{ providers.Adapter }

func (a hearing) Parse(context.Context, providers.Input, *http.Response, error, func() time.Time, func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return providers.Output{Complete: true}, nil
}

// Shows that the table finds planted faults: an adapter that refuses a whole
// answer leaves its host unexplained, one that takes anything is found by the
// answers that are none, and neither is counted away.
func TestCorpusTableFinds(t *testing.T) {
	whole := `{"id":"x","model":"m","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}`
	for _, c := range []struct {
		name, body  string
		status      int
		adapter     providers.Adapter
		unexplained bool
		problem     string
	}{
		{"a refused answer", whole, 200, deaf{}, true, "a whole answer failed with malformed_response: planted"},
		{"an answer of a shape of its own", `{"text":"hi"}`, 200, hearing{}, true, "answer without choices"},
		{"an error", whole, 500, hearing{}, true, "HTTP 500"},
		{"an error of another kind", whole, 429, deaf{}, true, "want one of [rate_limit]"},
		{"another content", whole, 200, hearing{chatCompletions.adapter}, false, `"hi"`},
	} {
		planted := *chatCompletions
		planted.adapter = c.adapter
		if inner, ok := c.adapter.(hearing); ok && inner.Adapter == nil {
			planted.adapter = hearing{chatCompletions.adapter}
		}
		if _, ok := c.adapter.(deaf); ok {
			planted.adapter = deaf{chatCompletions.adapter}
		}
		var table corpusTable
		e := exchange{file: "planted.yaml", index: 1, method: "POST", url: &url.URL{Scheme: "https", Host: "planted.example", Path: "/chat/completions"}}
		e.answer = wire.Response{Status: c.status, Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}}, Parts: []wire.Part{{Data: []byte(c.body)}}}
		table.add(e, &planted)
		if got := len(table.unexplained()) == 1; got != c.unexplained {
			t.Errorf("%s: unexplained %t: %q", c.name, got, table.lines())
		}
		if !strings.Contains(strings.Join(table.problems, "\n"), c.problem) {
			t.Errorf("%s: %q is not among %q", c.name, c.problem, table.problems)
		}
		if c.unexplained != strings.Contains(strings.Join(table.lines(), "\n"), "UNEXPLAINED") {
			t.Errorf("%s: %q", c.name, table.lines())
		}
	}
}
