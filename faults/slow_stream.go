package faults

import (
	"errors"
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const slowStreamName = "slow_stream"

var slowStream = &Kind{
	Name:       slowStreamName,
	AlsoCalled: []string{"slow", "bandwidth", "slicer", "throttled_stream"},
	Summary:    "A complete stream that arrives slowly: a success for a caller that waits long enough.",
	For:        streams,
	Groups:     []Group{GroupLate},
	Slow:       true,
	Attrs: []schema.Attr{
		{Name: "chunk_delay", Type: schema.Duration, Min: 0, HasMin: true, Doc: "The wait before every delta of content but the first, in place of the answer's own; of an answer without content before every event but the first. `1s` where `bytes_per_second` is absent, too."},
		{Name: "bytes_per_second", Type: schema.Int, Min: 1, HasMin: true, Doc: "How fast the body comes, in place of `chunk_delay`: an event is there when its last byte is."},
	},
	Tried: func(f Figures) []Trial {
		list := []Trial{{}}
		if len(f.Deadlines) > 0 {
			list = append(list, Trial{Args: schema.Values{"chunk_delay": f.Deadlines[0]}})
		}
		return list
	},
	Script: strikeSlowStream,
}

func strikeSlowStream(s Strike) (wire.WireScript, error) {
	if err := s.only("chunk_delay", "bytes_per_second"); err != nil {
		return wire.WireScript{}, err
	}
	resp, _ := s.disturbed(1)
	if !resp.Stream {
		return wire.WireScript{}, errors.New("the answer is no stream: set stream = true on the step")
	}
	if s.has("bytes_per_second") {
		rate := s.number("bytes_per_second", 0)
		if rate < 1 {
			return wire.WireScript{}, fmt.Errorf("bytes_per_second is %d: it is 1 or more", rate)
		}
		drip(resp.Parts, rate)
	} else {
		delay, err := s.chunkDelay()
		if err != nil {
			return wire.WireScript{}, err
		}
		pace(resp.Parts, delay, resp.Count(wire.PartChunk) == 0)
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(slowStreamName)), nil
}

func (s Strike) chunkDelay() (time.Duration, error) {
	delay, ok := s.Args["chunk_delay"].(time.Duration)
	switch {
	case !ok:
		return time.Second, nil
	case delay < 0:
		return 0, fmt.Errorf("chunk_delay is %s: it is 0 or more", delay)
	default:
		return delay, nil
	}
}

// pace waits before every delta but the first, as the chunk_delay of a reply
// does; all counts every part as one.
func pace(parts []wire.Part, delay time.Duration, all bool) {
	begun := false
	for i := range parts {
		if !all && parts[i].Kind != wire.PartChunk {
			continue
		}
		if begun {
			parts[i].Wait = delay
		}
		begun = true
	}
}

// drip gives every part the time that its bytes take. Times are counted from
// the first byte on, so that rounding never adds up.
func drip(parts []wire.Part, rate int) {
	sent, at := 0, time.Duration(0)
	for i := range parts {
		sent += len(parts[i].Data)
		due := time.Duration(sent/rate)*time.Second + time.Duration(sent%rate)*time.Second/time.Duration(rate)
		parts[i].Wait, at = due-at, due
	}
}
