package wire

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"
)

// log notes what a watch is told.
type watchLog []string

func (l *watchLog) Sent(n int)    { *l = append(*l, fmt.Sprint("sent ", n)) }
func (l *watchLog) End(left bool) { *l = append(*l, fmt.Sprint("end ", left)) }

// Whoever watches a script learns how much of it came, and who ended it, once.
func TestWatch(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
	whole := WireScript{Ops: []Op{{Data: []byte(head)}, {Wait: time.Second, Data: []byte("body")}}}
	cut := WireScript{Ops: []Op{{Data: []byte(head + "bo"), End: EndRST}}}
	n := len(head)
	readAll := func(resp *http.Response) {
		_, _ = io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body.Close()
	}
	for name, tc := range map[string]struct {
		script WireScript
		use    func(*http.Response)
		ctx    func() context.Context
		want   []string
	}{
		"read to its end":   {whole, readAll, nil, []string{fmt.Sprint("sent ", n), "sent 4", "end false"}},
		"closed unread":     {whole, func(r *http.Response) { r.Body.Close() }, nil, []string{fmt.Sprint("sent ", n), "end true"}},
		"reset":             {cut, readAll, nil, []string{fmt.Sprint("sent ", n+2), "end false"}},
		"closed, all there": {Raw([]byte(head+"body"), EndNone), func(r *http.Response) { r.Body.Close() }, nil, []string{fmt.Sprint("sent ", n+4), "end false"}},
		"no body":           {Raw([]byte("HTTP/1.1 204 No Content\r\n\r\n"), EndNone), readAll, nil, []string{"sent 27", "end false"}},
		"refused":           {WireScript{Dial: io.ErrClosedPipe}, nil, nil, []string{"end false"}},
		"garbage":           {Raw([]byte("SSH-2.0\r\n"), EndFIN), nil, nil, []string{"sent 9", "end false"}},
		"left before the head": {WireScript{Ops: []Op{{End: EndHang}}}, nil, func() context.Context {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx
		}, []string{"end true"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			if tc.ctx != nil {
				ctx = tc.ctx()
			}
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://example.test/", nil)
			var log watchLog
			resp, err := tc.script.RoundTripWatched(newFakeClock(), req, &log)
			if (err == nil) != (tc.use != nil) {
				t.Fatalf("error %v", err)
			}
			if err == nil {
				tc.use(resp)
			}
			if !slices.Equal(log, tc.want) {
				t.Errorf("%q, want %q", log, tc.want)
			}
		})
	}
}
