package drive

import (
	"fmt"
	"strings"
)

// Crashed says of a program that ended by itself with a status of its own that it did so by an
// exception which it did not catch, "" where it did not, or where the scenario reads what it wrote.
func (r *Run) Crashed() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	sut := &r.Obs.Sut
	reads := r.plan.Needs.Of("sut")
	if sut.Stopped || sut.ExitCode == nil || *sut.ExitCode == 0 || reads.Of("stderr") != nil || reads.Of("stdout") != nil {
		return ""
	}
	said := uncaught(sut.Stderr)
	if said == "" {
		return ""
	}
	return fmt.Sprintf("the program ended with status %d by an exception that it did not catch: %s. So it does with any other mistake in it.\nhint: check what it says of the failure, such as strcontains(sut.stderr, \"declined\"), or give it a status of its own", *sut.ExitCode, said)
}

// uncaught is the line of standard error that names the exception where it ends as Python, Node and
// Java end it with one that nobody caught, "" for any other end.
func uncaught(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	last := lines[len(lines)-1]
	node := strings.HasPrefix(last, "Node.js v")
	for i := len(lines) - 2; i >= 0; i-- {
		switch line := lines[i]; {
		case line == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "Caused by: "):
		case node && strings.Contains(line, "Error"), strings.HasPrefix(line, "Exception in thread \""):
			return line
		case line == "Traceback (most recent call last):":
			return last
		case !node:
			return ""
		}
	}
	return ""
}
