package server

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// Measures a request over TLS to a host that the proxy stands in for, over a
// connection of its own: one that was not asked before, whose certificate has to
// be made, and the same again and again.
func BenchmarkIntercept(b *testing.B) {
	const hosts = 400
	var text strings.Builder
	for n := range hosts {
		fmt.Fprintf(&text, "provider \"http\" \"p%d\" { base_url = \"https://h%d.test\" }\n", n, n)
	}
	text.WriteString("scenario \"s\" {\n")
	for n := range hosts {
		fmt.Fprintf(&text, "  on \"p%d\" {\n    reply {\n      body  = \"well\"\n      times = \"*\"\n    }\n  }\n", n)
	}
	text.WriteString("  expect \"run\" { status = \"success\" }\n}\n")
	for name, host := range map[string]func(n int) int{"new": func(n int) int { return n % hosts }, "same": func(int) int { return 0 }} {
		b.Run(name, func(b *testing.B) {
			w := intercept(b, text.String(), Interception{})
			w.client.Transport.(*http.Transport).DisableKeepAlives = true
			var took []float64
			n := 0
			for b.Loop() {
				began := time.Now()
				resp, err := w.client.Get(fmt.Sprintf("https://h%d.test/a", host(n)))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				took = append(took, float64(time.Since(began))/float64(time.Millisecond))
				n++
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)*99/100], "ms-p99")
		})
	}
}
