package redact

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/internal/words"
)

// A rule is a form in which services give out credentials. It is found without
// knowing the value, so it has to be a form that little else has.
type rule struct {
	// id is the name that scanners of repositories use for it.
	id string
	// words are parts of the form in lower case, of which it has at least one: a
	// quick look before a careful one.
	words   []string
	pattern string
	// whole says that all of a match is the secret; else it is the longest group.
	whole bool
	// entropy is how many bits a character of the secret has at least.
	entropy float64
	// allowed are patterns of what looks like the form and is no secret.
	allowed []string
	// at is where a word stands; what is not there is not looked at.
	at place
}

// A place is where a word stands that a rule has.
type place int

const (
	_ place = iota // anywhere
	// withinToken is a run of letters and signs without a break, which has the secret.
	withinToken
	// beforeValue is before a sign of assignment, with the secret behind it.
	beforeValue
	// inLongText is anywhere in a form that is long, such as a key in lines.
	inLongText
)

// own are the rules that the published ones lack, or whose forms those have
// narrower than services give them out. Rules of one form have one name.
var own = []rule{
	{id: "openai-api-key", words: []string{"t3blbkfj"}, pattern: `sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`, whole: true, at: withinToken},
	{id: "openai-api-key", words: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, pattern: `sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}`, whole: true, entropy: 3, at: withinToken},
	{id: "openai-api-key", words: []string{"sk-"}, pattern: `\bsk-[A-Za-z0-9]{40,64}\b`, whole: true, entropy: 3.5, at: withinToken},
	{id: "anthropic-api-key", words: []string{"sk-ant-"}, pattern: `\bsk-ant-[A-Za-z0-9_-]{16,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "anthropic-api-key", words: []string{"sk-ant-"}, pattern: `sk-ant-(?:api|sid|oat|ort)\d\d-[A-Za-z0-9_-]{40,}`, whole: true, entropy: 3, at: withinToken},
	{id: "anthropic-admin-api-key", words: []string{"sk-ant-admin"}, pattern: `sk-ant-admin\d\d-[A-Za-z0-9_-]{40,}`, whole: true, entropy: 3, at: withinToken},
	{id: "openrouter-api-key", words: []string{"sk-or-"}, pattern: `sk-or-(?:v\d-)?[A-Za-z0-9]{32,}`, whole: true, entropy: 3, at: withinToken},
	{id: "pinecone-api-key", words: []string{"pcsk_"}, pattern: `pcsk_[A-Za-z0-9_]{20,}`, whole: true, entropy: 3, at: withinToken},
	{id: "fireworks-api-key", words: []string{"fw_"}, pattern: `\bfw_[A-Za-z0-9]{20,}`, whole: true, entropy: 3, at: withinToken},
	{id: "groq-api-key", words: []string{"gsk_"}, pattern: `gsk_[A-Za-z0-9]{40,}`, whole: true, entropy: 3, at: withinToken},
	{id: "xai-api-key", words: []string{"xai-"}, pattern: `xai-[A-Za-z0-9]{60,}`, whole: true, entropy: 3, at: withinToken},
	{id: "perplexity-api-key", words: []string{"pplx-"}, pattern: `pplx-[A-Za-z0-9]{40,}`, whole: true, entropy: 3, at: withinToken},
	{id: "replicate-api-token", words: []string{"r8_"}, pattern: `\br8_[A-Za-z0-9]{37}`, whole: true, entropy: 3, at: withinToken},
	{id: "langsmith-api-key", words: []string{"lsv2_"}, pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, whole: true, at: withinToken},
	{id: "langfuse-secret-key", words: []string{"sk-lf-"}, pattern: `sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, whole: true, at: withinToken},
	{id: "tavily-api-key", words: []string{"tvly-"}, pattern: `tvly-[A-Za-z0-9_-]{28,}`, whole: true, entropy: 3, at: withinToken},
	{id: "nvidia-api-key", words: []string{"nvapi-"}, pattern: `nvapi-[A-Za-z0-9_-]{40,}`, whole: true, entropy: 3, at: withinToken},
	{id: "huggingface-access-token", words: []string{"hf_"}, pattern: `\bhf_[A-Za-z0-9]{30,}`, whole: true, entropy: 3, at: withinToken},
	{id: "cohere-api-token", words: []string{"cohere"}, pattern: `(?i:cohere)[\w .-]{0,20}["'=:\s\\]{1,6}([a-zA-Z0-9]{40})`, entropy: 3.5},
	{id: "aws-amazon-bedrock-api-key-short-lived", words: []string{"bedrock-api-key-"}, pattern: `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]*`, whole: true, at: withinToken},
	{id: "aws-secret-access-key", words: []string{"secret"}, pattern: `(?i:secret_?-?(?:access_?-?)?key)["'\\\s]{0,4}[=:>]{1,2}["'\\\s]{0,4}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`, entropy: 4, at: beforeValue},
	{id: "gcp-oauth-token", words: []string{"ya29."}, pattern: `ya29\.[\w-]{20,}`, whole: true, entropy: 3, at: withinToken},
	{id: "gcp-api-key", words: []string{"aiza"}, pattern: `AIza[\w-]{35}`, whole: true, entropy: 3, at: withinToken},
	{id: "azure-storage-key", words: []string{"accountkey=", "sharedaccesskey="}, pattern: `(?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{40,}={0,2})`, entropy: 3},
	{id: "azure-ad-client-secret", words: []string{"q~"}, pattern: `[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}`, whole: true, entropy: 3, at: withinToken},
	{id: "github-pat", words: []string{"ghp_", "github_pat_"}, pattern: `ghp_[0-9a-zA-Z]{36}|github_pat_\w{22,255}`, whole: true, entropy: 3, at: withinToken},
	{id: "slack-bot-token", words: []string{"xoxb-", "xoxp-", "xoxe-"}, pattern: `xox[bpe]-[0-9]{10,13}-[0-9A-Za-z-]{10,}`, whole: true, at: withinToken},
	{id: "slack-webhook-url", words: []string{"hooks.slack.com"}, pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})`},
	{id: "one-time-link", words: []string{"/magic", "reset-password/", "password-reset/", "/invite/", "/verify-email/", "/confirm-email/"}, pattern: `(?i:/magic(?:-?links?)?|/reset-password|/password-reset|/invite|/verify-email|/confirm-email)/([A-Za-z0-9_-]{14,})`, entropy: 3},
	{id: "pgcrypto-password", words: []string{"crypt('", "crypt( '"}, pattern: `(?i:\bcrypt)\( ?'([^']{4,})', ?(?i:gen_salt|[a-z_.]*(?:hash|passw))`},
	{id: "link-of-an-account", words: []string{"/reset/", "/activate/"}, pattern: `(?i:/reset|/activate)/([A-Za-z_-]*[0-9][A-Za-z0-9_-]{6,})`, entropy: 3.3},
	{id: "pgcrypto-key", words: []string{"pgp_sym_"}, pattern: `(?i:pgp_sym_(?:en|de)crypt(?:_bytea)?)\((?:[^,()']+|'[^']*')(?:::\w+)?, ?'([^']{4,})'`},
	{id: "postgres-setting", words: []string{"set_config("}, pattern: `(?i:set_config)\( ?'(?i:[\w.]*(?:secret|password|passwd|token|apikey|api_key|private_key|encryption_key))', ?'([^']{4,})'`},
	{id: "password-hash", words: []string{"$2a$", "$2b$", "$2y$", "$argon2"}, pattern: `\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=\d+\$[\w=,]+\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}`, whole: true},
	{id: "discord-webhook-url", words: []string{"/api/webhooks/"}, pattern: `discord(?:app)?\.com/api/webhooks/(\d+/[\w-]{20,})`},
	{id: "discord-bot-token", words: []string{"discord", "bot "}, pattern: `\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}\b`, whole: true, entropy: 4},
	{id: "telegram-bot-api-token", words: []string{":aa", "%3aaa"}, pattern: `(?:\b|\bbot)(\d{8,10}(?::|%3[Aa])AA[\w-]{32,34})`, entropy: 3, at: withinToken},
	{id: "twilio-api-key", words: []string{"sk"}, pattern: `\bSK[0-9a-f]{32}\b`, whole: true, entropy: 3, at: withinToken},
	{id: "mailgun-private-api-token", words: []string{"key-"}, pattern: `\bkey-[0-9a-f]{32}\b`, whole: true, entropy: 3, at: withinToken},
	{id: "stripe-access-token", words: []string{"sk_", "rk_", "whsec_"}, pattern: `(?:(?:sk|rk)_(?:live|test|prod)|whsec)_[a-zA-Z0-9+/]{10,99}={0,2}`, whole: true, entropy: 2, at: withinToken},
	{id: "stripe-access-token", words: []string{"sk-live-", "sk-test-", "sk-prod-", "rk-live-", "rk-test-", "rk-prod-"}, pattern: `\b[sr]k-(?:live|test|prod)-[a-zA-Z0-9]{16,99}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "hubspot-api-key", words: []string{"pat-"}, pattern: `\bpat-(?i:na|eu|ap)\d{1,2}-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`, whole: true, entropy: 3, at: withinToken},
	{id: "sendgrid-api-token", words: []string{"sg."}, pattern: `SG\.[\w-]{22}\.[\w-]{43}`, whole: true, entropy: 3, at: withinToken},
	{id: "vault-service-token", words: []string{"hvs."}, pattern: `hvs\.[\w-]{24,}`, whole: true, entropy: 3, at: withinToken},
	{id: "docker-access-token", words: []string{"dckr_"}, pattern: `dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "jina-api-key", words: []string{"jina_"}, pattern: `\bjina_[A-Za-z0-9_-]{32,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "cerebras-api-key", words: []string{"csk-"}, pattern: `\bcsk-[a-z0-9]{32,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "together-api-key", words: []string{"tgp_v1_"}, pattern: `tgp_v1_[A-Za-z0-9_-]{30,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "voyage-api-key", words: []string{"pa-"}, pattern: `\bpa-[A-Za-z0-9_-]{40,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "deepseek-api-key", words: []string{"sk-"}, pattern: `\bsk-[a-f0-9]{32}\b`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "elevenlabs-api-key", words: []string{"sk_"}, pattern: `\bsk_[a-f0-9]{48}\b`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "doppler-api-token", words: []string{"dp."}, pattern: `\bdp\.(?:st|pt|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "notion-api-token", words: []string{"ntn_"}, pattern: `\bntn_[A-Za-z0-9]{40,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "figma-access-token", words: []string{"figd_"}, pattern: `\bfigd_[A-Za-z0-9_-]{30,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "supabase-key", words: []string{"sbp_", "sb_secret_"}, pattern: `\b(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "netlify-access-token", words: []string{"nfp_"}, pattern: `\bnfp_[A-Za-z0-9]{30,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "new-relic-user-api-key", words: []string{"nrak-"}, pattern: `\bNRAK-[A-Z0-9]{27}\b`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "neon-password", words: []string{"npg_"}, pattern: `\bnpg_[A-Za-z0-9]{12,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "airtable-personal-access-token", words: []string{"pat"}, pattern: `\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "mapbox-secret-token", words: []string{"sk.eyj"}, pattern: `\bsk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "resend-api-key", words: []string{"re_"}, pattern: `\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "mailchimp-api-key", words: []string{"-us"}, pattern: `\b[a-f0-9]{32}-us[0-9]{1,2}\b`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "fly-access-token", words: []string{"fm2_"}, pattern: `\bfm2_[A-Za-z0-9+/=_-]{40,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "vercel-access-token", words: []string{"vcp_"}, pattern: `\bvcp_[A-Za-z0-9]{20,}`, whole: true, entropy: 3, at: withinToken, allowed: []string{`^[A-Za-z_.-]+$`}},
	{id: "jwt", words: []string{".ey"}, pattern: `ey[A-Za-z0-9_-]{17,}\.ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}={0,2}`, whole: true, entropy: 3, at: withinToken},
	{id: "private-key", words: []string{"private key"}, pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]{32,}?-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----`, whole: true, at: inLongText},
	{id: "private-key", words: []string{"private key"}, pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn])*(?:[A-Za-z-]{1,40}: [^\r\n\\]{0,100}(?:\s|\\[rn])+){0,4}(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[rn])*)+`, whole: true, at: inLongText},
	{id: "private-key", words: []string{"private+key", "private%20key"}, pattern: `(?:-|%2[Dd]){5}BEGIN(?:[A-Z0-9_+-]|%20){0,100}PRIVATE(?:\+|%20)KEY(?:(?:\+|%20)BLOCK)?(?:-|%2[Dd]){5}(?:%0[AaDd]|%5[Cc][rn]|\\[rn]|\+|%20)*(?:[A-Za-z-]{1,40}(?::|%3[Aa])(?:\+|%20)[\w.,:/%+-]{0,100}?(?:%0[AaDd])+){0,4}(?:(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){16,}(?:%0[AaDd]|%5[Cc][rn]|\\[rn])*)+`, whole: true, at: inLongText},
}

// general are the rules for what stands behind a word that says what it is.
var general = []rule{
	{id: "authorization-in-text", words: []string{"bearer", "authorization"}, pattern: `(?i:\bbearer)(?:\s|\\u0020|%20|\+){1,3}([\w.~+/-]{16,}={0,2})|(?i:authorization)["'\\]{0,3}\s{0,3}[=:]["'\\\s]{0,5}(?i:basic|token|apikey)\s{1,3}([\w.~+/-]{8,}={0,2})`, entropy: 3, allowed: []string{`^[a-z_-]+$`, `^[A-Z_-]+$`}},
	{id: "command-login", words: []string{"login", "sshpass", "redis-cli", "ldap", "mosquitto_"}, pattern: `\b(?:(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oras)\s+login\b[^\n|;&]{0,200}?\s-p[= ]|sshpass\s+-p\s*|redis-cli\b[^\n|;&]{0,200}?\s(?:-a|--pass)[= ]|ldap(?:search|add|modify|delete|whoami)\b[^\n|;&]{0,200}?\s-w\s|mosquitto_(?:pub|sub)\b[^\n|;&]{0,200}?\s-P\s)\s*["'\\]{0,3}([^\s"'\\$]{6,200})`, allowed: []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}},
	{id: "mail-login", words: []string{"auth plain"}, pattern: `\bAUTH PLAIN\s+([A-Za-z0-9+/]{12,}={0,2})`, entropy: 3},
	{id: "password-file", words: []string{":5432:", ":5433:", ":6432:"}, pattern: `(?m)^[\w.*-]{1,200}:(?:5432|5433|6432):[\w.*-]{1,100}:[\w.*-]{1,100}:([^\s:]{6,200})$`, allowed: []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}},
	{id: "named-value", words: []string{"value="}, pattern: `(?i)\bname=["']?[\w.-]{0,60}(?:password|passwd|secret|token|api_?key)["']?[\s,;]{1,3}value=["']?([^\s"',;]{6,200})`, allowed: []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}},
	{id: "connection-string-password", words: []string{"password", "pwd"}, pattern: `(?i:;\s*(?:password|pwd))\s*=\s*([^;\s"'<>&\\]{4,})`},
	{id: "generic-api-key", words: []string{"key", "token", "secret", "passw"}, pattern: `(?i:(?:api|access|auth|secret|private|signing|encryption|service|admin|master|session|bearer|refresh|client|app|webhook|bot)[_-]?(?:key|token|secret|passw(?:or)?d)|(?:^|[\s,;{(?&])(?:[a-z0-9_]+_)?(?:api_?key|token|secret|passw(?:or)?d))["'\\]{0,3}\s{0,3}(?:=|:|=>|:=)\s{0,3}["'\\]{0,3}([\w.~+/-]{20,200}={0,2})`, entropy: 3.5, allowed: []string{`^[A-Za-z_.-]+$`, `^[\w-]+(?:\.[\w-]+){2,}$`, `^https?:`}, at: beforeValue},
}

// allRules are the forms that are hidden in whatever is recorded, and looked for
// again before it is written. What fits several is called by the first.
var allRules = slices.Concat(own, published, general)

// TokenIDs returns the names of the forms of credentials that are found without
// knowing them, each once and sorted.
func TokenIDs() []string {
	var ids []string
	for i := range allRules {
		ids = append(ids, allRules[i].id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A compiledRule has the patterns of a rule, made when a text has one of its
// words first.
type compiledRule struct {
	once    sync.Once
	pattern *regexp.Regexp
	allowed []*regexp.Regexp
}

var compiledRules = make([]compiledRule, len(allRules))

func compiled(i int) *compiledRule {
	c := &compiledRules[i]
	c.once.Do(func() {
		c.pattern = regexp.MustCompile(allRules[i].pattern)
		for _, a := range allRules[i].allowed {
			c.allowed = append(c.allowed, regexp.MustCompile(a))
		}
	})
	return c
}

// A Sighting is a token in a text.
type Sighting struct {
	Start, End int
	// Rule is the name of the form.
	Rule string
}

// Sightings finds the tokens of a text, in order. Placeholders are no tokens,
// and neither is what lies within a longer run of the same letters: an image in
// Base64 holds everything sooner or later.
func Sightings(text string) []Sighting {
	found := slices.Concat(sightings(text), packed(text), begun(text))
	if len(found) > 1 { // sort.SliceStable allocates
		sort.SliceStable(found, func(i, j int) bool { return found[i].Start < found[j].Start })
	}
	return found
}

// sightings are those that are not packed, by rule.
func sightings(text string) []Sighting {
	var found []Sighting
	windows := windowsOf(text)
	if len(windows) > 1 {
		sort.SliceStable(windows, func(i, j int) bool { return windows[i].rule < windows[j].rule })
	}
	for _, w := range windows {
		r, c := &allRules[w.rule], compiled(w.rule)
		for _, m := range c.pattern.FindAllStringSubmatchIndex(text[w.start:w.end], -1) {
			from, to := r.secret(m)
			s := Sighting{w.start + from, w.start + to, r.id}
			if s.Start < s.End && !withinRun(text, s.Start, s.End) && !HasPlaceholder(text[s.Start:s.End]) && c.takes(r, text[s.Start:s.End]) {
				found = append(found, s)
			}
		}
	}
	return found
}

// secret is the part of a match that is the secret.
func (r *rule) secret(match []int) (from, to int) {
	if r.whole {
		return match[0], match[1]
	}
	for i := 2; i+1 < len(match); i += 2 {
		if match[i] >= 0 && match[i+1]-match[i] > to-from {
			from, to = match[i], match[i+1]
		}
	}
	return from, to
}

// takes reports whether what a pattern found is a secret.
func (c *compiledRule) takes(r *rule, secret string) bool {
	for _, a := range c.allowed {
		if a.MatchString(secret) {
			return false
		}
	}
	return bits(secret) >= r.entropy
}

// A window is a part of a text in which a rule is tried: what surrounds its
// words. A rule is tried in its windows in their order.
type window struct{ rule, start, end int }

// How far around its word a rule looks. A run of letters that begins there is
// looked at up to its end.
const (
	lookBack  = 192
	lookAhead = 512
	lookFar   = 32 << 10
	runEnd    = 8 << 10
)

func windowsOf(text string) []window {
	index := ruleWords()
	var list []window
	last := map[int]int{} // the last window of a rule
	index.search.Each(text, func(word, end int) {
		for _, i := range index.rules[word] {
			back, ahead := lookBack, lookAhead
			switch allRules[i].at {
			case inLongText:
				back, ahead = lookFar, lookFar
			case withinToken:
				if !inRun(text, end) {
					continue
				}
			case beforeValue:
				if !isAssigned(text, end) {
					continue
				}
			}
			start, stop := max(0, end-len(index.search.Words[word])-back), min(len(text), end+ahead)
			if n, seen := last[i]; seen && list[n].end >= start {
				list[n].end = max(list[n].end, stop)
				continue
			}
			last[i] = len(list)
			list = append(list, window{i, start, stop})
		}
	})
	for n := range list {
		w := &list[n]
		for limit := w.end + runEnd; w.end < min(len(text), limit) && isRunByte(text[w.end-1]); {
			w.end++
		}
	}
	return list
}

// shortestToken is how long what a rule finds is at least.
const shortestToken = 12

// inRun reports whether a word that ends at a place stands in a run that is long
// enough to be a token.
func inRun(text string, end int) bool {
	before, after := end, end
	for before > 0 && isTokenByte(text[before-1]) && end-before < shortestToken {
		before--
	}
	for after < len(text) && isTokenByte(text[after]) && after-before < shortestToken {
		after++
	}
	return after-before >= shortestToken
}

func isTokenByte(c byte) bool { return isRunByte(c) || c == '.' || c == '~' || c == ':' || c == '%' }

// isAssigned reports whether behind a word there is a sign of assignment, and
// behind that a run that is long enough to be a secret.
func isAssigned(text string, end int) bool {
	sign := strings.IndexAny(text[end:min(len(text), end+32)], "=:>|,")
	if sign < 0 {
		return false
	}
	at := end + sign
	rest := strings.TrimLeft(text[at:min(len(text), at+48)], "=:>|,?`'\" \t\r\n\\")
	n := 0
	for n < len(rest) && isTokenByte(rest[n]) {
		n++
	}
	return n >= min(shortestToken, len(rest)) && n >= 8
}

// runMax is how far letters may go on beside a token: a prefix that somebody
// put before it, but no image.
const runMax = 32

// runSample is how many of these letters tell what they are.
const runSample = 96

func withinRun(text string, start, end int) bool {
	before, after := start, end
	for before > 0 && isRunByte(text[before-1]) && start-before < runSample {
		before--
	}
	for after < len(text) && isRunByte(text[after]) && after-end < runSample {
		after++
	}
	return isImage(text[before:start]) || isImage(text[end:after])
}

// isImage reports whether letters are more than a prefix, and mixed as those of
// Base64 are, a seventh at least of either case: a path, a name or a rule of signs
// beside a token is none, and hides nothing.
func isImage(run string) bool {
	if len(run) <= runMax {
		return false
	}
	upper, lower, digits := 0, 0, 0
	for i := range len(run) {
		switch c := run[i]; {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	return upper*7 >= len(run) && lower*7 >= len(run) && digits > 0
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
		found = merge(found, region{start: s.Start, end: s.End, longest: s.End - s.Start, secret: text[s.Start:s.End]})
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

// ruleWords is the search for the words of all rules, and which rules have each.
var ruleWords = sync.OnceValue(func() (index struct {
	search *words.Search
	rules  [][]int
},
) {
	numbers := map[string]int{}
	var list []string
	for i := range allRules {
		for _, w := range allRules[i].words {
			n, known := numbers[w]
			if !known {
				n = len(list)
				numbers[w], list = n, append(list, w)
				index.rules = append(index.rules, nil)
			}
			index.rules[n] = append(index.rules[n], i)
		}
	}
	index.search = words.New(list)
	return index
})
