package collect

import (
	"os"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// A delivered message is what a spool asks of one.
type delivered struct {
	jetstream.Msg
	subject, text string
	header        nats.Header
}

func (d delivered) Subject() string      { return d.subject }
func (d delivered) Data() []byte         { return []byte(d.text) }
func (d delivered) Headers() nats.Header { return d.header }

// Shows that of results that come twice, as after a restart of the server, the first
// counts, that positions and not the order of arrival say whose a result is, and that
// results of nobody are left out.
func TestSpool(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	s := &Spool{file: f, at: make([]span, 3)}
	s.moved = sync.NewCond(&s.mu)
	defer s.Close()
	again := nats.Header{job.DeliveryHeader: {"2"}, job.KindHeader: {job.KindLost}}
	for _, d := range []delivered{
		{subject: job.ResultSubject("r", 3), text: "third\n", header: again},
		{subject: job.ResultSubject("r", 1), text: "first\n"},
		{subject: job.ResultSubject("r", 3), text: "another third\n", header: again},
		{subject: job.ResultSubject("r", 0), text: "of nobody\n"},
		{subject: job.ResultSubject("r", 4), text: "of nobody\n"},
		{subject: "scenario.result.r.x", text: "of nobody\n"},
		{subject: job.ResultSubject("r", 2), text: "second\n"},
	} {
		s.take(d)
	}
	for i, want := range []string{"first\n", "second\n", "third\n"} {
		if line, err := s.Line(t.Context(), i+1); err != nil || string(line) != want {
			t.Errorf("the line %d is %q, %v, want %q", i+1, line, err, want)
		}
	}
	if told, want := s.Told(), (Told{Done: 3, Again: 1, Lost: 1}); told != want {
		t.Errorf("told is %+v, want %+v", told, want)
	}
}
