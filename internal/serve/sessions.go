package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/internal/server"
	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// What a request says of its session: the header field, or the prefix of its path.
// Both are cut off before anything else looks.
const (
	HeaderSession = "X-Scenario-Session"
	PrefixSession = "/_s/"
)

// Default is the session of requests that name none.
const Default = "default"

// mostSessions bounds those that there are at one time, judged ones among them.
const mostSessions = 10_000

// sessions are those of a service. They answer its listeners.
type sessions struct {
	options Options
	// asks are the providers of all scenarios, and at where they are asked.
	asks []*interp.Provider
	at   *Addresses
	// judging is held while one is told of.
	judging sync.Mutex

	mu    sync.Mutex
	all   map[string]*session
	order []*session // in the order in which they began
	named int        // counts those that were given a name
	// late counts, for each that was judged or deleted, the requests that came for it
	// afterwards and that nothing was said of yet.
	late map[string]int
	over bool
}

// A session is one run of a scenario.
type session struct {
	id   string
	plan *interp.Plan

	mu sync.Mutex
	// outside is nil before the first request, and result before it is judged.
	outside *interp.Outside
	began   time.Time
	result  *Judged
	// told is the result as the control listener tells it.
	told []byte
	// words are the result for people.
	words string
	// ending says that it is being judged.
	ending atomic.Bool
	// deleted says that nothing of it is of interest any more.
	deleted bool
}

func newSessions(o Options, asked []*interp.Provider) *sessions {
	return &sessions{options: o, asks: asked, all: map[string]*session{}, late: map[string]int{}}
}

// A mistake is what is wrong with a request for a session, and the status that says
// it.
type mistake struct {
	status  int
	message string
}

// Error implements error.
func (m *mistake) Error() string { return m.message }

func mistakef(status int, format string, args ...any) error {
	return &mistake{status, fmt.Sprintf(format, args...)}
}

// identifier is what names a session.
var identifier = pattern.New(`^[A-Za-z0-9._-]{1,64}$`)

// create begins a session that plays a scenario. Without a name it gets one that is
// free; without a scenario it plays the only one.
func (s *sessions) create(id, scenario string) (*session, error) {
	plan, err := s.playing(scenario)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for id == "" {
		s.named++
		if name := "s" + strconv.Itoa(s.named); s.all[name] == nil {
			id = name
		}
	}
	switch {
	case !identifier().MatchString(id):
		return nil, mistakef(http.StatusBadRequest, "a session cannot be named %q: a name has 1 to 64 letters, digits, dots, dashes and underscores", id)
	case s.all[id] != nil:
		return nil, mistakef(http.StatusConflict, "there is a session %q already: finish and delete that one, or choose another name", id)
	}
	return s.add(id, plan)
}

// add makes a session. The mutex is held.
func (s *sessions) add(id string, plan *interp.Plan) (*session, error) {
	switch {
	case s.over:
		return nil, mistakef(http.StatusServiceUnavailable, "the service is at its end")
	case len(s.all) >= mostSessions:
		return nil, mistakef(http.StatusTooManyRequests, "there are %d sessions: delete those that are finished", mostSessions)
	}
	delete(s.late, id)
	made := &session{id: id, plan: plan}
	s.all[id], s.order = made, append(s.order, made)
	return made, nil
}

// playing is the scenario of a name, the only one for "".
func (s *sessions) playing(scenario string) (*interp.Plan, error) {
	if scenario == "" {
		if len(s.options.Plans) == 1 {
			return s.options.Plans[0], nil
		}
		return nil, mistakef(http.StatusBadRequest, "%d scenarios are served, so that a session has to say which one it plays: POST /sessions with {\"scenario\": NAME}, where NAME is one of %s", len(s.options.Plans), s.names())
	}
	var found []*interp.Plan
	for _, p := range s.options.Plans {
		if scenario == p.Name || scenario == p.File+":"+p.Name {
			found = append(found, p)
		}
	}
	switch len(found) {
	case 0:
		return nil, mistakef(http.StatusBadRequest, "no scenario %q is served: those are %s", scenario, s.names())
	case 1:
		return found[0], nil
	}
	return nil, mistakef(http.StatusBadRequest, "%d scenarios are called %q: put the file before it, as in %q", len(found), scenario, found[0].File+":"+found[0].Name)
}

