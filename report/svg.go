package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The measures of a timeline, in pixels. Only the time axis grows with the
// page: places on it are percentages, so that text keeps its size.
const (
	axisHeight  = 24
	labelHeight = 15
	laneHeight  = 17
	rowGap      = 9
	markWidth   = 14
)

// What is shown of one run at most.
const (
	svgSteps = 40
	svgMarks = 120
)

// laneMax bounds the name of an endpoint's lane, which may be a whole request.
const laneMax = 20

// closeBy is the share of the axis below which two marks would hide each other.
const closeBy = 0.012

// What the signs of a timeline mean: those of marks by their symbol, those of
// what has a length by their class.
var (
	signsOfMarks = []struct {
		kind  markKind
		means string
	}{
		{succeeded, "success"},
		{failed, "failure"},
		{faulted, "failure by an injected fault"},
		{cancelled, "cancelled"},
		{refused, "refused, not dialled"},
		{struck, "timeout"},
		{skipped, "skipped"},
	}
	signsOfSpans = []struct{ class, means string }{
		{"wt", "wait before a retry"},
		{"cl", "breaker closed"},
		{"ha", "half open"},
		{"op", "open"},
	}
)

// An svg is a picture as scalable graphics.
type svg struct {
	markup
	p *picture
	y int
	// anchor, where it is not "", begins the names of the attempts' fragments.
	// Without it the drawing is compact: what has a length bears no text of its
	// own, as the description of the whole says it.
	anchor string
}

// drawSVG draws a run on its time axis: below the name of each step its time, a
// lane for each target, or of an endpoint for each of its lanes, with the attempts, hatched where a retry waits, and a
// band for each breaker. The result is "" for a run without steps.
func drawSVG(p *picture, name, anchor string) raw {
	drawn, _ := drawTimeline(p, name, anchor)
	return drawn
}

// drawTimeline is drawSVG with the height of what is drawn, in pixels.
func drawTimeline(p *picture, name, anchor string) (drawn raw, height int) {
	if len(p.steps) == 0 {
		return "", 0
	}
	d := &svg{p: p, y: axisHeight, anchor: anchor}
	shown := p.steps[:min(len(p.steps), svgSteps)]
	for _, s := range shown {
		d.step(s)
	}
	if left := len(p.steps) - len(shown); left > 0 {
		d.add(`<text class="m" y="%d">… %s</text>`, d.y+11, plural(left, "more step"))
		d.y += labelHeight
	}
	for _, b := range p.breakers {
		d.breaker(b)
	}
	role := "img"
	if anchor != "" {
		role = "group" // it holds links
	}
	var out markup
	out.add(`<svg class="tl" height="%d" role="%s"><title>%s</title><desc>%s</desc>`, d.y, role, "Timeline of "+name, p.describe())
	d.axis(&out)
	out.Write(d.Bytes())
	out.WriteString("</svg>")
	return raw(out.String()), d.y
}

// describe is the picture in words.
func (p *picture) describe() string {
	var parts []string
	for _, s := range p.steps[:min(len(p.steps), svgSteps)] {
		status, _ := s.status()
		n := 0
		for _, l := range s.lanes {
			n += len(l.bars)
		}
		parts = append(parts, fmt.Sprintf("%s: %s, %s", s.name, status, plural(n, "attempt")))
	}
	for _, b := range p.breakers {
		said := "breaker " + b.target + ":"
		for i, band := range b.bands[:min(len(b.bands), 10)] {
			if i > 0 {
				said += ","
			}
			said += fmt.Sprintf(" %s from %s", strings.ReplaceAll(band.state, "_", " "), brief(band.from))
		}
		parts = append(parts, said)
	}
	return strings.Join(parts, "; ") + "; ends at " + brief(p.total)
}

func (d *svg) axis(out *markup) {
	ticks := d.p.ticks(5)
	for i, at := range ticks {
		x := d.p.at(at)
		out.add(`<line class="g" x1="%s" x2="%[1]s" y1="17" y2="%[2]d"/>`, percent(x), d.y)
		class := "m c"
		switch {
		case i == 0:
			class = "m"
		case x > 0.985:
			class = "m e"
		}
		out.add(`<text class="%s" x="%s" y="11">%s</text>`, raw(class), percent(x), brief(at))
	}
	if last := d.p.at(ticks[len(ticks)-1]); last < 0.86 && d.p.total > 0 {
		out.add(`<text class="m e" x="100%%" y="11">%s</text>`, brief(d.p.total))
	}
	out.add(`<line class="ax" x2="100%%" y1="17" y2="17"/>`)
}

func (d *svg) step(s *stepRow) {
	lanes, more := s.shown()
	status, reason := s.status()
	for i, l := range lanes {
		d.label(s, l, i == 0, status, reason)
		top := d.y
		if i == 0 {
			d.spans(s)
		}
		for _, w := range s.waits[:min(len(s.waits), svgMarks)] {
			d.rect("wt", w, top+1, laneHeight-4, "waits "+brief(w.to-w.from)+" from "+brief(w.from))
		}
		d.lane(l)
		d.marks(s.marks(l))
		d.y += laneHeight
	}
	if more > 0 {
		d.add(`<text class="m" y="%d">… %s</text>`, d.y+10, plural(more, "more lane"))
		d.y += labelHeight
	}
	d.y += rowGap
}

