package cassette

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/wire"
)

// scripted is a transport that plays a wire script for every call.
type scripted func(n int) wire.WireScript

func (s scripted) RoundTrip(r *http.Request) (*http.Response, error) {
	return s(len(r.URL.Query().Get("n"))).RoundTrip(newClock(), r)
}

// jsonAnswer is a transport that answers with one JSON text.
func jsonAnswer(text string) http.RoundTripper {
	return scripted(func(int) wire.WireScript {
		return wire.Response{Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}}, Parts: []wire.Part{{Data: []byte(text)}}}.Script(wire.Meta{})
	})
}

// A session is a recording that the machine may go down in. acknowledged are
// the answers after which Sync returned without an error.
type recordingSession struct {
	acknowledged map[string]string
	committed    bool
}

const sessionSteps = 6

// recordSession records some steps on a disk, and commits.
func recordSession(t *testing.T, d disk.Disk, version string) recordingSession {
	s := recordingSession{acknowledged: map[string]string{}}
	r, err := NewRecorder("a.yaml", RecordOptions{disk: d, Provider: "openai"})
	if err != nil {
		return s
	}
	for i := range sessionSteps {
		step, text := fmt.Sprintf("step%d", i), fmt.Sprintf(`{"step":%d,"version":%q}`, i, version)
		if i == 3 && version == "new" {
			text += strings.Repeat("\xff", sidecarMinBinary)
		}
		call := dialled(t, step, 1, "http://api.example.com/v1", `{}`)
		take := r.Begin(call, TakeOptions{Now: time.Now})
		resp, err := take.RoundTrip(jsonAnswer(text), call.Request)
		if err != nil {
			t.Fatal(err)
		}
		readAll(t, resp)
		if take.Seal(true) == nil && r.Sync() == nil {
			s.acknowledged[step] = text
		}
	}
	_, err = r.Commit(nil)
	s.committed = err == nil
	r.Close()
	return s
}

// answers are the bodies in a cassette, by step.
func answers(c *Cassette) map[string]string {
	list := map[string]string{}
	if c != nil {
		for _, it := range c.Interactions {
			list[it.Step] = string(it.Response.Body())
		}
	}
	return list
}

// Shows that wherever the machine goes down while a recording replaces another,
// and whatever it loses that was not synced, the old cassette is intact or the
// new one complete, and that what had been acknowledged is in the cassette
// after a recovery. The recovery may be cut short itself.
func TestCrashAtEveryWrite(t *testing.T) {
	base := newMemDisk()
	if s := recordSession(t, base, "old"); !s.committed {
		t.Fatal("the first recording failed")
	}
	whole := base.reboot(losesAll)
	recordSession(t, whole, "new")
	points := 0
	for at := 1; at <= len(whole.ops); at++ {
		for _, l := range []lost{losesNothing, losesBytes, losesNames, losesAll, losesOlderNames, losesButAByte} {
			points++
			d := base.reboot(losesAll)
			d.left = at
			s := recordSession(t, d, "new")
			after := d.reboot(l)
			where := fmt.Sprintf("down at %d (%s), %s", at, d.ops[at-1], l)
			crashed(t, where, after, s)
			for again := 1; again <= 5; again += 2 {
				points++
				twice := d.reboot(l)
				twice.left = again
				_, _ = recoverOn(twice, "a.yaml", nil)
				crashed(t, fmt.Sprintf("%s, then at %d of the recovery", where, again), twice.reboot(l), s)
			}
		}
	}
	if points < 200 {
		t.Errorf("only %d points", points)
	}
}

// crashed checks a disk after a crash.
func crashed(t *testing.T, where string, d *memDisk, s recordingSession) {
	t.Helper()
	c, err := loadOld(d, "a.yaml")
	if err != nil || c == nil {
		t.Errorf("%s: the cassette: %v", where, err)
		return
	}
	for step, text := range answers(c) {
		if !strings.Contains(text, `"old"`) && !strings.Contains(text, `"new"`) || !strings.Contains(text, strings.TrimPrefix(step, "step")+",") {
			t.Errorf("%s: %s has %s", where, step, text)
		}
	}
	for name, f := range d.names {
		if filepath.Dir(name) != "." && !strings.HasSuffix(name, ".tmp") && bodySum(string(f.data)) != filepath.Base(name) {
			t.Errorf("%s: %s is not what its name says", where, name)
		}
	}
	if n := len(c.Interactions); n != sessionSteps {
		t.Errorf("%s: %d interactions", where, n)
	}
	if _, err := recoverOn(d, "a.yaml", nil); err != nil {
		t.Errorf("%s: recovery: %v", where, err)
		return
	}
	if c, err = loadOld(d, "a.yaml"); err != nil {
		t.Errorf("%s: after the recovery: %v", where, err)
		return
	}
	got := answers(c)
	for step, text := range s.acknowledged {
		if got[step] != text {
			t.Errorf("%s: %s was acknowledged as %s and is %s", where, step, text, got[step])
		}
	}
	if left := d.find("interactions"); !slices.Equal(left, []string{"a.yaml"}) && len(left) > 2 {
		t.Errorf("%s: left behind %v", where, left)
	}
	if _, err := NewRecorder("a.yaml", RecordOptions{disk: d}); err != nil {
		t.Errorf("%s: the next recording: %v", where, err)
	}
}

// Shows that what was saved is there after a crash whose medium keeps nothing
// that was not synced, bodies beside the file included.
func TestSavedIsSaved(t *testing.T) {
	d := newMemDisk()
	c := &Cassette{Interactions: []*Interaction{recorded("a", 1, `{}`, strings.Repeat("\xff", 2000))}}
	if err := save(d, "a.yaml", c); err != nil {
		t.Fatal(err)
	}
	back, err := loadOld(d.reboot(losesAll), "a.yaml")
	if err != nil || back == nil || len(back.Interactions) != 1 {
		t.Errorf("%v, %v", back, err)
	}
}