// names lists some of the scenarios, for messages.
func (s *sessions) names() string {
	const most = 20
	var list []string
	for i, p := range s.options.Plans {
		if i == most {
			list = append(list, fmt.Sprintf("%d more", len(s.options.Plans)-most))
			break
		}
		list = append(list, strconv.Quote(p.Name))
	}
	return strings.Join(list, ", ")
}

// find is the session of a name, nil for none.
func (s *sessions) find(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all[id]
}

// list are all sessions in the order in which they began.
func (s *sessions) list() []*session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order)
}

// delete forgets a session. One that is open is not judged.
func (s *sessions) delete(id string) bool {
	s.mu.Lock()
	found := s.all[id]
	if found != nil {
		s.ends(id)
	}
	delete(s.all, id)
	s.order = slices.DeleteFunc(s.order, func(x *session) bool { return x == found })
	s.mu.Unlock()
	if found == nil {
		return false
	}
	found.mu.Lock()
	defer found.mu.Unlock()
	found.deleted = true
	if found.outside != nil && found.result == nil {
		found.ending.Store(true)
		found.outside.Finish("")
	}
	return true
}

// asked is the session of a request, begun by its first one, and the request
// without what names that.
func (s *sessions) asked(r *http.Request) (*session, *http.Request, error) {
	own := r.Clone(r.Context())
	id := own.Header.Get(HeaderSession)
	own.Header.Del(HeaderSession)
	if rest, ok := strings.CutPrefix(own.URL.Path, PrefixSession); ok {
		name, path, _ := strings.Cut(rest, "/")
		id = cmp.Or(id, name)
		own.URL.Path = "/" + path
		if raw, ok := strings.CutPrefix(own.URL.RawPath, PrefixSession); ok {
			_, raw, _ = strings.Cut(raw, "/")
			own.URL.RawPath = "/" + raw
		}
	}
	id = cmp.Or(id, Default)
	switch found, over := s.reach(id); {
	case found != nil:
		return found, own, nil
	case over:
		return nil, nil, mistakef(http.StatusGone, "the session %q has ended", id)
	}
	if !identifier().MatchString(id) {
		return nil, nil, mistakef(http.StatusBadRequest, "a session cannot be named %q: a name has 1 to 64 letters, digits, dots, dashes and underscores", id)
	}
	plan, err := s.playing("")
	if err != nil {
		return nil, nil, mistakef(http.StatusNotFound, "there is no session %q: %v", id, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if found := s.all[id]; found != nil { // another request has begun it
		return found, own, nil
	}
	made, err := s.add(id, plan)
	return made, own, err
}

// Join implements server.Joiner.
func (s *sessions) Join(a interp.Asked) (server.SessionRun, interp.Asked, error) {
	_, outside, a, err := s.join(a)
	if err != nil {
		return nil, a, err
	}
	return outside, a, nil
}

// join finds the session of a request, and its run.
func (s *sessions) join(a interp.Asked) (*session, *interp.Outside, interp.Asked, error) {
	found, own, err := s.asked(a.Request)
	if err != nil {
		return nil, nil, a, refused(err)
	}
	a.Request = own
	outside, err := found.begin(s.options)
	if err != nil {
		return nil, nil, a, refused(err)
	}
	return found, outside, a, nil
}

// Answer implements server.Run.
func (s *sessions) Answer(ctx context.Context, a interp.Asked) (*interp.Exchange, error) {
	found, outside, a, err := s.join(a)
	if err != nil {
		return nil, err
	}
	x, err := outside.Answer(ctx, a)
	if errors.Is(err, interp.ErrFinished) {
		return nil, refused(found.ended())
	}
	return x, err
}

func (x *session) ended() error {
	return mistakef(http.StatusGone, "the session %q is finished: begin another one", x.id)
}

// begin is the run of a session, which begins with its first request.
func (x *session) begin(o Options) (*interp.Outside, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.result != nil || x.deleted {
		return nil, x.ended()
	}
	if x.outside == nil {
		x.outside, x.began = x.run(o), time.Now()
	}
	return x.outside, nil
}

func (x *session) run(o Options) *interp.Outside {
	driving := interp.OutsideOptions{Way: interp.Serve, Keep: o.Keep, OnSecret: o.OnSecret}
	if told := o.OnGate; told != nil {
		driving.OnGate = func(p interp.Problem, times int) {
			if !x.ending.Load() { // what its end breaks is told with its result
				told(x.id, p, times)
			}
		}
	}
	if told := o.OnExchange; told != nil {
		driving.OnEnd = func(e interp.Ended) { told(x.id, e) }
	}
	outside := sut.Answer(x.plan, driving)
	outside.Given(o.Environment, nil)
	return outside
}

// refused is what a client is told whose request no session answers.
func refused(err error) error {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"type": "scenario_session", "message": err.Error()}})
	return &server.Refusal{Script: interp.Refusal("session", body), Reason: err.Error()}
}

