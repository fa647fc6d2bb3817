package report

import (
	"bytes"
	"math"
	"strings"
	"time"
	"unicode/utf8"
)

// widthDefault is how wide lines are that no terminal bounds.
const widthDefault = 80

// labelMax bounds the column of names at the left of a chart.
const labelMax = 24

// chartMax bounds the steps that a chart shows.
const chartMax = 60

// A sign is how a cell of a chart is drawn: its character, its colour, and what
// it means.
type sign struct {
	r     rune
	sgr   string
	means string
}

// The signs of a chart; each has an ASCII twin in [plainSigns].
var (
	signRunning = sign{'━', "", "attempt"}
	signWaiting = sign{'·', "", "wait"}
	signStep    = sign{'╌', dim, "step under way"}
	signClosed  = sign{'─', dim, "breaker closed"}
	signOpen    = sign{'▄', red, "open"}
	signProbing = sign{'╍', yellow, "half open"}

	signMarks = map[markKind]sign{
		succeeded: {'✓', green, "success"},
		failed:    {'✗', red, "failure"},
		faulted:   {'↯', red, "failure by a fault"},
		cancelled: {'○', yellow, "cancelled"},
		refused:   {'⊘', yellow, "refused"},
		struck:    {'!', red, "timeout"},
		skipped:   {'-', dim, "skipped"},
	}
)

// A chart is a picture in characters.
type chart struct {
	t       *text
	p       *picture
	label   int // columns of the names
	columns int // columns of the axis
	used    []sign
}

// writeChart draws a run: a line for each step and target, one for each
// breaker, the axis above and the meaning of the signs below.
func (t *text) writeChart(b *bytes.Buffer, p *picture) {
	if len(p.steps) == 0 {
		return
	}
	c := &chart{t: t, p: p}
	steps := p.steps[:min(len(p.steps), chartMax)]
	for _, s := range steps {
		lanes, _ := s.shown()
		for _, l := range lanes {
			c.label = max(c.label, columns(laneName(s, l)))
		}
	}
	for _, row := range p.breakers {
		c.label = max(c.label, columns(breakerName(row)))
	}
	// A narrow terminal shares what it has between the names and the axis.
	room := max(t.width()-len(chartIndent)-2, 2*axisMin)
	c.label = min(c.label, labelMax, max(room-20, axisMin))
	c.columns = max(room-c.label, axisMin)
	c.axis(b)
	for _, s := range steps {
		c.step(b, s)
	}
	if left := len(p.steps) - len(steps); left > 0 {
		c.line(b, "", c.t.paint(dim, "… "+plural(left, "more step")))
	}
	for _, row := range p.breakers {
		c.breaker(b, row)
	}
	c.legend(b)
}

const chartIndent = "      "

// axisMin is how many columns the axis has at least.
const axisMin = 12

func (t *text) width() int {
	if t.opts.Width > 0 {
		return t.opts.Width
	}
	return widthDefault
}

// lanesMax bounds the lanes of a step that are drawn: a program may have one for each
// of its requests.
const lanesMax = 32

// shown are a step's lanes, one without a target where it has none, and how many more
// there are.
func (s *stepRow) shown() (lanes []*lane, more int) {
	if len(s.lanes) == 0 {
		return []*lane{{}}, 0
	}
	n := min(len(s.lanes), lanesMax)
	return s.lanes[:n], len(s.lanes) - n
}

func laneName(s *stepRow, l *lane) string {
	name := s.name
	if l.name != "" {
		name += "[" + l.name + "]"
	}
	if at := s.at(l); at != "" {
		name += " @ " + at
	}
	return safe(name)
}

// at is the target of a lane, "" where that is told by the name of the step.
func (s *stepRow) at(l *lane) string {
	if l.target == s.name {
		return ""
	}
	return l.target
}

func breakerName(b *breakerRow) string { return safe("breaker " + b.target) }

// column is where a time stands.
func (c *chart) column(at time.Duration) int {
	return int(math.Round(c.p.at(at) * float64(c.columns-1)))
}

func (c *chart) axis(b *bytes.Buffer) {
	names, line := []rune(strings.Repeat(" ", c.columns)), []rune(strings.Repeat("─", c.columns))
	free := 0
	for _, at := range c.p.ticks(max(c.columns/10, 1)) {
		col, name := c.column(at), brief(at)
		line[col] = '┼'
		if from := min(col, c.columns-len(name)); from >= free {
			copy(names[from:], []rune(name))
			free = from + len(name) + 1
		}
	}
	c.line(b, "", strings.TrimRight(string(names), " "))
	c.line(b, "", c.t.paint(dim, string(line)))
}

// cells are one line of the chart, nil where nothing is.
type cells []*sign

func (c *chart) cells() cells { return make(cells, c.columns) }

// fill draws what has a length into cells that are free.
func (c *chart) fill(row cells, s span, with *sign) {
	for i := c.column(s.from); i <= c.column(s.to); i++ {
		if row[i] == nil {
			row[i] = with
		}
	}
}

