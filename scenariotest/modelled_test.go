package scenariotest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// A modelled client does what the workflow of modelled.scenario.hcl says. The zero value
// is right; each field has it differ in one way.
type modelled struct {
	hasty    bool // it waits a second whatever the server asks for
	eager    bool // it tries once more
	hopeless bool // nothing stands in for an order that fails
	short    bool // it gives up an answer after half the time
	blind    bool // it takes half an answer for one
	early    bool // it orders without asking at all
	content  bool // it says that all went well where nothing did
	shuffled bool // it is early every second time
}

func (m modelled) run(t testing.TB, s *scenariotest.Scenario) error {
	m.early = m.early || m.shuffled && rand.IntN(2) == 0
	if m.early {
		_, _ = m.post(t, s, "/orders", "so", m.maxRetries(), false)
	}
	text, err := m.ask(t, s)
	if err != nil {
		if m.content {
			return nil
		}
		return err
	}
	if m.early {
		return nil
	}
	if _, err = m.post(t, s, "/orders", text, m.maxRetries(), false); err == nil || m.hopeless {
		return err
	}
	_, err = m.post(t, s, "/later", text, 0, false)
	return err
}

func (m modelled) maxRetries() int {
	if m.eager {
		return 4
	}
	return 3
}

func (m modelled) ask(t testing.TB, s *scenariotest.Scenario) (text string, err error) {
	body := map[string]any{"model": "gpt-4o-mini", "stream": true, "messages": []any{map[string]any{"role": "user", "content": "why?"}}}
	err = m.try(t, s, "https://api.openai.com/v1/chat/completions", body, m.maxRetries(), true, func(all []byte) error {
		var err error
		text, err = m.stream(string(all))
		return err
	})
	return text, err
}

func (m modelled) post(t testing.TB, s *scenariotest.Scenario, path, text string, retries int, idempotent bool) (out any, err error) {
	err = m.try(t, s, "https://shop.example"+path, map[string]any{"text": text}, retries, idempotent, func(all []byte) error {
		err := json.Unmarshal(all, &out)
		if answer, ok := out.(map[string]any); err == nil && ok && answer["error"] != nil {
			err = errUnreadable
		}
		return err
	})
	return out, err
}

// stream reads deltas up to the end marker.
func (m modelled) stream(all string) (text string, err error) {
	for _, event := range strings.SplitAfter(all, "\n\n") {
		data, ok := strings.CutPrefix(event, "data: ")
		data, whole := strings.CutSuffix(data, "\n\n")
		if data == "[DONE]" && whole {
			return text, nil
		}
		var delta struct {
			Choices []struct {
				Delta        struct{ Content string }
				FinishReason string `json:"finish_reason"`
			}
			Error any
		}
		if err := json.Unmarshal([]byte(data), &delta); !ok || !whole || err != nil || delta.Error != nil {
			break
		}
		for _, c := range delta.Choices {
			text += c.Delta.Content
		}
	}
	if m.blind && text != "" {
		return text, nil
	}
	return "", errUnreadable
}

var errUnreadable = errors.New("unreadable")

// try asks until there is an answer.
func (m modelled) try(t testing.TB, s *scenariotest.Scenario, url string, body any, retries int, idempotent bool, read func([]byte) error) error {
	for n := 0; ; n++ {
		status, wait, err := m.once(t, s, url, body, read)
		if err == nil || n == retries || wait > 24*time.Hour || !again(status, err, idempotent) {
			return err
		}
		own := time.Duration(n+1) * time.Second
		if m.hasty {
			wait = 0
		}
		time.Sleep(max(own, wait))
	}
}

// once asks once.
func (m modelled) once(t testing.TB, s *scenariotest.Scenario, url string, body any, read func([]byte) error) (status int, wait time.Duration, err error) {
	h := s.Client()
	h.Timeout = 10 * time.Second
	if m.short {
		h.Timeout = 5 * time.Second
	}
	text, _ := json.Marshal(body)
	resp, err := h.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return resp.StatusCode, time.Duration(seconds) * time.Second, errUnreadable
	}
	if err == nil || m.blind || errors.Is(err, io.ErrUnexpectedEOF) && bytes.HasSuffix(all, []byte("[DONE]\n\n")) {
		err = read(all)
	}
	return resp.StatusCode, 0, err
}