// Noted implements server.Run: what was no request names no session.
func (s *sessions) Noted(t interp.Trouble) {
	switch {
	case s.options.OnNote == nil:
	case t.Warning != "":
		s.options.OnNote(t.Warning)
	case t.Provider != "":
		s.options.OnNote(fmt.Sprintf("at the listener of provider %q: %s", t.Provider, t.Message))
	default:
		s.options.OnNote("at the proxy: " + t.Message)
	}
}

// Listed implements server.Run.
func (s *sessions) Listed(host string) bool {
	return slices.ContainsFunc(s.asks, func(p *interp.Provider) bool { return p.At(host) })
}

// Unlisted implements server.Run: a tunnel names no session either, so that it is
// the default one's.
func (s *sessions) Unlisted(host string) {
	if s.options.OnNote != nil {
		s.options.OnNote(fmt.Sprintf("a program wanted to reach %s through the proxy, which is the address of no provider: it was refused", host))
	}
	r := (&http.Request{URL: &url.URL{Path: "/"}, Header: http.Header{}}).WithContext(context.Background())
	found, _, err := s.asked(r)
	if err != nil {
		return // no scenario is the only one, so that the note has to do
	}
	if outside, err := found.begin(s.options); err == nil {
		outside.Unlisted(host)
	}
}

// Received implements server.Run. A proxy is asked before anybody can say whose session it
// is, so that all of them know.
func (s *sessions) Received(h http.Header) {
	for _, x := range s.list() {
		x.mu.Lock()
		outside := x.outside
		x.mu.Unlock()
		if outside != nil {
			outside.Received(h)
		}
	}
	if told := s.options.OnSecret; told != nil {
		told(interp.CredentialsIn(h))
	}
}

// finish judges a session, once. What was judged before is the same.
func (s *sessions) finish(x *session) *Judged {
	s.judging.Lock()
	defer s.judging.Unlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.result != nil || x.deleted {
		return x.result
	}
	judged := &Judged{Session: x.id}
	if x.outside == nil { // nobody asked it for anything
		x.outside = x.run(s.options)
	} else {
		judged.Requests, judged.Elapsed = x.outside.Asked(), time.Since(x.began)
	}
	x.ending.Store(true)
	judged.Result, _ = x.outside.Finish("")
	judged.Warnings = x.outside.Warnings()
	if unasked := x.outside.Unasked(); judged.Requests == 0 || judged.Result.Verdict != interp.Pass && len(unasked) > 0 {
		judged.Warnings = append(judged.Warnings, s.unasked(unasked, judged.Requests > 0))
	}
	x.result = judged
	s.mu.Lock()
	s.ends(x.id)
	s.mu.Unlock()
	if s.options.Describe != nil {
		x.told = s.options.Describe(*x.result)
	}
	if s.options.Words != nil {
		x.words = s.options.Words(*x.result)
	}
	if s.options.OnJudged != nil {
		s.options.OnJudged(*x.result)
	}
	x.outside = nil // what it remembers is of no use any more
	return x.result
}

// ends notes that a session is over. The default one begins again with whatever names no
// session. The lock is held.
func (s *sessions) ends(id string) {
	if _, known := s.late[id]; known || id == Default {
		return
	}
	if len(s.late) >= mostSessions {
		clear(s.late)
	}
	s.late[id] = 0
}

// reach is the session that a request is for, nil for none, and whether one of that name is
// over; such a request is counted.
func (s *sessions) reach(id string) (found *session, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, over := s.late[id]
	if over {
		s.late[id] = n + 1
	}
	return s.all[id], over
}

// cameLate says which sessions that were over were asked, once, "" for none.
func (s *sessions) cameLate() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, id := range slices.Sorted(maps.Keys(s.late)) {
		if n := s.late[id]; n > 0 {
			requests := "1 request"
			if n > 1 {
				requests = fmt.Sprintf("%d requests", n)
			}
			list = append(list, fmt.Sprintf("%s for the session %s", requests, id))
			s.late[id] = 0
		}
	}
	return strings.Join(list, ", ")
}

func (s *sessions) finishAll() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	for _, x := range s.list() {
		s.finish(x)
	}
}