// put draws marks, each in a cell of its own: what comes at one instant stands
// side by side, in its order. Where no cell is left the last one is lost.
func (c *chart) put(row cells, marks []mark) {
	taken := make([]bool, len(row))
	for i := 0; i < len(marks); {
		col, n := c.column(marks[i].at), 1
		for i+n < len(marks) && c.column(marks[i+n].at) == col {
			n++
		}
		from := col
		for from < len(row) && taken[from] {
			from++
		}
		from = max(min(from, len(row)-n), 0)
		for k := range n {
			if at := from + k; at < len(row) {
				s := signMarks[marks[i+k].kind]
				row[at], taken[at] = &s, true
			}
		}
		i += n
	}
}

func (c *chart) step(b *bytes.Buffer, s *stepRow) {
	lanes, more := s.shown()
	for i, l := range lanes {
		row := c.cells()
		for k := range l.bars {
			if l.bars[k].to > l.bars[k].from {
				c.fill(row, l.bars[k].span, &signRunning)
			}
		}
		if i == 0 {
			for _, w := range s.waits {
				c.fill(row, w, &signWaiting)
			}
			for _, r := range s.spans {
				if r.to > r.from {
					c.fill(row, r.span, &signStep)
				}
			}
		}
		c.put(row, s.marks(l))
		c.row(b, laneName(s, l), row)
	}
	if more > 0 {
		c.line(b, "", c.t.paint(dim, "… "+plural(more, "more lane")))
	}
}

func (c *chart) breaker(b *bytes.Buffer, r *breakerRow) {
	row := c.cells()
	for i := len(r.bands) - 1; i >= 0; i-- { // of two states in one cell the later is seen
		switch s := r.bands[i]; s.state {
		case "open":
			c.fill(row, s.span, &signOpen)
		case "half_open":
			c.fill(row, s.span, &signProbing)
		default:
			c.fill(row, s.span, &signClosed)
		}
	}
	c.row(b, breakerName(r), row)
}

func (c *chart) row(b *bytes.Buffer, name string, row cells) {
	var line strings.Builder
	for i := 0; i < len(row); {
		n := 1
		for i+n < len(row) && same(row[i], row[i+n]) {
			n++
		}
		if row[i] == nil {
			line.WriteString(strings.Repeat(" ", n))
		} else {
			line.WriteString(c.t.paint(row[i].sgr, strings.Repeat(string(row[i].r), n)))
			c.use(*row[i])
		}
		i += n
	}
	c.line(b, name, strings.TrimRight(line.String(), " "))
}

func same(a, b *sign) bool { return a == b || a != nil && b != nil && *a == *b }

func (c *chart) use(s sign) {
	for _, u := range c.used {
		if u == s {
			return
		}
	}
	c.used = append(c.used, s)
}

func (c *chart) line(b *bytes.Buffer, name, rest string) {
	line := chartIndent + padded(name, c.label) + "  " + rest
	b.WriteString(strings.TrimRight(line, " "))
	b.WriteByte('\n')
}

// legend says what the signs mean that are there, in lines that fit.
func (c *chart) legend(b *bytes.Buffer) {
	line, room := "", c.t.width()-len(chartIndent)
	at := 0
	flush := func() {
		if line != "" {
			b.WriteString(chartIndent + line + "\n")
		}
		line, at = "", 0
	}
	for _, s := range c.used {
		w := 2 + utf8.RuneCountInString(s.means)
		if at+w > room {
			flush()
		}
		if line != "" {
			line += "  "
			at += 2
		}
		line += c.t.paint(s.sgr, string(s.r)) + " " + c.t.paint(dim, s.means)
		at += w
	}
	flush()
}

// padded is text in so many columns, cut where it is longer.
func padded(s string, width int) string {
	if columns(s) > width {
		var b strings.Builder
		at := 0
		for _, r := range s {
			if at+runeColumns(r) > width-1 {
				break
			}
			b.WriteRune(r)
			at += runeColumns(r)
		}
		s = b.String() + "…"
	}
	return s + strings.Repeat(" ", max(width-columns(s), 0))
}

// columns is how many columns of a terminal a text takes.
func columns(s string) (n int) {
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns follows the ranges of UAX #11 that matter in names: marks that
// take no place, and wide East Asian characters and emoji.
func runeColumns(r rune) int {
	switch {
	case r >= 0x300 && r < 0x370, r == 0x200d, r >= 0xfe00 && r < 0xfe10:
		return 0
	case r >= 0x1100 && r < 0x1160, r >= 0x2e80 && r < 0xa4d0, r >= 0xac00 && r < 0xd7a4,
		r >= 0xf900 && r < 0xfb00, r >= 0xfe30 && r < 0xfe70, r >= 0xff00 && r < 0xff61, r >= 0x1f300 && r < 0x1fb00, r >= 0x20000 && r < 0x40000:
		return 2
	}
	return 1
}
