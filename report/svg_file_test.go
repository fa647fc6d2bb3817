package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// A drawing is what an XML reader finds in a picture.
type drawing struct {
	width, height float64
	ids, uses     []string
	texts         []string
	bottom        float64 // of the lowest text, sign or timeline
	timeline      float64 // bottom of the last one
	bad           []string
}

// readDrawing reads a picture with an XML parser, which a browser does too for a
// file of its own: what is not well-formed is shown as an error there.
func readDrawing(t *testing.T, picture string) drawing {
	t.Helper()
	var d drawing
	in, depth := xml.NewDecoder(strings.NewReader(picture)), 0
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return d
		}
		if err != nil {
			t.Fatalf("the picture is no XML: %v\n%s", err, picture)
		}
		switch x := token.(type) {
		case xml.EndElement:
			depth--
		case xml.CharData:
			if text := strings.TrimSpace(string(x)); text != "" {
				d.texts = append(d.texts, text)
			}
		case xml.StartElement:
			d.element(x, depth)
			depth++
		}
	}
}

func (d *drawing) element(e xml.StartElement, depth int) {
	if !slices.Contains(htmlNames, e.Name.Local) {
		d.bad = append(d.bad, "element "+e.Name.Local)
	}
	top, height := 0.0, 0.0
	for _, a := range e.Attr {
		y, _ := strconv.ParseFloat(a.Value, 64)
		switch name := a.Name.Local; {
		case name == "id":
			d.ids = append(d.ids, a.Value)
		case name == "href" && strings.HasPrefix(a.Value, "#"):
			d.uses = append(d.uses, a.Value[1:])
		case name == "href", name == "src", strings.HasPrefix(name, "on"):
			d.bad = append(d.bad, "attribute "+name+"="+a.Value)
		case depth == 0 && name == "width":
			d.width = y
		case depth == 0 && name == "height":
			d.height = y
		case depth == 1 && name == "y":
			top = y
		case depth == 1 && name == "height" && e.Name.Local == "svg":
			height = y
		case depth == 1 && name == "transform":
			var x, y float64
			if _, err := fmt.Sscanf(a.Value, "translate(%f %f)", &x, &y); err == nil {
				top = y + 11
			}
		}
	}
	if top == 0 {
		return
	}
	if top < d.timeline {
		d.bad = append(d.bad, fmt.Sprintf("%s at %g lies on the timeline that ends at %g", e.Name.Local, top, d.timeline))
	}
	d.bottom = max(d.bottom, top+height)
	if height > 0 {
		d.timeline = top + height
	}
}

// Shows that a picture is well-formed whatever names and answers hold, that it
// loads and runs nothing, and that nothing lies below its edge.
func TestSVG(t *testing.T) {
	for name, all := range suites() {
		d := readDrawing(t, written(t, SVG, all, nil))
		if len(d.bad) > 0 {
			t.Errorf("%s: %q", name, d.bad)
		}
		for _, use := range d.uses {
			if !slices.Contains(d.ids, use) {
				t.Errorf("%s: nothing is called %q", name, use)
			}
		}
		if d.width != 480 || d.height < d.bottom || d.height > d.bottom+60 {
			t.Errorf("%s: %g by %g pixels, the lowest thing at %g", name, d.width, d.height, d.bottom)
		}
	}
}