// label writes the name over a lane, and beside the first how the step ended.
func (d *svg) label(s *stepRow, l *lane, first bool, status, reason string) {
	name, left := shortened(s.name, 30), pictureLetters
	class := "nm"
	if !first {
		class = "m"
	}
	d.add(`<text y="%d"><tspan class="%s">%s</tspan>`, d.y+10, raw(class), name)
	left -= utf8.RuneCountInString(name)
	if l.name != "" {
		left -= min(utf8.RuneCountInString(l.name), laneMax) + 2
		d.add(`<tspan class="m">[%s]</tspan>`, shortened(l.name, laneMax))
	}
	if at := s.at(l); at != "" {
		d.add(` <tspan class="m">@ %s</tspan>`, shortened(at, 20))
		left -= min(utf8.RuneCountInString(at), 20) + 3
	}
	d.WriteString("</text>")
	if first && status != "" {
		said := status
		switch n := len(s.spans); {
		case reason != "":
			said += ": " + shortened(reason, 40)
		case n > 1:
			said += fmt.Sprintf(", %d times", n)
		case n == 1 && s.spans[0].to > s.spans[0].from:
			said += ", " + brief(s.spans[0].to-s.spans[0].from)
		}
		if d.anchor == "" { // a picture, which cannot leave it out where it is narrow
			said = shortened(said, max(left-2, 8))
		}
		d.add(`<text class="m e w" x="100%%" y="%d">%s</text>`, d.y+10, said)
	}
	d.y += labelHeight
}

// spans draws when the step ran, as a line behind its first lane.
func (d *svg) spans(s *stepRow) {
	for _, r := range s.spans[:min(len(s.spans), svgMarks)] {
		if r.to > r.from {
			d.rect("sp", r.span, d.y+6, 2, "")
		}
	}
}

// rect draws what has a length.
func (d *svg) rect(class string, s span, y, height int, title string) {
	d.add(`<rect class="%s" x="%s" y="%d" width="%s" height="%d"`, raw(class), percent(d.p.at(s.from)), y, percent(d.p.at(s.to)-d.p.at(s.from)), height)
	if title == "" || d.anchor == "" {
		d.WriteString("/>")
		return
	}
	d.add(`><title>%s</title></rect>`, title)
}

func (d *svg) lane(l *lane) {
	for i := range l.bars[:min(len(l.bars), svgMarks)] {
		b := &l.bars[i]
		if b.to <= b.from {
			continue
		}
		class := "ko"
		switch b.kind() {
		case succeeded:
			class = "ok"
		case cancelled:
			class = "ca"
		}
		if d.anchor != "" {
			d.add(`<a href="#%s%d">`, raw(d.anchor), b.start.Seq)
		}
		d.rect(class, b.span, d.y+3, 8, strings.TrimSpace(b.text())+", "+brief(b.from)+" to "+brief(b.to))
		if d.anchor != "" {
			d.WriteString("</a>")
		}
	}
}

// marks draws signs at their times. Those that would hide each other stand side
// by side in their order, from the first to the right, or near the end of the
// axis from the last to the left.
func (d *svg) marks(all []mark) {
	all = all[:min(len(all), svgMarks)]
	for i := 0; i < len(all); {
		x, n := d.p.at(all[i].at), 1
		for i+n < len(all) && d.p.at(all[i+n].at)-x < closeBy {
			n++
		}
		shown := min(n, 8)
		for k := range shown {
			dx := k * markWidth
			if x > 0.6 {
				dx = (k - shown + 1) * markWidth
			}
			m := all[i+k]
			d.add(`<use href="#k%d" x="%s" y="%d"`, int(m.kind), percent(x), d.y+7)
			if dx != 0 {
				d.add(` transform="translate(%d)"`, dx)
			}
			d.add(`><title>%s</title></use>`, brief(m.at)+": "+strings.TrimSpace(m.text))
		}
		if n > shown {
			dx, class := shown*markWidth-4, "m"
			if x > 0.6 {
				dx, class = -dx, "m e"
			}
			d.add(`<text class="%s" x="%s" y="%d" transform="translate(%d)">+%d</text>`, raw(class), percent(x), d.y+11, dx, n-shown)
		}
		i += n
	}
}

func (d *svg) breaker(b *breakerRow) {
	d.add(`<text class="m" y="%d">breaker <tspan class="nm">%s</tspan></text>`, d.y+10, shortened(b.target, 34))
	d.y += labelHeight
	for _, band := range b.bands[:min(len(b.bands), svgMarks)] {
		if band.to <= band.from {
			continue
		}
		width := d.p.at(band.to) - d.p.at(band.from)
		class, state := "cl", "closed"
		switch band.state {
		case "open":
			class, state = "op", "open"
		case "half_open":
			class, state = "ha", "half open"
		}
		d.rect(class, band.span, d.y, 12, state+" from "+brief(band.from)+" to "+brief(band.to))
		if width*320 > float64(7*len(state)+4) {
			d.add(`<text class="bt c" x="%s" y="%d">%s</text>`, percent(d.p.at(band.from)+width/2), d.y+10, state)
		}
	}
	d.y += 12 + rowGap
}

// shortened cuts a name that would not fit a narrow page; the log has all.
func shortened(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
