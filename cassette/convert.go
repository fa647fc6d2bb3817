package cassette

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

// An exporter is a format that a cassette can be written in.
type exporter struct {
	name  string
	write func(io.Writer, *Cassette) error
	// keeps are the properties that the format has a place for.
	keeps []string
}

// exporters are all formats that [Convert] writes.
var exporters = []*exporter{
	{"scenario", Write, []string{lostErrors, lostEnds, lostTimes, lostKeys, lostTrailers, lostProtocol}},
	{"go-vcr-1", writeVCR1, nil},
	{"go-vcr-2", writeVCR2, []string{lostProtocol, lostTrailers}},
}

// ConvertFormats names the formats that [Convert] takes.
func ConvertFormats() []string {
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

// Convert writes a cassette in another format. It says what of it has no place
// there, each with the number of interactions that it concerns. c is not
// changed. A response file, which has no exchanges, is refused.
func Convert(w io.Writer, c *Cassette, format string) (lost []string, err error) {
	for _, e := range exporters {
		if e.name != format {
			continue
		}
		if c.Scripts != nil {
			return nil, fmt.Errorf("%s holds answers and no exchanges\nhint: `scenario import` makes scripts of it", c.Path)
		}
		return losses(e, c), e.write(w, c)
	}
	return nil, fmt.Errorf("unknown format %s; there are %s", quote(format), strings.Join(ConvertFormats(), ", "))
}

// losses counts what the format has no place for.
func losses(e *exporter, c *Cassette) []string {
	counts := map[string]int{}
	for _, it := range c.Interactions {
		for what, has := range map[string]bool{
			lostErrors:   it.Error != "",
			lostEnds:     it.Response.End != wire.EndNone,
			lostTimes:    len(it.Chunks) > 0,
			lostKeys:     it.Scenario+it.Step+it.Target != "" || it.Attempt > 0 || it.Round > 0,
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
	for _, what := range sortedKeys(counts) {
		list = append(list, fmt.Sprintf("%s (%d of %d interactions)", what, counts[what], len(c.Interactions)))
	}
	return list
}

// Written is how many interactions of a cassette a format has a place for.
func Written(c *Cassette, format string) int {
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

// Redacted is the cassette as a recorder would have kept it: without the header
// fields that are not known to be harmless, and with placeholders for secrets.
func (c *Cassette) Redacted(r *Redactor) *Cassette {
	out := &Cassette{Path: c.Path, Format: c.Format, Whole: c.Whole, Own: c.Own, Provider: c.Provider, RecordedAt: c.RecordedAt, Scripts: c.Scripts}
	for _, it := range c.Interactions {
		out.Interactions = append(out.Interactions, r.interaction(it.Clone()))
	}
	return out
}

// interaction hides what an interaction shows, in place.
func (r *Redactor) interaction(it *Interaction) *Interaction {
	hidden := r.Request(it.Request())
	it.URL, it.RequestBody = hidden.URL, hidden.Body
	if len(it.Form) > 0 {
		it.Form = formOf(it)
	}
	it.RequestHeader = r.keptHeader(it.RequestHeader, keptRequest, nil)
	if it.Error != "" {
		it.ErrorText = r.Text(it.ErrorText)
		return it
	}
	kept := r.keptHeader(header(it.Response.Header), keptResponse, nil)
	before := string(it.Response.Body())
	body := r.stored(kept, before)
	it.Chunks = remap(it.Chunks, before, body)
	it.Response.Trailer = replayFields(r.keptHeader(header(it.Response.Trailer), keptResponse, nil), nil)
	status, reason, end, trailer := it.Response.Status, it.Response.Reason, it.Response.End, it.Response.Trailer
	it.Response = wire.Response{End: end, Trailer: trailer}
	it.answer(status, fmt.Sprintf("%d %s", status, reason), kept, body)
	return it
}

// formOf reads the form of a redacted interaction anew.
func formOf(it *Interaction) map[string][]string {
	req, err := http.NewRequest(it.Method, it.URL, strings.NewReader(string(it.RequestBody)))
	if err != nil {
		return nil
	}
	req.Header.Set("Content-Type", it.RequestHeader.Get("Content-Type"))
	_ = req.ParseForm() // what can be read of it
	return req.Form
}
