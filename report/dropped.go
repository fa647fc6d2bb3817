package report

import (
	"fmt"
	"strconv"
	"strings"
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
}

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
}

func (d *dropped) lines() []string {
	lines := make([]string, len(d.causes))
	for i, c := range d.causes {
		were := "were"
		if c.scenarios == 1 {
			were = "was"
		}
		lines[i] = fmt.Sprintf("%s in %s %s %s", plural(c.scenarios, "scenario"), plural(c.files, "file"), were, c.reason)
	}
	return lines
}

// plural writes how many there are of what, in groups of three digits.
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
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
