package cassette

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/wire"
)

// An exchange is a generated call with its answer, and the secrets in them.
type exchange struct {
	call     wire.Call
	response wire.Response
	err      error
	planted  []string
}

// A planter puts secrets into exchanges: known ones, which the run uses, and
// tokens, which nobody told it of.
type planter struct {
	t     testing.TB
	draw  *rand.Rand
	known []string
	n     int
	x     *exchange
}

const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

func (p *planter) letters(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letters[p.draw.IntN(len(letters))]
	}
	return string(b)
}

// secret is one of the values that the run uses.
func (p *planter) secret() string {
	s := p.known[p.draw.IntN(len(p.known))]
	p.x.planted = append(p.x.planted, s)
	return s
}

// fresh is a value that only its name or form gives away.
func (p *planter) fresh() string {
	s := "fresh" + p.letters(24)
	p.x.planted = append(p.x.planted, s)
	return s
}

func (p *planter) token() string {
	s := []string{
		"sk-proj-" + p.letters(24) + "T3BlbkFJ" + p.letters(24), "sk-ant-api03-" + p.letters(93) + "AA", "ghp_" + p.letters(36),
		"AIza" + p.letters(35), "hf_" + p.letters(34), "glpat-" + p.letters(20),
		"xoxb-1234567890-1234567890-" + p.letters(16), "eyJ" + p.letters(30) + ".eyJ" + p.letters(40) + "." + p.letters(43),
	}[p.draw.IntN(8)]
	p.x.planted = append(p.x.planted, s)
	return s
}

// any is a secret in a JSON text, as it is, in Base64 or escaped for a URL.
func (p *planter) any() string {
	switch p.draw.IntN(5) {
	case 0:
		return p.token()
	case 1:
		return base64.StdEncoding.EncodeToString([]byte(p.letters(p.draw.IntN(3)) + p.secret() + "tail"))
	case 2:
		return url.QueryEscape(p.secret())
	}
	return p.letters(3) + " " + p.secret() + " " + p.letters(2)
}

func (p *planter) json(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// exchange is the nth call. Which step calls and what stands where is drawn.
func (p *planter) exchange() *exchange {
	p.n++
	p.x = &exchange{}
	x := p.x
	address := "https://" + url.UserPassword("user", p.fresh()).String() + "@api.example.com/v1/" + url.PathEscape(p.secret()) + "?key=" + p.fresh() + "&q=" + url.QueryEscape(p.secret())
	body := p.json(map[string]any{
		"n": p.n, "api_key": p.fresh(), "messages": []any{map[string]any{"content": p.letters(5) + " " + p.secret()}, map[string]any{"content": p.token()}},
		"nested": p.json(map[string]string{"password": p.fresh(), "x": p.secret()}),
	})
	x.call = dialled(p.t, fmt.Sprintf("step%d", p.n%7), p.n, address, body)
	x.call.Request.Header.Set("Authorization", "Bearer "+p.secret())
	x.call.Request.Header.Set("X-Custom", p.fresh())
	x.call.Request.Header.Set("X-Named", p.secret())
	x.response = wire.Response{Header: []wire.Field{
		{Name: "Set-Cookie", Value: p.fresh()},
		{Name: "X-Request-Id", Value: p.fresh()},
		{Name: "X-Ratelimit-Policy", Value: p.secret()},
		{Name: "X-Other", Value: p.fresh()},
	}}
	switch p.n % 4 {
	case 0:
		p.stream()
	case 1:
		p.lines()
	case 2:
		p.object()
	default:
		x.err = fmt.Errorf("net/http: HTTP/1.x transport connection broken: malformed HTTP response %q", "HTML "+p.secret()+" "+p.token())
	}
	return x
}

func (p *planter) object() {
	r := &p.x.response
	r.Header = append(r.Header, wire.Field{Name: "Content-Type", Value: "application/json"})
	body := []byte(p.json(map[string]any{
		"content": p.any(), "access_token": p.fresh(), "image": base64.StdEncoding.EncodeToString([]byte(p.letters(4000))),
		"arguments": p.json(map[string]any{"client_secret": p.fresh(), "deep": []string{p.any()}}),
		"url":       "https://x.example.com/?token=" + p.fresh(),
	}))
	for len(body) > 0 {
		n := min(1+p.draw.IntN(40), len(body))
		r.Parts = append(r.Parts, wire.Part{Data: body[:n], Wait: time.Millisecond})
		body = body[n:]
	}
	r.Trailer = []wire.Field{{Name: "X-Ratelimit-Left", Value: p.secret()}}
	r.Reason = "OK " + p.secret()
}

// stream says secrets in deltas of a few letters each, over several events.
func (p *planter) stream() {
	r := &p.x.response
	r.Stream = true
	r.Header = append(r.Header, wire.Field{Name: "Content-Type", Value: "text/event-stream"})
	said := "Your key is " + p.secret() + " and the token " + p.token() + "."
	for len(said) > 0 {
		n := min(1+p.draw.IntN(6), len(said))
		r.Parts = append(r.Parts, wire.Part{Data: []byte("data: " + p.json(map[string]any{"choices": []any{map[string]any{"delta": map[string]string{"content": said[:n]}}}}) + "\n\n"), Wait: time.Millisecond})
		said = said[n:]
	}
	r.Parts = append(r.Parts, wire.Part{Data: []byte(": a comment with " + p.secret() + "\n\ndata: [DONE]\n\n")})
}

func (p *planter) lines() {
	r := &p.x.response
	r.Stream = true
	r.Header = append(r.Header, wire.Field{Name: "Content-Type", Value: "application/x-ndjson"})
	for range 4 {
		r.Parts = append(r.Parts, wire.Part{Data: []byte(p.json(map[string]string{"response": p.any(), "refresh_token": p.fresh()}) + "\n"), Wait: time.Millisecond})
	}
}

// written are the ways in which a secret could be on the disk.
func spellings(s string) []string {
	list := []string{s, url.QueryEscape(s), url.PathEscape(s), strings.Trim(fmt.Sprintf("%q", s), `"`)}
	for before := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("x", before) + s))
		list = append(list, text[[]int{0, 2, 3}[before]:len(text)-2])
	}
	return list
}

