package sut

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/otlp"
	"github.com/scenario-lang/scenario/interp"
)

// flushing is how long a program runs on whose words a condition reads: exporters
// send what they have every half second, and few programs do when they are told to
// end.
const flushing = 600 * time.Millisecond

// scraping is how long the page of metrics may take, and heading how long the head
// of an export.
const (
	scraping = 5 * time.Second
	heading  = 5 * time.Second
)

// telemetry is what the program says of itself: what it exports to a listener of
// its own, and what stands on its page of metrics.
type telemetry struct {
	store  *otlp.Store
	server *http.Server
	// exports says that the program is told to export.
	exports bool
	// start is when the run began, and scale how much faster its time is.
	start time.Time
	scale float64
	// unread is why the page could not be read, once at least; nil where it could.
	unread error
}

// newTelemetry is for a run that is about to begin.
func (r *run) newTelemetry() *telemetry {
	return &telemetry{exports: r.sut.Telemetry, start: r.began, scale: r.scale}
}

// listen receives what the program exports, and returns the variables that tell it
// where.
func (t *telemetry) listen(o *interp.Outside) (map[string]string, error) {
	t.store = otlp.NewStore(otlp.Options{Redact: o.Redactor(), Changed: o.Changed})
	if !t.exports {
		return nil, nil
	}
	l, err := net.Listen("tcp4", net.JoinHostPort(loopback[0], "0"))
	if err != nil {
		return nil, fmt.Errorf("nothing can listen for the program's telemetry: %w", err)
	}
	t.server = &http.Server{Handler: t.store, ReadHeaderTimeout: heading, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = t.server.Serve(l) }() // it ends with close
	return otlp.Variables("http://" + l.Addr().String()), nil
}

// close ends what listens.
func (t *telemetry) close() {
	if t.server != nil {
		_ = t.server.Close() // the program has ended, and so has what it sent
	}
}

// withoutExporters is an environment without what would send a program's words
// elsewhere, or not at all.
func (t *telemetry) withoutExporters(environment []string) []string {
	if !t.exports {
		return environment
	}
	return slices.DeleteFunc(slices.Clone(environment), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return otlp.Overrides(name)
	})
}

// scrape reads the page of metrics, where the program has one; when says when that
// is.
func (r *run) scrape(when string) {
	if r.sut.Metrics == "" || r.service == nil {
		return
	}
	err := r.page(r.service.URL() + r.sut.Metrics)
	if err != nil && r.telemetry.unread == nil {
		r.telemetry.unread = fmt.Errorf("its page of metrics could not be read %s: %w", when, err)
	}
}

// page keeps what stands at an address of the program, and nowhere else: no
// redirection is followed.
func (r *run) page(address string) error {
	select {
	case <-r.process.Exited():
		return errors.New("it had ended, " + r.ending())
	default:
	}
	ctx, cancel := context.WithTimeout(r.ctx, scraping)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "text/plain;version=0.0.4;q=1,*/*;q=0.1")
	resp, err := r.service.RoundTrip(req)
	if err == nil {
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("GET %s: %d, want 200", address, resp.StatusCode)
		}
		err = r.telemetry.store.Scrape(resp.Body)
	}
	if ctx.Err() != nil {
		return fmt.Errorf("GET %s: no whole answer within %s", address, scraping)
	}
	if err != nil {
		return fmt.Errorf("GET %s: %w", address, err)
	}
	return nil
}

// lastWords gives the program, and what it left running, the time to say what conditions
// read, and reads its page before it is stopped.
func (r *run) lastWords() {
	if r.telemetry.exports && r.plan.AsksProgram() && !r.interrupted() {
		select {
		case <-r.process.Done():
		case <-r.options.Interrupt:
		case <-time.After(flushing):
		}
	}
	r.scrape("before it was judged")
}

// since is an instant of the program's clock as a time of the run, in
// milliseconds, nil for none.
func (t *telemetry) since(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return float64(at.Sub(t.start).Microseconds()) / 1000 * t.scale
}

// Metric implements interp.Said.
func (t *telemetry) Metric(name string, labels map[string]any) (float64, error) {
	if err := t.unreadFor(name); err != nil {
		return 0, err
	}
	return t.store.Metric(name, labels)
}

// Metrics implements interp.Said.
func (t *telemetry) Metrics(name string) ([]any, error) {
	if err := t.unreadFor(name); err != nil && name != "" {
		return nil, err
	}
	list, err := t.store.Metrics(name)
	return objects(list, (*otlp.Series).Object), err
}

// Spans implements interp.Said.
func (t *telemetry) Spans(filter map[string]any) ([]any, error) {
	q := otlp.SpanQuery{Attributes: map[string]any{}}
	q.Name, _ = filter["name"].(string)
	q.Status, _ = filter["status"].(string)
	q.TraceID, _ = filter["trace_id"].(string)
	if attributes, ok := filter["attributes"].(map[string]any); ok {
		maps.Copy(q.Attributes, attributes)
	}
	list, err := t.store.Spans(q)
	return objects(list, func(s *otlp.Span) map[string]any { return s.Object(t.since) }), err
}

// Logs implements interp.Said.
func (t *telemetry) Logs(filter map[string]any) ([]any, error) {
	q := otlp.LogQuery{Attributes: map[string]any{}}
	q.Severity, _ = filter["severity"].(string)
	q.Body, _ = filter["body"].(string)
	if attributes, ok := filter["attributes"].(map[string]any); ok {
		maps.Copy(q.Attributes, attributes)
	}
	list, err := t.store.Logs(q)
	return objects(list, func(l *otlp.Log) map[string]any { return l.Object(t.since) }), err
}

// unreadFor is why nobody knows a metric that the program did not export, nil
// where its page was read or it has none.
func (t *telemetry) unreadFor(name string) error {
	if t.unread == nil || t.store.Exported(name) {
		return nil
	}
	return fmt.Errorf("the program has not exported the metric %q, and %w", name, t.unread)
}

func objects[T any](list []T, object func(*T) map[string]any) []any {
	all := make([]any, len(list))
	for i := range list {
		all[i] = object(&list[i])
	}
	return all
}
