package redact

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A token is a form in which services give out credentials. It is found without
// knowing the value, so it has to be a form that nothing else has.
type token struct {
	// Rule is the name that scanners of repositories use for it.
	id string
	// stems are literal parts of the form, of which it has at least one: a quick
	// look before a careful one.
	stems   []string
	pattern string
	// group is the part of a match that is the secret; 0 is all of it.
	group int
	// entropy is how many bits a character of the secret has at least.
	entropy float64
}

// tokens are the forms that are hidden in whatever is recorded, and looked for
// again before it is written.
var tokens = []token{
	{id: "openai-api-key", stems: []string{"T3BlbkFJ"}, pattern: `sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`},
	{id: "anthropic-api-key", stems: []string{"sk-ant-api"}, pattern: `sk-ant-api\d\d-[A-Za-z0-9_-]{80,}`},
	{id: "anthropic-admin-api-key", stems: []string{"sk-ant-admin"}, pattern: `sk-ant-admin\d\d-[A-Za-z0-9_-]{80,}`},
	{id: "aws-access-token", stems: []string{"A3T", "AKIA", "ASIA", "ABIA", "ACCA"}, pattern: `(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}`, entropy: 3},
	{id: "aws-amazon-bedrock-api-key-long-lived", stems: []string{"ABSK"}, pattern: `ABSK[A-Za-z0-9+/]{109,269}={0,2}`, entropy: 3},
	{id: "aws-amazon-bedrock-api-key-short-lived", stems: []string{"bedrock-api-key-"}, pattern: `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]*`},
	{id: "gcp-api-key", stems: []string{"AIza"}, pattern: `AIza[\w-]{35}`, entropy: 3},
	{id: "gcp-oauth-token", stems: []string{"ya29."}, pattern: `ya29\.[\w-]{20,}`, entropy: 3},
	{id: "azure-ad-client-secret", stems: []string{"Q~"}, pattern: `[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}`, entropy: 3},
	{id: "cohere-api-token", stems: []string{"cohere", "Cohere", "COHERE"}, pattern: `(?:cohere|Cohere|COHERE)[\w .-]{0,20}["'=:\s]{1,5}([a-zA-Z0-9]{40})`, group: 1, entropy: 3.5},
	{id: "huggingface-access-token", stems: []string{"hf_"}, pattern: `hf_[A-Za-z0-9]{34}`, entropy: 3},
	{id: "groq-api-key", stems: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{52}`, entropy: 3},
	{id: "xai-api-key", stems: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{80}`, entropy: 3},
	{id: "perplexity-api-key", stems: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{48}`, entropy: 3},
	{id: "replicate-api-token", stems: []string{"r8_"}, pattern: `r8_[A-Za-z0-9]{37}`, entropy: 3},
	{id: "langsmith-api-key", stems: []string{"lsv2_"}, pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`},
	{id: "github-pat", stems: []string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"}, pattern: `gh[pousr]_[0-9a-zA-Z]{36}|github_pat_\w{82}`, entropy: 3},
	{id: "gitlab-pat", stems: []string{"glpat-"}, pattern: `glpat-[\w-]{20}`, entropy: 3},
	{id: "slack-bot-token", stems: []string{"xoxb-", "xoxp-", "xoxe-"}, pattern: `xox[bpe]-[0-9]{10,13}-[0-9A-Za-z-]{10,}`},
	{id: "stripe-access-token", stems: []string{"sk_", "rk_"}, pattern: `(?:sk|rk)_(?:live|test|prod)_[a-zA-Z0-9]{10,99}`, entropy: 2},
	{id: "sendgrid-api-token", stems: []string{"SG."}, pattern: `SG\.[\w-]{22}\.[\w-]{43}`, entropy: 3},
	{id: "npm-access-token", stems: []string{"npm_"}, pattern: `npm_[A-Za-z0-9]{36}`, entropy: 3},
	{id: "pypi-upload-token", stems: []string{"pypi-"}, pattern: `pypi-AgEIcHlwaS5vcmc[\w-]{50,}`},
	{id: "vault-service-token", stems: []string{"hvs."}, pattern: `hvs\.[\w-]{90,}`, entropy: 3},
	{id: "databricks-api-token", stems: []string{"dapi"}, pattern: `dapi[a-f0-9]{32}(?:-\d)?`, entropy: 3},
	{id: "digitalocean-pat", stems: []string{"dop_v1_"}, pattern: `dop_v1_[a-f0-9]{64}`, entropy: 3},
	{id: "jwt", stems: []string{".ey"}, pattern: `ey[A-Za-z0-9_-]{17,}\.ey[A-Za-z0-9_-]{17,}\.[A-Za-z0-9_-]{10,}={0,2}`, entropy: 3},
	{id: "private-key", stems: []string{"PRIVATE KEY"}, pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]{32,}?-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----`},
	{id: "generic-api-key", stems: []string{"api_key", "api-key", "apikey", "apiKey", "Api-Key", "API_KEY", "access_token", "accessToken", "ACCESS_TOKEN", "client_secret", "clientSecret", "CLIENT_SECRET"}, pattern: `(?:api_key|api-key|apikey|apiKey|Api-Key|API_KEY|access_token|accessToken|ACCESS_TOKEN|client_secret|clientSecret|CLIENT_SECRET)["'\\]{0,3}\s{0,3}[=:]\s{0,3}["'\\]{0,3}([\w.~+/-]{20,200})`, group: 1, entropy: 3.5},
}

// TokenIDs returns the names of the forms of credentials that are found without
// knowing them.
func TokenIDs() []string {
	ids := make([]string, len(tokens))
	for i, t := range tokens {
		ids[i] = t.id
	}
	return ids
}

// compiledTokens are the patterns, compiled when something is recorded first.
var compiledTokens = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, len(tokens))
	for i, t := range tokens {
		list[i] = regexp.MustCompile(t.pattern)
	}
	return list
})

