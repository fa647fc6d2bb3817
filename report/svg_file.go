package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// The measures of a picture, in pixels. It is no wider than that its letters can still be
// read where a page on a phone shows it at 330 pixels.
const (
	pictureWidth  = 480
	pictureMargin = 20
	pictureLine   = 18
	// letterWidth is at least how wide a letter is on average: nothing measures text
	// here. pictureLetters fit between the margins.
	letterWidth    = 7.2
	pictureLetters = 60
)

// pictureMax bounds how many timelines one picture shows.
const pictureMax = 50

// pictureStyle is what a picture has beside its timelines.
const pictureStyle = `.pic,.pic .tl{font:13px system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:var(--fg)}
.pic .bg{fill:var(--bg)}.pic .h{font-size:14px;font-weight:600}.pic .m{fill:var(--mut)}.pic .e{text-anchor:end}
.pic .pass{fill:var(--ok)}.pic .fail,.pic .error{fill:var(--ko)}.pic .skip,.pic .done{fill:var(--warn)}
`

// SVG writes one picture: the timeline of every scenario below its verdict and
// its name, then what the signs mean. It needs nothing else, follows the light
// or dark scheme of its reader, and has a description for those who do not see
// it. It is written when the suite ends, because it begins with its height.
func SVG(w io.Writer, o Options) Reporter { return &svgFile{w: w, clock: o.clock(), y: pictureMargin} }

type svgFile struct {
	w     io.Writer
	clock string // that of the times
	body  markup
	y     int
	// shown and left count the scenarios in the picture and those it has no room
	// for.
	shown, left int
}

func (f *svgFile) Add(e Entry) error {
	if f.shown == pictureMax {
		f.left++
		return nil
	}
	f.shown++
	r := e.Result
	f.body.add(`<text class="h" x="%d" y="%d"><tspan class="%s">%[3]s</tspan>  %[4]s</text>`, pictureMargin, f.y+12, string(r.Verdict), shortened(e.name(), 40))
	if r.Verdict != interp.Skip && r.Bench == nil {
		f.body.add(`<text class="m e" x="%d" y="%d">%s %s</text>`, pictureWidth-pictureMargin, f.y+12, f.clock, virtual(r.Virtual))
	}
	f.body.WriteString("\n")
	f.y += pictureLine + 4
	if e.Reason != "" {
		f.line("m", e.Reason)
	}
	p := newPicture(r.Events, r.Virtual)
	drawn, height := drawTimeline(p, e.name(), "")
	if drawn != "" {
		f.body.add(`<svg x="%d" y="%d" width="%d" height="%d" overflow="visible">%s</svg>`+"\n", pictureMargin, f.y, pictureWidth-2*pictureMargin, height, drawn)
		f.y += height + 6
	}
	f.y += 6
	return nil
}

func (f *svgFile) Invalid(d Diagnostic) error {
	f.line("error", d.String())
	for detail := range strings.Lines(d.Detail) {
		f.line("m", strings.TrimRight(detail, "\n"))
	}
	return nil
}

// line writes one line of text.
func (f *svgFile) line(class, text string) {
	f.body.add(`<text class="%s" x="%d" y="%d">%s</text>`+"\n", raw(class), pictureMargin, f.y+11, shortened(text, pictureLetters))
	f.y += pictureLine
}

func (f *svgFile) Close(s Summary) error {
	if f.left > 0 {
		f.line("m", "… "+plural(f.left, "more scenario"))
	}
	if s.Incomplete {
		f.line("error", incomplete)
	}
	f.legend()
	var m markup
	m.add(`<svg xmlns="http://www.w3.org/2000/svg" class="pic" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img"><title>scenario: %s</title>`+"\n", pictureWidth, f.y+pictureMargin/2, s.line(f.clock))
	m.add("<style>%s%s</style>\n<rect class=\"bg\" width=\"100%%\" height=\"100%%\"/>\n%s", raw(timelineStyle), raw(pictureStyle), raw(timelineSymbols))
	m.Write(f.body.Bytes())
	m.WriteString("</svg>\n")
	_, err := f.w.Write(m.Bytes())
	return err
}

// legend explains the signs that the picture has, and no other.
func (f *svgFile) legend() {
	drawn, x := f.body.String(), float64(pictureMargin)
	put := func(sign raw, means string) {
		width := 22 + letterWidth*float64(len(means)) + 12
		if x+width > pictureWidth-pictureMargin && x > pictureMargin {
			x, f.y = pictureMargin, f.y+pictureLine
		}
		f.body.add(`<g transform="translate(%.0f %d)">%s<text class="m" x="20" y="11">%s</text></g>`+"\n", x, f.y, sign, means)
		x += width
	}
	for _, k := range signsOfMarks {
		if used := fmt.Sprintf(`href="#k%d"`, k.kind); strings.Contains(drawn, used) {
			put(raw(fmt.Sprintf(`<use %s x="8" y="7"/>`, used)), k.means)
		}
	}
	for _, b := range signsOfSpans {
		if used := fmt.Sprintf(`<rect class="%s"`, b.class); strings.Contains(drawn, used) {
			put(raw(fmt.Sprintf(`<g class="tl">%s width="16" height="12" y="1"/></g>`, used)), b.means)
		}
	}
	if x > pictureMargin {
		f.y += pictureLine
	}
}
