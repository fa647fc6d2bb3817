package cassette

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
)

const slowness = 200 * time.Millisecond

// A slowDisk takes its time for whatever makes something last.
type slowDisk struct{ *memDisk }

type slowFile struct{ disk.File }

func (d slowDisk) Create(name string) (disk.File, error) {
	f, err := d.memDisk.Create(name)
	return slowFile{f}, err
}

func (d slowDisk) Append(name string) (disk.File, error) {
	f, err := d.memDisk.Append(name)
	return slowFile{f}, err
}

func (d slowDisk) SyncDir(name string) error {
	time.Sleep(slowness)
	return d.memDisk.SyncDir(name)
}

func (f slowFile) Sync() error {
	time.Sleep(slowness)
	return f.File.Sync()
}

// A slowService answers after a while.
type slowService time.Duration

func (s slowService) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(time.Duration(s))
	h := http.Header{"Content-Type": {"application/json"}}
	return &http.Response{StatusCode: 200, Status: "200 OK", Proto: "HTTP/1.1", Header: h, Body: io.NopCloser(strings.NewReader(`{"n":1}`)), Request: r}, nil
}

// A program that is recorded takes as long as it takes when it is replayed, within
// a tenth, however slow the disk is; and all of it is in the file, in its order.
func TestRecordingHoldsNothingUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls, each = 10, 5 * time.Millisecond
		d := slowDisk{newMemDisk()}
		r, err := NewRecorder("a.yaml", RecordOptions{disk: d})
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		for i := range calls {
			if err := recordOne(t, r, slowService(each), dialled(t, fmt.Sprintf("step%d", i), 1, "http://api.example.com/v1", `{}`)); err != nil {
				t.Fatal(err)
			}
		}
		took := time.Since(begun)
		c, err := r.Commit(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		var replayed time.Duration
		for i, it := range c.Interactions {
			replayed += it.Duration
			if it.Step != fmt.Sprintf("step%d", i) {
				t.Errorf("interaction %d is of %s", i, it.Step)
			}
		}
		if len(c.Interactions) != calls || took < replayed || took > replayed*11/10 {
			t.Errorf("%d interactions in %v, replayed in %v", len(c.Interactions), took, replayed)
		}
		if waited := time.Since(begun); waited < calls*slowness {
			t.Errorf("the disk was not slow: %v", waited)
		}
		if back, err := loadOld(d.memDisk, "a.yaml"); err != nil || len(back.Interactions) != calls {
			t.Errorf("%v, %v", back, err)
		}
	})
}