// Shows that of 1,000 exchanges with secrets in every place none is on the disk,
// in the journal as in the cassette, and that the same calls are answered from
// it by a player that knows no secret.
func TestNoSecretReachesTheDisk(t *testing.T) {
	exchanges := 1000
	if testing.Short() {
		exchanges = 100
	}
	p := &planter{t: t, draw: rand.New(rand.NewPCG(1, 2))}
	for range 5 {
		p.known = append(p.known, "env-"+p.letters(20), `pass"word/`+p.letters(12)+`&ü`)
	}
	path := filepath.Join(t.TempDir(), "a.yaml")
	r := recorderFor(t, path, RecordOptions{})
	red := redact.New(p.known)
	var all []*exchange
	for range exchanges {
		x := p.exchange()
		all = append(all, x)
		take := r.Begin(x.call, TakeOptions{Now: time.Now, Redactor: red, Keep: []string{"X-Named"}})
		resp, err := take.RoundTrip(scripted(func(int) wire.WireScript {
			if x.err != nil {
				return wire.WireScript{Err: x.err}
			}
			return x.response.Script(wire.Meta{})
		}), x.call.Request)
		if err == nil {
			readAll(t, resp)
		}
		if err := take.Seal(true); err != nil {
			t.Fatal(err)
		}
	}
	var planted []string
	for _, x := range all {
		for _, s := range x.planted {
			planted = append(planted, spellings(s)...)
		}
	}
	slices.Sort(planted)
	planted = slices.Compact(planted)
	noneOf(t, planted, journalPath(path))
	if _, err := r.Commit(nil); err != nil {
		t.Fatal(err)
	}
	noneOf(t, planted, path)
	c, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	noneSaid(t, all, c)
	player, err := NewPlayer(c, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range all {
		if _, err := player.Take(t.Context(), x.call); err != nil {
			t.Fatalf("exchange %d is not answered: %v", i+1, err)
		}
	}
}

// noneSaid fails where the texts of a stream's events, one after the other, hold
// a secret.
func noneSaid(t *testing.T, all []*exchange, c *Cassette) {
	t.Helper()
	planted := map[int][]string{}
	for i, x := range all {
		planted[i+1] = x.planted
	}
	for _, it := range c.Interactions {
		said := ""
		for _, p := range it.Response.Parts {
			var e struct {
				Choices []struct{ Delta struct{ Content string } }
			}
			if data, ok := strings.CutPrefix(string(p.Data), "data: {"); ok && json.Unmarshal([]byte("{"+data), &e) == nil {
				said += e.Choices[0].Delta.Content
			}
		}
		for _, s := range planted[it.Attempt] {
			if strings.Contains(said, s) {
				t.Errorf("attempt %d says %q", it.Attempt, said)
			}
		}
	}
}

// noneOf fails where a file holds one of the texts.
func noneOf(t *testing.T, texts []string, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const key = 8 // every planted text is longer
	starts := map[string][]string{}
	for _, s := range texts {
		starts[s[:key]] = append(starts[s[:key]], s)
	}
	found := 0
	for at := 0; at+key <= len(data); at++ {
		for _, s := range starts[string(data[at:at+key])] {
			if !strings.HasPrefix(string(data[at:min(len(data), at+len(s))]), s) {
				continue
			}
			if found++; found < 6 {
				t.Errorf("%s holds %q: …%s…", filepath.Base(path), s, data[max(0, at-60):min(len(data), at+len(s)+20)])
			}
		}
	}
	if found > 0 {
		t.Errorf("%s: %d secrets", filepath.Base(path), found)
	}
}

// Shows that every form of a token is found, that placeholders, identifiers and
// images are none, and that hiding twice changes nothing more.
func TestTokens(t *testing.T) {
	p := &planter{t: t, draw: rand.New(rand.NewPCG(3, 4)), x: &exchange{}}
	hex := strings.Repeat("0123456789abcdef", 4)
	for id, text := range map[string]string{
		"openai-api-key": "sk-" + p.letters(20) + "T3BlbkFJ" + p.letters(20), "anthropic-api-key": "sk-ant-api03-" + p.letters(95),
		"anthropic-admin-api-key": "sk-ant-admin01-" + p.letters(95), "aws-access-token": "AKIAQ3EGRJ5TKWXYZ2PL",
		"aws-amazon-bedrock-api-key-long-lived": "ABSK" + p.letters(120), "aws-amazon-bedrock-api-key-short-lived": "bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29tLz9B",
		"gcp-api-key": "AIza" + p.letters(35), "gcp-oauth-token": "ya29." + p.letters(60), "azure-ad-client-secret": "aB3" + "8Q~" + p.letters(34),
		"cohere-api-token": "COHERE_KEY=" + p.letters(40), "huggingface-access-token": "hf_" + p.letters(34), "groq-api-key": "gsk_" + p.letters(52),
		"xai-api-key": "xai-" + p.letters(80), "perplexity-api-key": "pplx-" + p.letters(48), "replicate-api-token": "r8_" + p.letters(37),
		"langsmith-api-key": "lsv2_pt_" + hex[:32] + "_" + hex[:10], "github-pat": "ghp_" + p.letters(36), "gitlab-pat": "glpat-" + p.letters(20),
		"slack-bot-token": "xoxb-1234567890-1234567890-" + p.letters(20), "stripe-access-token": "sk_live_" + p.letters(24),
		"sendgrid-api-token": "SG." + p.letters(22) + "." + p.letters(43), "npm-access-token": "npm_" + p.letters(36),
		"pypi-upload-token": "pypi-AgEIcHlwaS5vcmc" + p.letters(60), "vault-service-token": "hvs." + p.letters(95), "databricks-api-token": "dapi" + hex[:32],
		"digitalocean-pat": "dop_v1_" + hex, "jwt": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
		"private-key":     "-----BEGIN RSA PRIVATE KEY-----\n" + p.letters(200) + "\n-----END RSA PRIVATE KEY-----",
		"generic-api-key": `api_key: "` + p.letters(32) + `"`,
	} {
		text = "before " + text + ", after"
		found := redact.Sightings(text)
		if len(found) == 0 || !slices.ContainsFunc(found, func(s redact.Sighting) bool { return s.Rule == id }) {
			t.Errorf("%s: found %v in %s", id, found, text)
		}
		once := redact.HideTokens(text)
		if again := redact.HideTokens(once); again != once || !strings.Contains(once, "<REDACTED:") {
			t.Errorf("%s: %s, then %s", id, once, again)
		}
	}
	if n := len(redact.TokenIDs()); n < 200 {
		t.Errorf("%d forms", n)
	}
	image := base64.StdEncoding.EncodeToString([]byte(p.letters(3000)))
	for _, text := range []string{
		image[:1000] + "AKIAQ3EGRJ5TKWXYZ2PL" + image[1000:], image[:400] + "ghp_" + image[400:], "chatcmpl-" + p.letters(29), "req_" + hex[:24],
		"AKIA" + strings.Repeat("A", 16), "api_key: not set in this environment", redact.Placeholder("x"), "550e8400-e29b-41d4-a716-446655440000",
	} {
		if got := redact.HideTokens(text); got != text {
			t.Errorf("%.60s became %.80s", text, got)
		}
	}
}
