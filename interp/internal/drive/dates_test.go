package drive

import (
	"net/http"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/wire"
)

// A head with a date of any format that a client reads is looked at, also where it comes
// in pieces, and one that has none is not.
func TestHeadsWithDates(t *testing.T) {
	at := time.Date(2000, time.January, 1, 0, 0, 7, 0, time.UTC)
	for _, format := range []string{http.TimeFormat, time.RFC850, time.ANSIC} {
		date := at.Format(format)
		if _, err := http.ParseTime(date); err != nil {
			t.Fatal(err)
		}
		head := "HTTP/1.1 429 Too Many Requests\r\nRetry-After: " + date + "\r\n\r\n{}"
		for cut := range len(head) {
			s := wire.WireScript{Ops: []wire.Op{{Data: []byte(head[:cut])}, {Data: []byte(head[cut:])}}}
			if !mayDate(s) {
				t.Errorf("%q | %q: no date is seen", head[:cut], head[cut:])
			}
		}
	}
	if mayDate(wire.WireScript{Ops: []wire.Op{{Data: []byte("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n")}, {Data: []byte(`data: {"a":{"b":1}}`)}}}) {
		t.Error("a date is seen where none is")
	}
}
