package convert

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/wire"
)

// An exporter is a format that a cassette can be written in.
type exporter struct {
	name  string
	write func(io.Writer, *cassette.Cassette) error
	// keeps are the properties that the format has a place for.
	keeps []string
}

// exporters are all formats that [Write] writes.
var exporters = []*exporter{
	{"scenario", cassette.Write, []string{lostErrors, lostEnds, lostTimes, lostKeys, lostTrailers, lostProtocol}},
	{"go-vcr-1", cassette.WriteVCR1, nil},
	{"go-vcr-2", cassette.WriteVCR2, []string{lostProtocol, lostTrailers}},
}

// Formats names the formats that [Write] takes.
func Formats() []string {
	names := make([]string, len(exporters))
	for i, e := range exporters {
		names[i] = e.name
	}
	return names
}

// What a format may have no place for.
const (
	lostErrors   = "an error in the place of an answer: the interaction is left out"
	lostEnds     = "how an answer broke off: it is whole up to there"
	lostTimes    = "the time of pieces: all of an answer comes after its duration"
	lostKeys     = "scenario, step, target, attempt and round"
	lostTrailers = "trailers"
	lostProtocol = "the protocol of the answer"
)

// Write writes a cassette in another format. It says what of it has no place
// there, each with the number of interactions that it concerns. c is not
// changed. A response file, which has no exchanges, is refused.
func Write(w io.Writer, c *cassette.Cassette, format string) (lost []string, err error) {
	for _, e := range exporters {
		if e.name != format {
			continue
		}
		if c.Scripts != nil {
			return nil, fmt.Errorf("%s holds answers and no exchanges\nhint: `scenario import` makes scripts of it", c.Path)
		}
		return losses(e, c), e.write(w, c)
	}
	return nil, fmt.Errorf("unknown format %s; there are %s", strconv.Quote(format), strings.Join(Formats(), ", "))
}

// losses counts what the format has no place for.
func losses(e *exporter, c *cassette.Cassette) []string {
	counts := map[string]int{}
	for _, it := range c.Interactions {
		for what, has := range map[string]bool{
			lostErrors:   it.Error != "",
			lostEnds:     it.Response.End != wire.EndNone,
			lostTimes:    len(it.Chunks) > 0,
			lostKeys:     it.Scenario+it.Step+it.Target+it.Lane != "" || it.Attempt > 0 || it.Round > 0,
			lostTrailers: len(it.Response.Trailer) > 0,
			lostProtocol: it.Protocol != "",
		} {
			if has {
				counts[what]++
			}
		}
	}
	for _, kept := range e.keeps {
		delete(counts, kept)
	}
	var list []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s (%d of %d interactions)", what, counts[what], len(c.Interactions)))
	}
	return list
}

// Written is how many interactions of a cassette a format has a place for.
func Written(c *cassette.Cassette, format string) int {
	n := len(c.Interactions)
	for _, e := range exporters {
		for _, it := range c.Interactions {
			if e.name == format && it.Error != "" && !slices.Contains(e.keeps, lostErrors) {
				n--
			}
		}
	}
	return n
}
