package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/interp"
)

// dropped counts what a suite that ended early did not come to, so that a
// large one says it in a line and not in one for each file. Its zero value has
// counted nothing.
type dropped struct {
	causes []cause
	// file is the last one counted.
	file string
}

// A cause is one reason with what it kept from running.
type cause struct {
	reason           string
	scenarios, files int
	// names are the first of those that nobody chose to leave out.
	names []string
}

// namesShown bounds how many scenarios are named.
const namesShown = 10

// add counts one scenario. Those of one file follow each other.
func (d *dropped) add(e *Entry) {
	if n := len(d.causes); n == 0 || d.causes[n-1].reason != e.Reason {
		d.causes = append(d.causes, cause{reason: e.Reason})
	}
	c := &d.causes[len(d.causes)-1]
	c.scenarios++
	if file := e.Result.Plan.File; c.files == 0 || file != d.file {
		c.files++
		d.file = file
	}
	if p := e.Result.Plan; e.Result.Verdict == interp.Error && len(c.names) < namesShown {
		c.names = append(c.names, fmt.Sprintf("  %q  %s:%d", p.Name, p.File, p.Line))
	}
}

func (d *dropped) lines() []string {
	var lines []string
	for _, c := range d.causes {
		were := "were"
		if c.scenarios == 1 {
			were = "was"
		}
		line := fmt.Sprintf("%s in %s %s %s", plural(c.scenarios, "scenario"), plural(c.files, "file"), were, c.reason)
		if len(c.names) > 0 {
			line += ":"
		}
		lines = append(append(lines, line), c.names...)
		if more := c.scenarios - len(c.names); more > 0 && len(c.names) > 0 {
			lines = append(lines, fmt.Sprintf("  … and %d more; -v names all", more))
		}
	}
	return lines
}

// plural writes how many there are of what, in groups of three digits.
func plural(n int, noun string) string {
	if n != 1 {
		noun = plurals(noun)
	}
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String() + " " + noun
}

// plurals is the word for several.
func plurals(noun string) string {
	if strings.HasSuffix(noun, "ch") {
		return noun + "es"
	}
	return noun + "s"
}