// threeAttempts is a run of one step that failed twice, waited twice and ran out
// of time.
func threeAttempts(name string) Entry {
	at := func(s int, typ trace.Type, attempt int, attrs ...trace.Attr) trace.Event {
		e := trace.Event{At: time.Duration(s) * time.Second, Type: typ, Step: "answer", Attempt: attempt, Payload: trace.Attrs(attrs)}
		if attempt > 0 {
			e.Target = "llm"
		}
		return e
	}
	fault := []trace.Attr{{Key: "fault_type", Value: "http_error"}, {Key: "outcome", Value: "failure"}}
	return Entry{Result: &interp.Result{
		Plan: &interp.Plan{File: "a.scenario.hcl", Name: name, Line: 1}, Verdict: interp.Fail, Virtual: 3 * time.Second,
		Events: []trace.Event{
			at(0, trace.StepStart, 0),
			at(0, trace.AttemptStart, 1), at(0, trace.AttemptEnd, 1, fault...),
			at(0, trace.RetryWait, 0, trace.Attr{Key: "delay_ns", Value: time.Second}),
			at(1, trace.AttemptStart, 2), at(1, trace.AttemptEnd, 2, fault...),
			at(1, trace.RetryWait, 0, trace.Attr{Key: "delay_ns", Value: 4 * time.Second}),
			at(3, trace.Timeout, 0),
			at(3, trace.StepEnd, 0, trace.Attr{Key: "status", Value: "timeout"}),
		},
	}}
}

// Shows what a picture says: verdict, name, times, steps, and what those signs
// mean that it has, and no other.
func TestSVGSays(t *testing.T) {
	d := readDrawing(t, written(t, SVG, []Entry{threeAttempts("too late")}, nil))
	for _, want := range []string{"fail", "too late", "virtual 3s", "answer", "@ llm", "timeout, 3s", "failure by an injected fault", "timeout", "wait before a retry"} {
		if !slices.Contains(d.texts, want) {
			t.Errorf("the picture lacks %q: %q", want, d.texts)
		}
	}
	for _, not := range []string{"success", "skipped", "breaker closed", "cancelled"} {
		if slices.Contains(d.texts, not) {
			t.Errorf("the picture explains %q, which it has not", not)
		}
	}
}

// Shows that a picture of a large suite stays one that can be looked at: what it
// has no room for is counted.
func TestSVGIsBounded(t *testing.T) {
	var all []Entry
	for i := range 60 {
		all = append(all, threeAttempts(fmt.Sprint("scenario ", i)))
	}
	d := readDrawing(t, written(t, SVG, all, nil))
	if !slices.Contains(d.texts, "scenario 49") || slices.Contains(d.texts, "scenario 50") || !slices.Contains(d.texts, "… 10 more scenarios") {
		t.Errorf("%q", d.texts)
	}
	if d.height > 60*120 {
		t.Errorf("%g pixels", d.height)
	}
}

// Shows that the letters of a picture are at least eight pixels high where a phone shows it
// at 330 pixels, and that what stands at the left and at the right of a line do not meet.
func TestSVGOnAPhone(t *testing.T) {
	long := threeAttempts(strings.Repeat("a long name ", 10))
	for i := range long.Result.Events {
		long.Result.Events[i].Step = strings.Repeat("w", 40)
	}
	long.Result.Events[len(long.Result.Events)-1].Payload = trace.Attrs{{Key: "status", Value: "skipped"}, {Key: "skipped_reason", Value: strings.Repeat("because ", 9)}}
	var b bytes.Buffer
	r := SVG(&b, Options{})
	if err := r.Add(long); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(Summary{}); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\.pic[^{]*\{[^}]*?(?:font:|font-size:)([0-9]+)px`).FindAllStringSubmatch(b.String(), -1) {
		if px, _ := strconv.ParseFloat(m[1], 64); px*330/480 < 8 {
			t.Errorf("%s: %.1f pixels high", m[0], px*330/480)
		}
	}
	// One letter of these fonts is some seven pixels wide.
	lines := map[string]int{}
	for _, m := range regexp.MustCompile(`<text [^>]*?y="([0-9]+)">(.*?)</text>`).FindAllStringSubmatch(b.String(), -1) {
		lines[m[1]] += utf8.RuneCountInString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[2], "")) + 1
	}
	delete(lines, "11") // ticks, and the legend, which breaks its lines
	if len(lines) < 2 {
		t.Errorf("lines at %v", lines)
	}
	for y, letters := range lines {
		if letters > 64 {
			t.Errorf("%d letters in the line at %s", letters, y)
		}
	}
}
