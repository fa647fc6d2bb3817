package submit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minio/highwayhash"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// aged has a stream in the files of a server be made some time earlier.
func aged(t *testing.T, store, stream string, by time.Duration) {
	t.Helper()
	dir := filepath.Join(store, "jetstream", "$G", "streams", stream)
	text, err := os.ReadFile(filepath.Join(dir, "meta.inf"))
	if err != nil {
		t.Fatal(err)
	}
	meta := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &meta); err != nil {
		t.Fatal(err)
	}
	var created time.Time
	if err := json.Unmarshal(meta["Created"], &created); err != nil {
		t.Fatal(err)
	}
	if meta["Created"], err = json.Marshal(created.Add(-by)); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(meta); err != nil {
		t.Fatal(err)
	}
	key := sha256.Sum256([]byte(stream))
	sum, err := highwayhash.New64(key[:])
	if err != nil {
		t.Fatal(err)
	}
	sum.Write(text) // which takes everything
	for name, data := range map[string][]byte{"meta.inf": text, "meta.sum": []byte(hex.EncodeToString(sum.Sum(nil)))} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Shows that who submits a run removes, once its units are queued, what runs have left that
// the queue has forgotten for seven days, by the times that the server has of its streams.
func TestSubmittingSweeps(t *testing.T) {
	const day = 24 * time.Hour
	store := t.TempDir()
	q, err := queue.Embedded(store)
	if err != nil {
		t.Fatal(err)
	}
	ages := map[string]time.Duration{"old": 7*day + time.Hour, "young": 7*day - time.Hour}
	for id := range ages {
		if err := q.Prepare(t.Context(), &job.Run{ID: id, Units: 1, AckWait: time.Minute}); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	for id, by := range ages {
		for _, name := range []string{job.WorkStream(id), job.ResultStream(id), job.ExtraStream(id)} {
			aged(t, store, name, by)
		}
	}
	if q, err = queue.Embedded(store); err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	said, err := q.Conn.SubscribeSync(">")
	if err != nil {
		t.Fatal(err)
	}
	s := &Submission{
		Run:    job.Run{ID: "r", Bundle: "b", Units: 1, AckWait: time.Minute},
		Units:  []job.Unit{{Run: "r", Position: 1}},
		Bundle: []byte("files"),
	}
	if err := s.Put(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	var left []string
	for name := range q.JS.StreamNames(t.Context()).Name() {
		if strings.HasPrefix(name, "scenario-") {
			left = append(left, name)
		}
	}
	slices.Sort(left)
	if want := []string{"scenario-extra-r", "scenario-extra-young", "scenario-result-r", "scenario-result-young", "scenario-work-r", "scenario-work-young"}; !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	var order []string
	for n, _, _ := said.Pending(); n > 0; n, _, _ = said.Pending() {
		m, err := said.NextMsg(time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, prefix := range []string{"scenario.work.", "$KV.scenario-runs.", "$JS.API.STREAM.DELETE."} {
			if strings.HasPrefix(m.Subject, prefix) && !slices.Contains(order[max(0, len(order)-1):], prefix) {
				order = append(order, prefix)
			}
		}
	}
	if want := []string{"$KV.scenario-runs.", "scenario.work.", "$KV.scenario-runs.", "$JS.API.STREAM.DELETE."}; !slices.Equal(order, want) {
		t.Errorf("it asks for %q, want %q", order, want)
	}
}
