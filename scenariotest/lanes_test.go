package scenariotest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
	"github.com/scenario-lang/scenario/scenariotest"
)

// inLanes is which entry answered which attempt of which lane, whatever the order
// in which the lanes were opened.
const inLanes = `[for e in [endpoint.render, endpoint.publish] : {
  for l in e.lanes : l.name => [for a in l.attempts : [a.fault, a.status_code, a.outcome]]
}]`

// Eight workers at once get the same entries in each of a thousand runs, in which
// the order of their goroutines is not the same.
func TestLanesRepeat(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 50
	}
	var rendered, published []string
	for n := range 8 {
		rendered = append(rendered, fmt.Sprintf(`"%d":[["http_error",429,"failure"],[null,200,"success"]]`, n))
		published = append(published, fmt.Sprintf(`"%d":[["connection_reset",null,"failure"],[null,201,"success"]]`, n))
	}
	want := fmt.Sprintf(`[{%s},{%s}]`, strings.Join(rendered, ","), strings.Join(published, ","))
	orders := map[string]bool{}
	for range runs {
		synctest.Test(t, func(t *testing.T) {
			s := scenariotest.New(t, "../scenarios/drive/lanes.scenario.hcl", "eight workers at once, each with the same trouble")
			var group sync.WaitGroup
			for n := range 8 {
				group.Go(func() { render(s.Client(), strconv.Itoa(n)) })
			}
			group.Wait()
			r := s.Result()
			if r.Verdict() != scenario.Passed {
				t.Fatalf("%v", r.Problems())
			}
			if got := jsonOf(t, r, inLanes); got != want {
				t.Fatalf("entries\n%s, want\n%s", got, want)
			}
			orders[jsonOf(t, r, `[for l in endpoint.render.lanes : l.name]`)] = true
		})
	}
	if len(orders) < 2 {
		t.Errorf("the workers came in one order alone: this shows nothing")
	}
}

func jsonOf(t *testing.T, r *scenario.Result, expr string) string {
	t.Helper()
	v, err := r.Value(expr)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// render is one worker of the example in scenarios/drive/lanes.
func render(client *http.Client, worker string) {
	for _, path := range []string{"/render", "/publish"} {
		for range 3 {
			req, _ := http.NewRequest("POST", "https://images.example/v1"+path, strings.NewReader(`{"worker": "`+worker+`"}`))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Worker", worker)
			resp, err := client.Do(req)
			wait := 50
			if err == nil {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if resp.StatusCode < 300 {
					break
				}
				wait, _ = strconv.Atoi(resp.Header.Get("Retry-After-Ms"))
			}
			time.Sleep(time.Duration(wait) * time.Millisecond)
		}
	}
}
