package report

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// outside are the lines of a Markdown text that are in no fence.
func outside(text string) (lines []string) {
	fence := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case fence != "" && line == fence:
			fence = ""
		case fence == "" && strings.HasPrefix(line, "```"):
			fence = line
		case fence == "":
			lines = append(lines, line)
		}
	}
	return lines
}

// Shows that a summary has the timeline of a scenario that did not pass in a closed
// block, and of no other, and that no text of a run gets out of it.
func TestMarkdownTimeline(t *testing.T) {
	failed := story()
	failed.Result.Verdict, failed.Result.Problems = interp.Fail, []interp.Problem{{Kind: "assert", Name: "x"}}
	passed := story()
	passed.Result.Verdict, passed.Result.Problems = interp.Pass, nil
	got := written(t, Markdown, []Entry{failed, passed}, nil)
	if n := strings.Count(got, "<details>"); n != 1 || strings.Count(got, "</details>") != 1 {
		t.Errorf("%d blocks in\n%s", n, got)
	}
	for _, l := range timeline(failed.Result.Events) {
		if !strings.Contains(got, l) {
			t.Errorf("%q is not in\n%s", l, got)
		}
	}
	marks := "</details>\n```\n````\n::error::x\n<script>"
	got = written(t, Markdown, entriesOf(marks), nil)
	lines := outside(got)
	if n := len(slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return l != "</details>" })); n != 1 {
		t.Errorf("%d blocks end in\n%s", n, got)
	}
	for _, l := range lines {
		if strings.HasPrefix(l, "::") || strings.Contains(l, "<script>") && !strings.Contains(l, `\<script\>`) {
			t.Errorf("markup from a run: %q", l)
		}
	}
}

// Shows that a summary keeps below what GitHub accepts, however many scenarios fail,
// however long their runs are, and however much is wrong with one.
func TestTimelinesAreBounded(t *testing.T) {
	long := story()
	long.Result.Verdict = interp.Fail
	long.Result.Problems = slices.Repeat([]interp.Problem{{Kind: "assert", Name: "x", Message: strings.Repeat("y", 30<<10)}}, 100)
	for i := range 2000 {
		long.Result.Events = append(long.Result.Events, trace.Event{Type: trace.StepStart, At: time.Duration(i), Step: fmt.Sprint(strings.Repeat("s", 200), i)})
	}
	for _, n := range []int{1, 5000} {
		if got := written(t, Markdown, slices.Repeat([]Entry{long}, n), nil); len(got) > 1<<20 {
			t.Errorf("%d scenarios take %d bytes", n, len(got))
		} else if n > 1 && !bytes.Contains([]byte(got), []byte("more are not shown")) {
			t.Error("nobody is told that some are left out")
		}
	}
}
