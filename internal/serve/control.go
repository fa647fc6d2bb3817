package serve

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// bodyLimit bounds what the control listener reads.
const bodyLimit = 1 << 20

// handler serves the control of sessions.
func (s *sessions) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, map[string]any{"status": "ok"}) })
	mux.HandleFunc("POST /sessions", s.postSession)
	mux.HandleFunc("GET /sessions", func(w http.ResponseWriter, _ *http.Request) {
		list := []told{}
		for _, x := range s.list() {
			list = append(list, x.tell())
		}
		answer(w, http.StatusOK, map[string]any{"sessions": list})
	})
	mux.HandleFunc("GET /sessions/{id}", s.of(func(w http.ResponseWriter, x *session) { answer(w, http.StatusOK, x.tell()) }))
	mux.HandleFunc("POST /sessions/{id}/finish", s.of(func(w http.ResponseWriter, x *session) {
		j := s.finish(x)
		status := http.StatusOK
		if j == nil || j.Failed() {
			status = http.StatusConflict
		}
		answer(w, status, x.tell())
	}))
	mux.HandleFunc("DELETE /sessions/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !s.delete(r.PathValue("id")) {
			refuse(w, none(r.PathValue("id")))
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, mistakef(http.StatusNotFound, "the control of sessions has no %s %s: it has GET /healthz, GET and POST /sessions, GET and DELETE /sessions/ID, and POST /sessions/ID/finish", r.Method, r.URL.Path))
	})
	return local(mux)
}

// local lets in who asks from this machine, and no page of a browser: one may send
// requests here, and with a name of its own for loopback even read the answers.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "":
			refuse(w, mistakef(http.StatusForbidden, "the control of sessions is not for pages of a browser"))
		case !loopback(r.Host):
			refuse(w, mistakef(http.StatusForbidden, "the control of sessions is asked as 127.0.0.1 or localhost, not as %q", r.Host))
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// loopback reports whether a host, with or without a port, is this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	address, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && address.IsLoopback()
}

// of serves what is about one session.
func (s *sessions) of(do func(w http.ResponseWriter, x *session)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		x := s.find(r.PathValue("id"))
		if x == nil {
			refuse(w, none(r.PathValue("id")))
			return
		}
		do(w, x)
	}
}

func none(id string) error {
	return mistakef(http.StatusNotFound, "there is no session %q: it begins with its first request, or with POST /sessions", id)
}

func (s *sessions) postSession(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		ID       string `json:"id"`
		Scenario string `json:"scenario"`
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyLimit))
	if err == nil && len(body) > 0 {
		dec := json.NewDecoder(strings.NewReader(string(body)))
		dec.DisallowUnknownFields()
		if err = dec.Decode(&asked); err == nil && dec.More() {
			err = errors.New("there is more than one value")
		}
	}
	if err != nil {
		refuse(w, mistakef(http.StatusBadRequest, "the body is not like {\"id\": \"checkout-1\", \"scenario\": \"NAME\"}: %v", err))
		return
	}
	x, err := s.create(asked.ID, asked.Scenario)
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Location", "/sessions/"+x.id)
	answer(w, http.StatusCreated, x.tell())
}

// told is a session as the control listener tells it.
type told struct {
	ID       string `json:"id"`
	Scenario string `json:"scenario"`
	File     string `json:"file"`
	// State is "waiting" before the first request, then "open", and "finished" when
	// it is judged.
	State    string `json:"state"`
	Requests int    `json:"requests"`
	// Prefix goes before the path of every request of the session.
	Prefix   string          `json:"prefix"`
	Warnings []string        `json:"warnings,omitempty"`
	Result   json.RawMessage `json:"result,omitempty"`
	// Text is for people: what does not hold.
	Text string `json:"text,omitempty"`
}

func (x *session) tell() told {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := told{ID: x.id, Scenario: x.plan.Name, File: x.plan.File, State: "waiting", Prefix: PrefixSession + x.id}
	switch {
	case x.result != nil:
		t.State, t.Requests, t.Warnings, t.Result, t.Text = "finished", x.result.Requests, x.result.Warnings, x.told, x.words
	case x.outside != nil:
		t.State, t.Requests = "open", x.outside.Asked()
	}
	return t
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v) // the client has left
}

func refuse(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	var m *mistake
	if errors.As(err, &m) {
		status = m.status
	}
	answer(w, status, map[string]any{"error": err.Error()})
}
