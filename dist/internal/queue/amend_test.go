package queue

import (
	"testing"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows that a change of a run is told, and that none brings back a run that was forgotten
// meanwhile.
func TestAmendedRun(t *testing.T) {
	q, err := Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	r := &job.Run{ID: "r", Units: 1}
	if err := q.Announce(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.Sealed = true
	if err := q.Amend(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if known, err := q.Run(t.Context(), "r"); err != nil || known == nil || !known.Sealed {
		t.Fatalf("the queue has %+v, %v", known, err)
	}
	if err := q.Forget(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := q.Amend(t.Context(), r); !Missing(err) {
		t.Errorf("a run that was forgotten is changed: %v", err)
	}
	if known, err := q.Run(t.Context(), "r"); err != nil || known != nil {
		t.Errorf("the queue has %+v, %v", known, err)
	}
}
