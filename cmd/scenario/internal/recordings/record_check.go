package recordings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/recording"
	"github.com/scenario-lang/scenario/report"
)

// compared is nothing where the run was stopped: answers that it cut off
// itself would look like others.
func (s *session) compared() []recording.Comparison {
	s.running.Wait()
	if s.Halt.Cause() != cli.ExitPassed {
		return nil
	}
	return s.recording.Compare()
}

// checked shows the comparison, where it was not printed as JSON, and ends with
// 1 where an answer has another shape.
func (s *session) checked() error {
	list := s.compared()
	if s.Halt.Cause() != cli.ExitPassed {
		fmt.Fprintln(s.Stderr, "nothing is compared: the run was interrupted")
	}
	if !s.flags.Json {
		var b bytes.Buffer
		for _, t := range list {
			writeComparison(&b, &t, s.flags)
		}
		if _, err := s.Stdout.Write(b.Bytes()); err != nil {
			return cli.Ending(cli.ExitPassed, fmt.Errorf("cannot write: %w", err))
		}
	}
	other, hint := false, ""
	for _, t := range list {
		if t.Broken != "" {
			fmt.Fprintf(s.Stderr, "%s was not checked completely: %s\n", t.Path, t.Broken)
		}
		if t.Count(cassette.Shape) > 0 {
			other, hint = true, "scenario record "+t.Users[0].File+" records the new answers"
			if len(t.Unanswered()) > 0 {
				hint = "calls reached no service: is it up, and is the address right?"
			}
		}
	}
	if !other {
		return nil
	}
	fmt.Fprintf(s.Stderr, "hint: %s\n", hint)
	return cli.ExitWith(cli.ExitFailed)
}

// shownContents is how many changes of the content are shown of one answer;
// models say the same in many ways.
const shownContents = 4

func writeComparison(b *bytes.Buffer, t *recording.Comparison, f *liveFlags) {
	shape, content := t.Count(cassette.Shape), t.Count(cassette.Content)
	if f.Quiet && shape == 0 {
		return
	}
	fmt.Fprintf(b, "%s: %s checked, %d in another shape, %d with other content only\n", t.Path, cli.Plural(len(t.Answers), "answer"), shape, content)
	for _, c := range t.Answers {
		if c.Tier() == "" && !f.Verbose || f.Quiet && c.Tier() != cassette.Shape {
			continue
		}
		fmt.Fprintf(b, "  %s\n", answerName(c))
		if len(c.Asked) > 0 {
			d := c.Asked[0]
			writeChange(b, "asked", d.Path, d.Recorded, d.Actual)
		}
		left := 0
		for i, change := range c.Changes {
			if change.Tier == cassette.Content && !f.Verbose && i >= shownContents+shapes(c) {
				left++
				continue
			}
			writeChange(b, change.Tier, change.Path, change.Recorded, change.Now)
		}
		if left > 0 {
			fmt.Fprintf(b, "    and %d more of the content (-v shows all)\n", left)
		}
	}
}

func shapes(c cassette.Checked) int {
	n := 0
	for _, change := range c.Changes {
		if change.Tier == cassette.Shape {
			n++
		}
	}
	return n
}

// answerName says which answer is meant, as ls names it.
func answerName(c cassette.Checked) string {
	if c.Recorded == nil {
		return strings.TrimSpace(fmt.Sprintf("not recorded: %s %s", cli.Readable(address(c.Now)), c.Now.ShownURL()))
	}
	return fmt.Sprintf("interaction %d, %s (line %d)", c.Recorded.Index, cli.Readable(address(c.Recorded)), c.Recorded.Line)
}

func writeChange(w io.Writer, tier, path, recorded, now string) {
	fmt.Fprintf(w, "    %-8s %s: recorded %s, now %s\n", tier, cli.Readable(path), cli.Readable(recorded), cli.Readable(now))
}

type checkEvent struct {
	Schema   string `json:"schema"`
	Type     string `json:"type"`
	Cassette string `json:"cassette"`
	// Interaction and Line are 0 for an answer that was not recorded.
	Interaction int    `json:"interaction"`
	Line        int    `json:"line"`
	Scenario    string `json:"scenario,omitempty"`
	Step        string `json:"step,omitempty"`
	Target      string `json:"target,omitempty"`
	Attempt     int    `json:"attempt,omitempty"`
	// Status is equal, content or shape.
	Status  string        `json:"status"`
	Asked   []changeEvent `json:"asked,omitempty"`
	Changes []changeEvent `json:"changes"`
}

type changeEvent struct {
	Tier     string `json:"tier,omitempty"`
	Path     string `json:"path"`
	Recorded string `json:"recorded"`
	Now      string `json:"now"`
}

// writeCheckEvents writes a line of JSON for every answer.
func writeCheckEvents(w io.Writer, list []recording.Comparison) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, t := range list {
		for _, c := range t.Answers {
			if err := enc.Encode(checkEventOf(t.Path, c)); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkEventOf(path string, c cassette.Checked) checkEvent {
	it := cmp.Or(c.Recorded, c.Now)
	e := checkEvent{
		Schema: report.Schema, Type: "check", Cassette: path, Scenario: it.Scenario, Step: it.Step, Target: it.Target, Attempt: it.Attempt,
		Status: cmp.Or(c.Tier(), "equal"), Changes: []changeEvent{},
	}
	if c.Recorded != nil {
		e.Interaction, e.Line = it.Index, it.Line
	}
	for _, d := range c.Asked {
		e.Asked = append(e.Asked, changeEvent{"", d.Path, d.Recorded, d.Actual})
	}
	for _, d := range c.Changes {
		e.Changes = append(e.Changes, changeEvent{d.Tier, d.Path, d.Recorded, d.Now})
	}
	return e
}
