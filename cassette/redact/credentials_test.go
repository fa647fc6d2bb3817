package redact

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/internal/cputime"
)

// Shows what of a request is a credential: by the names of fields, parameters and members,
// without its scheme, decoded, and one by one; and that words are none.
func TestCredentials(t *testing.T) {
	basic := base64.StdEncoding.EncodeToString([]byte("svc7user:pa55phrase-x"))
	for _, c := range []struct {
		name string
		in   Request
		want []string
	}{
		{"bearer", Request{Header: http.Header{"Authorization": {"Bearer abc123def"}}}, []string{"abc123def"}},
		{"a scheme nobody knows", Request{Header: http.Header{"Authorization": {"abc123def xyz"}}}, []string{"abc123def xyz"}},
		{"basic", Request{Header: http.Header{"Authorization": {"basic " + basic}}}, []string{basic, "pa55phrase-x", "svc7user", "svc7user:pa55phrase-x"}},
		{"digest", Request{Header: http.Header{"Authorization": {`Digest realm="shop front", cnonce="q", client_secret="gh45kl67"`}}}, []string{`gh45kl67`, `realm="shop front", cnonce="q", client_secret="gh45kl67"`}},
		{"cookies", Request{Header: http.Header{"Cookie": {"theme=dark; sid=q1w2e3r4; lang=en"}}}, []string{"q1w2e3r4"}},
		{"a key by its looks", Request{Header: http.Header{"X-Shop-Key": {"9fK2mQ7vRt8WzL1s"}, "Idempotency-Key": {"9fK2mQ7vRt8WzL1t"}}}, []string{"9fK2mQ7vRt8WzL1s"}},
		{"an address", Request{URL: "https://bob77x:pw-4711x@a.test/x?key=k1l2m3n4&page=p1a2g3e4#access_token=t9o8k7e6"}, []string{"bob77x", "k1l2m3n4", "pw-4711x", "t9o8k7e6"}},
		{"an escaped parameter", Request{URL: "https://a.test/x?api_key=a%2Fb%2B1c2d"}, []string{"a/b+1c2d"}},
		{"members", Request{Body: []byte(`{"a":[{"password":"hunter22"}],"n":1,"max_tokens":12345678,"text":"{\"client_secret\": \"inn3r-one\"}"}`)}, []string{"hunter22", "inn3r-one"}},
		{"a form", Request{Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte("grant_type=password&password=swor0fish&user=bob12345")}, []string{"swor0fish"}},
		{"words", Request{
			URL:    "https://a.test/x?key=value&token=test",
			Header: http.Header{"Authorization": {"Bearer test"}, "X-Api-Key": {"x"}, "Cookie": {"theme=dark"}, "Api-Key": {"scenario"}, "Auth": {"postgres"}},
			Body:   []byte(`{"password": "password", "pin": 1234, "secret": "1.2.3"}`),
		}, nil},
		{"nothing by names", Request{URL: "https://a.test/x?page=abc123def", Header: http.Header{"X-Request-Id": {"abc123def"}}, Body: []byte(`{"name":"abc123def","text":"the password abc123def"}`)}, nil},
	} {
		got := Credentials(c.in)
		slices.Sort(got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Shows which variables of an environment are secrets: by their names, and as the
// password of an address; not what is a word, a path or a number.
func TestEnvironmentCredentials(t *testing.T) {
	for _, c := range []struct{ pair, want string }{
		{"GITHUB_TOKEN=gh1abc", "gh1abc"},
		{"DB_PASSWORD=hunter2", "hunter2"},
		{"DB_PASSWORD=correct horse", "correct horse"},
		{"db_password=hunter2", "hunter2"},
		{"MYSQL_PWD=hunter2", "hunter2"},
		{"DB_PASS=hunter2", "hunter2"},
		{"AWS_SECRET_ACCESS_KEY=abc/def+123", "abc/def+123"},
		{"OPENAI_API_KEY=k3y-of-mine", "k3y-of-mine"},
		{"STRIPE_WEBHOOK_SECRET=wh-00aa11", "wh-00aa11"},
		{"APP_PRIVATE_KEY=pr1vate", "pr1vate"},
		{"SESSION_SECRET_2=s3cond", "s3cond"},
		{"DB_PASSWORD_PROD=pr0duct", "pr0duct"},
		{"SECRET_KEY_BASE=b4seb4se", "b4seb4se"},
		{"ENCRYPTION_KEY=9fK2mQ7vRt8WzL1sXb", "9fK2mQ7vRt8WzL1sXb"},
		{"DATABASE_URL=postgres://app:pw-11aa@db.test/x", "pw-11aa"},
		{"DATABASE_URL=postgres://app:pw%4011aa@db.test/x", "pw@11aa|pw%4011aa"},
		{"REDIS_URL=redis://:pw-22bb@db.test", "pw-22bb"},
		{"CALLBACK=https://a.test/x?api_key=pw-33cc&page=1", "pw-33cc"},
		{"MYSQL_DSN=root:pw-44dd@tcp(db.test)/x", "pw-44dd"},
		{"PG=host=db user=app password=pw-55ee dbname=x", "pw-55ee"},
		{"SERVICE={\"user\":\"bob12345\",\"password\":\"pw-66ff\"}", "pw-66ff"},
		{"DB_PASSWORD=postgres", ""},
		{"OPENAI_API_KEY=scenario", ""},
		{"OPENAI_API_KEY=test", ""},
		{"PWD=/srv/bob77/work", ""},
		{"PATH=/usr/bin:/srv/bob77/bin", ""},
		{"MAX_TOKEN=123456789", ""},
		{"TOKENIZERS_PARALLELISM=abc123def", ""},
		{"TOKEN_URL=https://a.test/token/abc123", ""},
		{"HOME=/srv/bob12345", ""},
		{"CACHE_KEY=user-list", ""},
	} {
		if got := strings.Join(EnvironmentCredentials([]string{c.pair}), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.pair, got, c.want)
		}
	}
}

// Shows that what is received is hidden from then on, by every redactor that listens, in other
// encodings and in lines that end later; that the newest are known, and what is kept
// always is.
func TestReceived(t *testing.T) {
	h := NewReceived()
	h.Keep([]string{"kept-for-good-1"})
	r := New([]string{"declared-1"}).Recording().Receiving(h)
	var out strings.Builder
	w := r.Writer(&out)
	fmt.Fprint(w, "a late-secret-77\nb late-sec")
	if fresh := h.Receive([]string{"late-secret-77", "late-secret-77", "kept-for-good-1"}); !slices.Equal(fresh, []string{"late-secret-77"}) {
		t.Errorf("new are %q", fresh)
	}
	fmt.Fprint(w, "ret-77\nc declared-1 kept-for-good-1 "+base64.StdEncoding.EncodeToString([]byte("u:late-secret-77"))+"\nd late%2Dsecret-77")
	w.Close()
	coded := base64.StdEncoding.EncodeToString([]byte("u:late-secret-77"))
	if text := out.String(); !strings.HasPrefix(text, "a late-secret-77\nb "+Placeholder("late-secret-77")+"\nc ") || strings.Contains(text[20:], "late") || strings.Contains(text, "declared-1") || strings.Contains(text, "kept") || strings.Contains(text, coded[4:16]) {
		t.Error(text)
	}
	for n := range 2*receivedMax + 1 {
		h.Receive([]string{fmt.Sprintf("other-secret-%d", n)})
	}
	last := fmt.Sprintf("other-secret-%d", 2*receivedMax)
	for text, hidden := range map[string]bool{"late-secret-77": false, "kept-for-good-1": true, "declared-1": true, last: true} {
		if got := r.Text("x "+text) != "x "+text; got != hidden {
			t.Errorf("%s is hidden: %v, want %v", text, got, hidden)
		}
		if _, got := r.Exact(text); got != hidden {
			t.Errorf("%s is one: %v, want %v", text, got, hidden)
		}
	}
}

var placeholders = regexp.MustCompile(`<REDACTED:sha256=[0-9a-f]{16}>`)

// Shows that the password of an address stands in no Base64 of the whole address, wherever
// in a group it begins, and neither does one of a list of settings.
func TestAddressesInBase64(t *testing.T) {
	for user := range 6 {
		for _, password := range []string{"pw-11a", "hunter2", "pw-11aab", "pw-11aabb", "p%40ss-1122", "a-longer-pa55-one"} {
			for _, form := range []string{"postgres://%s:%s@db.test/x", "%s:%s@tcp(db.test)/x", "host=db user=%s password=%s dbname=x"} {
				value := fmt.Sprintf(form, "user12"[:user], password)
				h := NewReceived()
				h.Keep(EnvironmentCredentials([]string{"DATABASE_URL=" + value}))
				for name, alphabet := range map[string]*base64.Encoding{"standard": base64.StdEncoding, "URL": base64.RawURLEncoding} {
					got := (*Redactor)(nil).Receiving(h).Text("it is " + alphabet.EncodeToString([]byte(value)) + " END")
					rest, _, _ := strings.Cut(strings.TrimPrefix(got, "it is "), " END")
					for _, run := range placeholders.Split(rest, -1) {
						for skip := range min(4, len(run)) {
							plain, _ := alphabet.WithPadding(base64.NoPadding).DecodeString(strings.TrimRight(run[skip:], "="))
							for at := range len(password) - 3 {
								if strings.Contains(string(plain), password[at:at+4]) {
									t.Errorf("%s, %s: %s says %q", value, name, got, plain)
								}
							}
						}
					}
				}
			}
		}
	}
}

// Shows that finding credentials in one request, and knowing them from then on, takes a time
// that grows with their number, also where all begin alike.
func TestManyThatBeginAlike(t *testing.T) {
	for name, c := range map[string]struct {
		few, many int
		do        func(list []string)
	}{
		"find":  {1000, 20_000, func(list []string) { AddressCredentials(nil, "http://a.test/?token="+strings.Join(list, "&token=")) }},
		"learn": {100, 1000, func(list []string) { NewReceived().Receive(list) }},
	} {
		took := func(n int) time.Duration {
			list := make([]string, n)
			for i := range list {
				list[i] = fmt.Sprintf("abc123def%d", i)
			}
			best := time.Hour
			for range 3 {
				began := cputime.Spent()
				c.do(list)
				best = min(best, cputime.Spent()-began)
			}
			return best
		}
		if few, many := took(c.few), took(c.many); many > time.Duration(c.many/c.few)*3*few/2+20*time.Millisecond {
			t.Errorf("%s: %d take %v, %d %v", name, c.few, few, c.many, many)
		}
	}
}