// again reports whether the model tries again.
func again(status int, err error, idempotent bool) bool {
	var dns *net.DNSError
	unsent := errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &dns) || strings.Contains(err.Error(), "tls: ") || status == 429 || status == 503
	if unsent || !idempotent {
		return unsent
	}
	if status != 0 && status != http.StatusOK {
		return status == 408 || status >= 500 && status != 501 && status != 505
	}
	return !strings.Contains(err.Error(), "injected error") // an exception of its own, which nothing repeats
}

// models are the clients, with what is told of each.
var models = map[string]struct {
	modelled
	want []string
}{
	"right":    {modelled{}, nil},
	"shuffled": {modelled{shuffled: true}, nil},
	"hasty": {modelled{hasty: true}, []string{
		"differs from the model: ask after 429 with Retry-After 3: the model waits 3s, the program 1s (",
		"differs from the model: order after 429 with Retry-After 3: the model waits 3s, the program 1s (",
	}},
	"eager": {modelled{eager: true}, []string{
		"differs from the model: ask after all of ask from 0s on: connection_refused: the model asks 4 times, the program 5 times (",
		"all of ask from 0s on: 503: the model asks 4 times, the program 5 times (",
	}},
	"hopeless": {modelled{hopeless: true}, []string{
		"differs from the model: later after order, attempt 1: connection_reset: the model asks once, the program never asks it (",
	}},
	"short": {modelled{short: true}, []string{
		"differs from the model: ask after silence: the model waits 10s for an answer, the program 5s (",
	}},
	"blind": {modelled{blind: true}, []string{
		"differs from the model: ask after stream_truncate: the model asks twice, the program once (",
	}},
	"early": {modelled{early: true}, []string{
		"differs from the model: order without a fault: the model asks it after ask, the program before ask is over  ",
		"no fault: nothing else is compared with the model",
	}},
	"content": {modelled{content: true}, []string{
		"differs from the model: the run after ask, attempt 1: 401: the model ends in failed, the program success (",
	}},
}

// A program that differs from its model by chance is told to be flaky, and fails nothing.
func TestExploreIsNotRedByChanceBesideAModel(t *testing.T) {
	out, passed := modelledBy(t, "shuffled", "20")
	if told := strings.Count(out, "flaky: ") + strings.Count(out, " of them diverged"); !passed || told < 20 || strings.Contains(out, "find   ") {
		t.Errorf("passed = %t, %d of 20 tries tell of chance:\n%s", passed, told, out)
	}
}

// TestExploreModelled is no test by itself: it explores the client that the environment
// names.
func TestExploreModelled(t *testing.T) {
	m, ok := models[os.Getenv("EXPLORED")]
	if !ok {
		t.Skip("for other tests")
	}
	var options []scenariotest.Option
	if os.Getenv("EXPLORED_ALONE") != "" {
		options = append(options, scenariotest.NoModel())
	}
	scenariotest.Explore(t, "testdata/modelled.scenario.hcl", m.run, options...)
}

// A client that does what its model says agrees with it in all that the model does. One
// that does otherwise is told apart from it, by what it does, and by nothing where it is
// compared with no model.
func TestExploreComparesWithTheModel(t *testing.T) {
	agree := regexp.MustCompile(`model and program agree in (\d+) of (\d+) behaviours of the model \(k = 1\)`)
	for name, m := range models {
		if m.shuffled {
			continue // each try is another
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, passed := modelledBy(t, name, "1")
			found := agree.FindStringSubmatch(out)
			switch {
			case name == "right" && (!passed || found == nil || found[1] != found[2] || strings.Contains(out, "flaky")):
				t.Errorf("passed = %t, %q:\n%s", passed, found, out)
			case name == "early" && found != nil, name != "right" && name != "early" && (found == nil || found[1] == found[2]):
				t.Errorf("it agrees: %q:\n%s", found, out)
			case name != "right" && passed:
				t.Errorf("it passes:\n%s", out)
			}
			for _, text := range m.want {
				if !strings.Contains(out, text) {
					t.Errorf("no %q in\n%s", text, out)
				}
			}
			if alone, _ := modelledBy(t, name, "1", "EXPLORED_ALONE=yes"); strings.Contains(alone, "from the model") || strings.Contains(alone, "model and program") {
				t.Errorf("without a model:\n%s", alone)
			}
		})
	}
}

// modelledBy explores a client so many times in a process of its own.
func modelledBy(t *testing.T, name, times string, env ...string) (output string, passed bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestExploreModelled$", "-test.v", "-test.count="+times)
	cmd.Env = append(os.Environ(), "EXPLORED="+name, "XDG_CACHE_HOME="+t.TempDir())
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err == nil
}
