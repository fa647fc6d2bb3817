package report

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
)

// A point is a test point as a reader of the protocol sees it.
type point struct {
	OK                bool
	N                 int
	Text, Skip        string
	Skipped           bool
	Status            string
	Kinds, Said, File []string
}

var pointLine = regexp.MustCompile(`^(not )?ok ([0-9]+) - (.*)$`)

// readTAP parses a report by the rules of TAP 14: version, points, plan, YAML
// blocks of two spaces, escapes.
func readTAP(text string) (points []point, plan string, bailed bool, err error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "TAP version 14" {
		return nil, "", false, fmt.Errorf("begins %q", lines[0])
	}
	for i := 1; i < len(lines); i++ {
		l := lines[i]
		switch m := pointLine.FindStringSubmatch(l); {
		case m != nil:
			n, _ := strconv.Atoi(m[2])
			p := point{OK: m[1] == "", N: n}
			p.Text, p.Skip, p.Skipped = directive(m[3])
			points = append(points, p)
		case l == "  ---":
			from := i + 1
			for i++; i < len(lines) && lines[i] != "  ..."; i++ {
			}
			if i == len(lines) {
				return nil, "", false, fmt.Errorf("a YAML block has no end")
			}
			if err := points[len(points)-1].read(lines[from:i]); err != nil {
				return nil, "", false, err
			}
		case strings.HasPrefix(l, "1.."):
			plan = l
		case strings.HasPrefix(l, "Bail out!"):
			bailed = true
		case strings.HasPrefix(l, "# "):
		default:
			return nil, "", false, fmt.Errorf("no line of the protocol: %q", l)
		}
	}
	return points, plan, bailed, nil
}

// directive parts a description at the first # that is not escaped.
func directive(s string) (text, reason string, skipped bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '#' && !skipped:
			text, skipped = strings.TrimSpace(b.String()), true
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	if !skipped {
		return b.String(), "", false
	}
	return text, strings.TrimPrefix(strings.TrimSpace(b.String()), "SKIP "), true
}

func (p *point) read(block []string) error {
	var doc struct {
		Status   string
		Failures []struct {
			Kind, Name, File, Message string
			Line                      int
		}
	}
	if err := yaml.Unmarshal([]byte(strings.Join(block, "\n")), &doc); err != nil {
		return fmt.Errorf("%w in\n%s", err, strings.Join(block, "\n"))
	}
	p.Status = doc.Status
	for _, f := range doc.Failures {
		p.Kinds, p.Said, p.File = append(p.Kinds, f.Kind), append(p.Said, f.Message), append(p.File, fmt.Sprintf("%s:%d", f.File, f.Line))
	}
	return nil
}

// Shows that a reader of the protocol finds every scenario with its verdict,
// its reason and all that is said of its failures.
func TestTAP(t *testing.T) {
	got, plan, bailed, err := readTAP(written(t, TAP, entries(), nil))
	if err != nil || plan != "1..4" || bailed {
		t.Fatal(plan, bailed, err)
	}
	want := []point{
		{OK: true, N: 1, Text: "a.scenario.hcl: one"},
		{
			N: 2, Text: "a.scenario.hcl: two", Status: "fail", Kinds: []string{"assert", "gate"}, File: []string{"a.scenario.hcl:3", "a.scenario.hcl:1"},
			Said: []string{"it waits too long\n├ [for a in step.answer.attempts : a.at_ms] = [0, 2000]\n[1]: 2000, want 1000", "nothing is <checked>\nhint: check something"},
		},
		{OK: true, N: 3, Text: "a.scenario.hcl: three", Skip: "later", Skipped: true},
		{OK: true, N: 4, Text: "b.scenario.hcl: four"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Shows that no name and no answer breaks the protocol, and that a suite which
// ended early bails out.
func TestTAPHostile(t *testing.T) {
	got, plan, bailed, err := readTAP(written(t, TAP, hostileEntries(), incompleteSuite))
	if err != nil || plan != "1..3" || !bailed || len(got) != 3 {
		t.Fatal(plan, bailed, err, len(got))
	}
	for i, want := range []struct {
		ok, skipped bool
		failures    int
	}{{false, false, 2}, {true, true, 0}, {false, false, 1}} {
		p := got[i]
		if p.OK != want.ok || p.Skipped != want.skipped || len(p.Kinds) != want.failures {
			t.Errorf("%d: %+v", i, p)
		}
		if !strings.Contains(p.Text, `# | \ %0A`) {
			t.Errorf("%d: the escapes do not come back: %q", i, p.Text)
		}
	}
}
