package submit

import (
	"io"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// Shows that what a run needs stays in the store as long as the run may last: a bundle of
// another run that was written a day ago is written again, and one of today, or a list of
// units, is not.
func TestOldBundleIsWrittenAgain(t *testing.T) {
	q, err := queue.Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	store, err := q.Bundles(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, c := range []struct {
		now  time.Time
		want int
	}{{time.Now(), 1}, {time.Now().Add(time.Hour), 1}, {time.Time{}, 1}, {time.Now().Add(25 * time.Hour), 2}} {
		if err := keep(t.Context(), q, store, "bundle", c.now, func(w io.Writer) error {
			written++
			_, err := io.WriteString(w, "files")
			return err
		}); err != nil || written != c.want {
			t.Errorf("at %s: written %d times, want %d (%v)", c.now, written, c.want, err)
		}
	}
	if text, err := store.GetString(t.Context(), "bundle"); text != "files" || err != nil {
		t.Errorf("it is %q (%v)", text, err)
	}
}
