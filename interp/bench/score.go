package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
)

// A FailureMode is one finding of a rubric, or one of the failures that the
// runner names.
type FailureMode struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Detail   string `json:"detail"`
}

// A Score is what a rubric says of an answer.
type Score struct {
	Passed       bool
	Score        float64 // 0 to 1
	Breakdown    map[string]float64
	FailureModes []FailureMode
	// CostUSD is what scoring cost; in a result it is what the case cost.
	CostUSD float64
	// Nothing says why it shows nothing of the answer that it passes, "" where it does.
	Nothing string
	// Exchanged says that the answer would also pass as that of another case.
	Exchanged bool
	// Instead says what else would pass in the place of the answer.
	Instead Instead
	// Seen is what there is to look at of how the score came about, nil for
	// nothing.
	Seen *Kept
}

// The limits of what a rubric may say: results are kept for every case.
const (
	maxModes   = 100
	maxCode    = 200
	scoreDepth = 8
	// maxPart bounds a part of a breakdown, so that trials can be averaged.
	maxPart = 1e300
)

// ParseScore reads what a rubric wrote: one JSON object with the fields passed,
// score, breakdown, failure_modes and cost_usd, of which the first two must be
// there, and nothing else. The error is for the author of the rubric.
func ParseScore(text []byte) (Score, error) {
	fields, err := members(text)
	if err != nil {
		return Score{}, err
	}
	s := Score{Breakdown: map[string]float64{}}
	var passed *bool
	var score *float64
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var to any
		switch name {
		case "passed":
			to = &passed
		case "score":
			to = &score
		case "breakdown":
			to = &s.Breakdown
		case "cost_usd":
			to = &s.CostUSD
		case "failure_modes":
			if s.FailureModes, err = parseModes(fields[name]); err != nil {
				return Score{}, err
			}
			continue
		default:
			return Score{}, fmt.Errorf("a score has no field %q; it has passed, score, breakdown, failure_modes, cost_usd", cut(name))
		}
		if err := json.Unmarshal(fields[name], to); err != nil {
			return Score{}, fmt.Errorf("%q of the score is wrong: %s", name, clip(fields[name], 40))
		}
	}
	if passed == nil || score == nil {
		return Score{}, errors.New("a score needs passed (a bool) and score (a number)")
	}
	s.Passed, s.Score = *passed, *score
	return s, s.check()
}

// members are the fields of the only value in a text, an object.
func members(text []byte) (map[string]json.RawMessage, error) {
	if depth(text) > scoreDepth {
		return nil, fmt.Errorf("standard output is nested more than %d deep", scoreDepth)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var fields map[string]json.RawMessage
	if err := d.Decode(&fields); err != nil || fields == nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("standard output is empty, where a score is expected")
		}
		return nil, errors.New("standard output is no JSON object")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("standard output holds more than one JSON value")
	}
	return fields, nil
}

// depth is how deep brackets nest in a text, whatever it is.
func depth(text []byte) int {
	deep, most, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
			most = max(most, deep)
		case c == '}' || c == ']':
			deep--
		}
	}
	return most
}

func parseModes(text json.RawMessage) ([]FailureMode, error) {
	var list []map[string]*string
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, errors.New(`"failure_modes" of the score is not a list of objects of strings: [{"code": …, "severity": …, "detail": …}]`)
	}
	modes := make([]FailureMode, 0, min(len(list), maxModes+1))
	for _, fields := range list {
		var m FailureMode
		for name, value := range fields {
			if value == nil {
				continue
			}
			switch name {
			case "code":
				m.Code = *value
			case "severity":
				m.Severity = *value
			case "detail":
				m.Detail = *value
			default:
				return nil, fmt.Errorf("a failure mode has no field %q; it has code, severity, detail", cut(name))
			}
		}
		if modes = append(modes, m); len(modes) > maxModes {
			break // check refuses it
		}
	}
	return modes, nil
}

// clip is the beginning of a text, for a message.
func clip(text []byte, n int) string {
	if len(text) <= n {
		return strings.ToValidUTF8(string(text), "?")
	}
	return strings.ToValidUTF8(string(text[:n]), "?") + "…"
}

// check holds a score to what is said of one, wherever it came from.
func (s *Score) check() error {
	switch {
	case !(s.Score >= 0 && s.Score <= 1): // NaN, too
		return fmt.Errorf("the score is %v and has to be from 0 to 1", s.Score)
	case !(s.CostUSD >= 0) || math.IsInf(s.CostUSD, 0):
		return fmt.Errorf("the cost is %v and cannot be negative", s.CostUSD)
	case len(s.FailureModes) > maxModes:
		return fmt.Errorf("a score may have %d failure modes at most", maxModes)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Breakdown)) {
		if v := s.Breakdown[key]; !(math.Abs(v) <= maxPart) { // NaN, too
			return fmt.Errorf("%q of the breakdown is %v", cut(key), v)
		}
	}
	for _, m := range s.FailureModes {
		if m.Code == "" || len(m.Code) > maxCode {
			return fmt.Errorf("a failure mode needs a code of at most %d characters", maxCode)
		}
		if m.Severity != "" && !slices.Contains(failure.Severities(), m.Severity) {
			return fmt.Errorf("the failure mode %q has severity %q; the severities are %s", m.Code, cut(m.Severity), strings.Join(failure.BenchSeverities(), ", "))
		}
	}
	return nil
}

// resolve holds a valid score to the bench: an unknown key of the breakdown
// discards all but the cost, an unknown failure mode is replaced in its place,
// and the taxonomy says how severe a known one is.
func (s Score) resolve(spec *Spec) Score {
	for _, key := range slices.Sorted(maps.Keys(s.Breakdown)) {
		if !slices.Contains(spec.BreakdownKeys, key) {
			return failed(UnknownBreakdownKey, cut(key), s.CostUSD)
		}
	}
	modes := make([]FailureMode, len(s.FailureModes))
	for i, m := range s.FailureModes {
		modes[i] = m.resolve(spec.Taxonomy)
	}
	s.FailureModes = modes
	if s.Breakdown == nil {
		s.Breakdown = map[string]float64{}
	}
	return s
}

func (m FailureMode) resolve(t *failure.Taxonomy) FailureMode {
	unknown := FailureMode{Code: UnknownFailureMode, Severity: failure.SeverityBlock}
	if Reserved(m.Code) {
		unknown.Detail = reservedDetail + m.Code
		return unknown
	}
	known := t.Lookup(m.Code)
	if known == nil {
		unknown.Detail = m.Code
		return unknown
	}
	return FailureMode{Code: m.Code, Severity: known.Severity, Detail: cut(m.Detail)}
}
