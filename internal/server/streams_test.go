package server

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime"
	"strings"
	"testing"
)

// endurance says that the long forms of tests are wanted: make endurance.
var endurance = os.Getenv("SCENARIO_ENDURANCE") != ""

// open begins streams that fall silent after their first words, and returns what
// the process holds for each, in bytes.
func open(t *testing.T, streams int) int {
	t.Helper()
	w := begin(t, `provider "openai" "p" {}
scenario "s" {
  allow = ["unfired_fault"]
  on "p" {
    fault "stream_truncate" {
      times        = "*"
      chunks       = ["Rayleigh ", "scattering."]
      after_chunks = 1
      end          = "stall"
    }
  }
  expect "run" { status = "success" }
}
`, DefaultLimits)
	base, err := url.Parse(w.plan.Asked()[0].Address())
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`
	text := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	before := held()
	clients := make([]net.Conn, streams)
	for i := range clients {
		ours, theirs := net.Pipe()
		defer ours.Close()
		clients[i] = ours
		w.Serve(theirs, Origin{Provider: "p", Base: base})
		if _, err := io.WriteString(ours, text); err != nil {
			t.Fatal(err)
		}
		in := bufio.NewReaderSize(ours, 16)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(line, "Rayleigh") {
				break
			}
		}
	}
	each := (held() - before) / streams
	if n := w.Asked(); n != streams {
		t.Errorf("%d of %d streams were asked for", n, streams)
	}
	return each
}

// held is what is in use, after a collection.
func held() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc + m.StackInuse)
}

// Shows that many streams at once cost memory in proportion to their number, and no
// more than 64 kB each, the client's part included.
func TestManyStreams(t *testing.T) {
	few, many := 200, 1000
	if endurance {
		few, many = 1000, 10_000
	}
	small, large := open(t, few), open(t, many)
	t.Logf("%d streams hold %d B each, %d streams %d B", few, small, many, large)
	if large > 64<<10 || float64(large) > 1.25*float64(small) {
		t.Errorf("%d streams hold %d B each, and %d streams %d B", few, small, many, large)
	}
}
