package job

import (
	"regexp"
	"strings"
)

// ofRun are the streams that a queue has of a run, by their names and subjects; each begins
// with its name of the run "".
var ofRun = []struct{ stream, subjects func(run string) string }{
	{WorkStream, WorkSubjects},
	{ResultStream, ResultSubjects},
	{ExtraStream, func(run string) string { return ExtraSubjects(run, "*") }},
}

// rateStream is the stream of a bucket of [RateBucket].
var rateStream = regexp.MustCompile(`^KV_(scenario-rate-(.+)-[1-9][0-9]*)$`)

// RunOf is the run that a stream has something of, by its name and its subjects, "" for a
// stream of no run: a server may have others that are called alike.
func RunOf(stream string, subjects []string) string {
	if len(subjects) != 1 {
		return ""
	}
	for _, of := range ofRun {
		if run, ok := strings.CutPrefix(stream, of.stream("")); ok && run != "" && subjects[0] == of.subjects(run) {
			return run
		}
	}
	if m := rateStream.FindStringSubmatch(stream); m != nil && subjects[0] == "$KV."+m[1]+".>" {
		return m[2]
	}
	return ""
}
