package sut

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// longest is the wait that nobody means a program to sit out in a test.
const longest = 2 * time.Minute

// A DoubtfulWait is one that a program will not wait as it is written, and Why.
type DoubtfulWait struct {
	interp.ToldWait
	Why string
}

// DoubtfulWaits are warnings about what a program is told to wait: what few clients
// read, what is not the wait that is written once it is scaled, and what takes long in
// real time. Real says that times are not scaled in spite of the file.
func DoubtfulWaits(p *interp.Plan, real bool) []DoubtfulWait {
	scale := 1.0
	if s := p.Sut(); s != nil && s.TimeScale > 0 && !real {
		scale = s.TimeScale
	}
	var list []DoubtfulWait
	warn := func(w interp.ToldWait, format string, args ...any) {
		list = append(list, DoubtfulWait{w, fmt.Sprintf(format, args...)})
	}
	for _, w := range p.ToldWaits() {
		n, err := strconv.ParseFloat(w.Value, 64)
		if until, bad := http.ParseTime(w.Value); bad == nil {
			dated(until.Sub(virtualStart), scale, func(format string, args ...any) { warn(w, format, args...) })
		}
		if err != nil || n <= 0 {
			continue // a date, or what no client reads
		}
		sent := math.Max(1, math.Ceil(n/scale))
		switch wait := time.Duration(sent * float64(time.Second)); {
		case scale == 1 && n != math.Trunc(n):
			warn(w, "A Retry-After of %s s has a fraction, and by RFC 9110 it has none: many clients read no such number and wait as they like. Write %d.", w.Value, int(math.Ceil(n)))
		case scale == 1 && n > longest.Seconds():
			warn(w, "The program is told to wait for %s, and a run is in real time: some clients wait for as long as they are told. Give the sut a time_scale.", wait)
		case scale != 1 && math.Abs(sent*scale-n) > n/10:
			warn(w, "A Retry-After of %s s is one of %d s with time_scale = %v, as it is sent in whole seconds: it reads as %v s. Write %v, or choose a time_scale that divides it.", w.Value, int(sent), scale, sent*scale, sent*scale)
		case scale != 1 && wait > longest:
			warn(w, "The program is told to wait for %s in real time, with time_scale = %v: some clients wait for as long as they are told.", wait, scale)
		}
	}
	return list
}

// virtualStart is when the clock of a scenario begins, from which its dates count.
var virtualStart = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// dated warns of a date that is so long after the start of the run.
func dated(after time.Duration, scale float64, warn func(format string, args ...any)) {
	switch real := time.Duration(float64(after) / scale); {
	case after <= 0:
	case real > longest:
		warn("The program is told to wait until %s after the start of the run, in real time: some clients wait for as long as they are told.", real.Round(time.Second))
	case scale > after.Seconds()/10:
		warn("A date in Retry-After is sent in whole seconds, and one of them reads as %v s with time_scale = %v: the date is %s after the start of the run. Write the seconds to wait, or choose a smaller time_scale.", scale, scale, after)
	}
}
