package drive

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// final are the statuses with which a service refuses a request that it would refuse again.
var final = []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity}

// Resent says of a request that the program sent again just as it was, where nothing in the scenario reads
// the requests of that endpoint: after a refusal, which a service would repeat, or after a success of a
// POST, which does twice what was meant to be done once or leaves something out. It also says of a model
// that it was asked with an empty result of a tool. "" for none of these.
func (r *Run) Resent() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Obs.Run.Status != read.StatusSuccess {
		return ""
	}
	unseen := r.unseen()
	for _, e := range r.endpoints {
		s := r.Obs.Steps[e.Name]
		if s == nil || !unseen[e.Name] {
			continue
		}
		before := map[[sha256.Size]byte]int{} // attempts by what they ask
		asked := s.Asked()
		for i, a := range asked {
			if a.End.By != "script" {
				continue
			}
			if emptyResult(a.Request) {
				return fmt.Sprintf("a request to %s has the result of a tool that is empty, and nothing in the scenario reads it: the script answers as if there were one.\nhint: check what the tool's message says, such as assert \"result\" { condition = strcontains(endpoint.%[1]s.attempts[%[2]d].request.body, \"…\") }", e.Name, i)
			}
			key := sha256.Sum256([]byte(a.Request.Method + " " + a.Request.URL + "\n" + a.Request.Body))
			at, again := before[key]
			before[key] = i
			if !again || a.End.Outcome != read.StatusSuccess || !a.Request.Equal(asked[at].Request) {
				continue
			}
			switch first := asked[at].End; {
			case slices.Contains(final, first.StatusCode):
				return fmt.Sprintf("%s refused a request with %d, the program sent the same one again, and the script answers that one: a service would refuse it again.\nhint: say what has to be different, such as assert \"another\" { condition = endpoint.%[1]s.attempts[%[3]d].request != endpoint.%[1]s.attempts[%[4]d].request }", e.Name, first.StatusCode, i, at)
			case first.Outcome == read.StatusSuccess && a.Request.Method == http.MethodPost && a.Request.Body != "" && a.Request.System == "" && a.Request.Tool == "":
				return fmt.Sprintf("the program sent %s the same request twice, %s, and each succeeded: what it asks for is done twice, or something else is left out.\nhint: check what each one says, such as assert \"each\" { condition = [for a in endpoint.%[1]s.attempts : a.request.body] == […] }", e.Name, a.Request.Method+" "+pathOf(a.Request))
			}
		}
	}
	return ""
}

// emptyResult reports whether the last messages of a request to a model have the result of a tool that says
// nothing.
func emptyResult(q *event.Request) bool {
	if q.System == "" {
		return false
	}
	var body struct {
		Messages []struct {
			Role    string
			Content json.RawMessage
		}
	}
	if json.Unmarshal([]byte(q.Body), &body) != nil {
		return false
	}
	for _, m := range body.Messages {
		if m.Role == "tool" && string(m.Content) == `""` {
			return true
		}
		var blocks []struct {
			Type    string
			Content json.RawMessage
		}
		if m.Role != "user" || json.Unmarshal(m.Content, &blocks) != nil {
			continue
		}
		for _, b := range blocks {
			if b.Type == "tool_result" && (string(b.Content) == `""` || len(b.Content) == 0) {
				return true
			}
		}
	}
	return false
}