// A sighting is a token in a text.
type Sighting struct {
	Start, end int
	Rule       string
}

// Sightings finds the tokens of a text, in order. Placeholders are no tokens,
// and neither is what lies within a longer run of the same letters: an image in
// Base64 holds everything sooner or later.
func Sightings(text string) []Sighting {
	var found []Sighting
	for i, p := range compiledTokens() {
		t := &tokens[i]
		if !slices.ContainsFunc(t.stems, func(stem string) bool { return strings.Contains(text, stem) }) {
			continue
		}
		for _, m := range p.FindAllStringSubmatchIndex(text, -1) {
			s := Sighting{m[2*t.group], m[2*t.group+1], t.id}
			if s.Start < s.end && !withinRun(text, s.Start, s.end) && bits(text[s.Start:s.end]) >= t.entropy {
				found = append(found, s)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Sighting) int { return a.Start - b.Start })
	return found
}

// runMax is how far letters may go on beside a token: a prefix that somebody
// put before it, but no image.
const runMax = 32

func withinRun(text string, start, end int) bool {
	before, after := start, end
	for before > 0 && isRunByte(text[before-1]) && start-before <= runMax {
		before--
	}
	for after < len(text) && isRunByte(text[after]) && after-end <= runMax {
		after++
	}
	return start-before > runMax || after-end > runMax
}

func isRunByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/=_-", c) >= 0
}

// bits is the entropy of a text in bits a character (Shannon).
func bits(text string) float64 {
	var count [256]int
	for i := range len(text) {
		count[text[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// tokenRegions are the tokens of a text as parts to be hidden.
func tokenRegions(text string) []region {
	var found []region
	for _, s := range Sightings(text) {
		found = merge(found, region{s.Start, s.end, s.end - s.Start, text[s.Start:s.end]})
	}
	return found
}

// HideTokens puts placeholders for the tokens of a text.
func HideTokens(text string) string {
	var e edits
	for _, g := range tokenRegions(text) {
		e.replace(g.start, g.end, Placeholder(g.secret))
	}
	return e.apply(text)
}
