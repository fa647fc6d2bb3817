package bench

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scenario-lang/scenario/failure"
)

// The codes of what can go wrong with a case. They are the runner's own:
// no taxonomy names them, and a rubric may not.
const (
	SUTException        = "sut.exception"
	SUTTimeout          = "sut.timeout"
	RubricMalformed     = "rubric.malformed_output"
	RubricTimeout       = "rubric.timeout"
	UnknownBreakdownKey = "rubric.unknown_breakdown_key"
	UnknownFailureMode  = "rubric.unknown_failure_mode"
	// WorkerLost is no failure of the system: nobody knows how the trial ended.
	WorkerLost = "infrastructure.worker_lost"
)

var codes = []string{SUTException, SUTTimeout, RubricMalformed, RubricTimeout, UnknownBreakdownKey, UnknownFailureMode, WorkerLost}

// Codes lists those codes, those of the system first. The slice is the caller's.
func Codes() []string { return slices.Clone(codes) }

// Reserved reports whether a code is one of the runner's own.
func Reserved(code string) bool { return slices.Contains(codes, code) }

// reservedDetail begins the detail of a failure mode that a rubric took from
// those.
const reservedDetail = "reserved_code:"

// maxDetail is how many characters of a message a detail holds.
const maxDetail = 200

// cut shortens a text to the characters of a detail.
func cut(text string) string {
	n := 0
	for i := range text {
		if n == maxDetail {
			return text[:i]
		}
		n++
	}
	return text
}

// Shortened is a text within the characters of a detail: of a longer one the first
// words and the last, in which a program says why it failed. Its secrets have to be
// hidden before: half of one cannot be found.
func Shortened(text string) string {
	all := []rune(text)
	if len(all) <= maxDetail {
		return text
	}
	const gap = " … "
	const first = maxDetail / 4
	head, tail := string(all[:first]), string(all[len(all)-(maxDetail-first-len([]rune(gap))):])
	end, begin := strings.LastIndexFunc(head, unicode.IsSpace), strings.IndexFunc(tail, unicode.IsSpace)
	if end < 0 || begin < 0 {
		return cut(text)
	}
	return strings.TrimSpace(head[:end]) + gap + strings.TrimSpace(tail[begin:])
}

// failed is the outcome of a case that ended in one of those failures.
func failed(code, detail string, cost float64) Score {
	return Score{
		Breakdown: map[string]float64{}, CostUSD: cost,
		FailureModes: []FailureMode{{Code: code, Severity: failure.SeverityBlock, Detail: detail}},
	}
}
