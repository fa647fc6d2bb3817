package wire

import (
	"io"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Shows that no bytes, however cut and ended, make RoundTrip or the body panic
// or hang, and that where the bytes are split over operations changes nothing
// that a client sees.
func FuzzRoundTrip(f *testing.F) {
	for _, c := range parityCases {
		if data := c.script.Bytes(); len(data) < 1<<12 {
			f.Add(data, uint16(len(data)/2), uint16(len(data)/3), uint8(EndRST))
			f.Add(data, uint16(len(data)), uint16(1), uint8(EndNone))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, cut, split uint16, end uint8) {
		s := Raw(data, EndNone).Cut(int(cut), End(end%5))
		sent := s.Ops[0].Data
		at := min(int(split), len(sent))
		halves := WireScript{Ops: []Op{{Data: sent[:at]}, {Data: sent[at:], End: s.Ops[0].End}}}
		whole, parts := observeSome(t, s), observeSome(t, halves)
		if diff := cmp.Diff(whole, parts); diff != "" {
			t.Errorf("%q cut after %d, end %d: in one operation (-) and split after %d (+) differ:\n%s", data, cut, end%5, at, diff)
		}
	})
}

// observeSome is observe for bodies that may decompress without end.
func observeSome(t *testing.T, s WireScript) observed {
	c := newFakeClock()
	r := post(t, target)
	ctx, _ := c.WithTimeout(r.Context(), time.Hour)
	resp, err := s.RoundTrip(c, r.WithContext(ctx))
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, 1<<20), resp.Body}
	}
	o := observe(resp, err)
	o.AgainErr, o.AfterClosedErr = nil, nil
	return o
}
