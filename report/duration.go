package report

import (
	"strings"
	"time"

	"github.com/scenario-lang/scenario/trace"
)

// brief writes a time of a virtual clock as a label of an axis: 2m, not 2m0s.
func brief(d time.Duration) string {
	s := virtual(d)
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// duration is the text of an attribute that is one, "" for any other.
func duration(a trace.Attr) string {
	if d, ok := a.Value.(time.Duration); ok {
		return virtual(d)
	}
	return ""
}
