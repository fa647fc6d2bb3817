// Package forms has the forms of credentials that services give out: those that gitleaks
// publishes, and those that it lacks or has narrower.
package forms

import (
	"slices"
	"sync"
)

//go:generate go -C ../../../tools run ./secretrules -version v8.30.1 ../cassette/internal/forms/published.go

// A Form is one in which services give out credentials. It is found without
// knowing the value, so it has to be one that little else has.
type Form struct {
	// ID is the name that scanners of repositories use for it.
	ID string
	// Words are parts of the form in lower case, of which it has at least one: a
	// quick look before a careful one.
	Words   []string
	Pattern string
	// Whole says that all of a match is the secret; else it is the longest group.
	Whole bool
	// Entropy is how many bits a character of the secret has at least.
	Entropy float64
	// Allowed are patterns of what looks like the form and is no secret.
	Allowed []string
	// At is where a word stands; what is not there is not looked at.
	At Place
}

// A Place is where a word stands that a form has. The zero value is anywhere.
type Place int

const (
	_ Place = iota
	// WithinToken is a run of letters and signs without a break, which has the secret.
	WithinToken
	// BeforeValue is before a sign of assignment, with the secret behind it.
	BeforeValue
	// InLongText is anywhere in a form that is long, such as a key in lines.
	InLongText
	// AtCommand is where a command begins, of which the pattern is tried up to its end ([CommandAt]).
	AtCommand
)

// All gives the forms. What fits several is called by the first. Nobody changes them.
var All = sync.OnceValue(func() []Form { return slices.Concat(own, published, general, formsOfCommands(), languages, named) })

// own are the rules that the published ones lack, or whose forms those have
// narrower than services give them out. Rules of one form have one name.
var own = []Form{
	{ID: "openai-api-key", Words: []string{"t3blbkfj"}, Pattern: `sk-(?:(?:proj|svcacct|admin)-)?[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,}`, Whole: true, At: WithinToken},
	{ID: "openai-api-key", Words: []string{"sk-proj-", "sk-svcacct-", "sk-admin-"}, Pattern: `sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{32,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "openai-api-key", Words: []string{"sk-"}, Pattern: `\bsk-[A-Za-z0-9]{40,64}\b`, Whole: true, Entropy: 3.5, At: WithinToken},
	{ID: "anthropic-api-key", Words: []string{"sk-ant-"}, Pattern: `\bsk-ant-[A-Za-z0-9_-]{16,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "anthropic-api-key", Words: []string{"sk-ant-"}, Pattern: `sk-ant-(?:api|sid|oat|ort)\d\d-[A-Za-z0-9_-]{40,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "anthropic-admin-api-key", Words: []string{"sk-ant-admin"}, Pattern: `sk-ant-admin\d\d-[A-Za-z0-9_-]{40,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "openrouter-api-key", Words: []string{"sk-or-"}, Pattern: `sk-or-(?:v\d-)?[A-Za-z0-9]{32,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "pinecone-api-key", Words: []string{"pcsk_"}, Pattern: `pcsk_[A-Za-z0-9_]{20,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "fireworks-api-key", Words: []string{"fw_"}, Pattern: `\bfw_[A-Za-z0-9]{20,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "groq-api-key", Words: []string{"gsk_"}, Pattern: `gsk_[A-Za-z0-9]{40,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "xai-api-key", Words: []string{"xai-"}, Pattern: `xai-[A-Za-z0-9]{60,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "perplexity-api-key", Words: []string{"pplx-"}, Pattern: `pplx-[A-Za-z0-9]{40,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "replicate-api-token", Words: []string{"r8_"}, Pattern: `\br8_[A-Za-z0-9]{37}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "langsmith-api-key", Words: []string{"lsv2_"}, Pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, Whole: true, At: WithinToken},
	{ID: "langfuse-secret-key", Words: []string{"sk-lf-"}, Pattern: `sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`, Whole: true, At: WithinToken},
	{ID: "tavily-api-key", Words: []string{"tvly-"}, Pattern: `tvly-[A-Za-z0-9_-]{28,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "nvidia-api-key", Words: []string{"nvapi-"}, Pattern: `nvapi-[A-Za-z0-9_-]{40,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "huggingface-access-token", Words: []string{"hf_"}, Pattern: `\bhf_[A-Za-z0-9]{30,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "cohere-api-token", Words: []string{"cohere"}, Pattern: `(?i:cohere)[\w .-]{0,20}["'=:\s\\]{1,6}([a-zA-Z0-9]{40})`, Entropy: 3.5},
	{ID: "aws-amazon-bedrock-api-key-short-lived", Words: []string{"bedrock-api-key-"}, Pattern: `bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t[A-Za-z0-9+/=]*`, Whole: true, At: WithinToken},
	{ID: "aws-secret-access-key", Words: []string{"secret"}, Pattern: `(?i:secret_?-?(?:access_?-?)?key)["'\\\s]{0,4}[=:>]{1,2}["'\\\s]{0,4}([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`, Entropy: 4, At: BeforeValue},
	{ID: "gcp-oauth-token", Words: []string{"ya29."}, Pattern: `ya29\.[\w-]{20,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "gcp-api-key", Words: []string{"aiza"}, Pattern: `AIza[\w-]{35}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "azure-storage-key", Words: []string{"accountkey=", "sharedaccesskey="}, Pattern: `(?i:accountkey|sharedaccesskey)=([A-Za-z0-9+/]{40,}={0,2})`, Entropy: 3},
	{ID: "azure-ad-client-secret", Words: []string{"q~"}, Pattern: `[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "github-pat", Words: []string{"ghp_", "github_pat_"}, Pattern: `ghp_[0-9a-zA-Z]{36}|github_pat_\w{22,255}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "slack-bot-token", Words: []string{"xoxb-", "xoxp-", "xoxe-"}, Pattern: `xox[bpe]-[0-9]{10,13}-[0-9A-Za-z-]{10,}`, Whole: true, At: WithinToken},
	{ID: "slack-webhook-url", Words: []string{"hooks.slack.com"}, Pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/_-]{20,})`},
	{ID: "one-time-link", Words: []string{"/magic", "reset-password/", "password-reset/", "/invite/", "/verify-email/", "/confirm-email/"}, Pattern: `(?i:/magic(?:-?links?)?|/reset-password|/password-reset|/invite|/verify-email|/confirm-email)/([A-Za-z0-9_-]{14,})`, Entropy: 3},
	{ID: "pgcrypto-password", Words: []string{"crypt('", "crypt( '"}, Pattern: `(?i:\bcrypt)\( ?'([^']{4,})', ?(?i:gen_salt|[a-z_.]*(?:hash|passw))`},
	{ID: "link-of-an-account", Words: []string{"/reset/", "/activate/"}, Pattern: `(?i:/reset|/activate)/([A-Za-z_-]*[0-9][A-Za-z0-9_-]{6,})`, Entropy: 3.3},
	{ID: "pgcrypto-key", Words: []string{"pgp_sym_"}, Pattern: `(?i:pgp_sym_(?:en|de)crypt(?:_bytea)?)\((?:[^,()']+|'[^']*')(?:::\w+)?, ?'([^']{4,})'`},
	{ID: "postgres-setting", Words: []string{"set_config("}, Pattern: `(?i:set_config)\( ?'(?i:[\w.]*(?:secret|password|passwd|token|apikey|api_key|private_key|encryption_key))', ?'([^']{4,})'`},
	{ID: "password-hash", Words: []string{"$2a$", "$2b$", "$2y$", "$argon2"}, Pattern: `\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$v=\d+\$[\w=,]+\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{16,}`, Whole: true},
	{ID: "discord-webhook-url", Words: []string{"/api/webhooks/"}, Pattern: `discord(?:app)?\.com/api/webhooks/(\d+/[\w-]{20,})`},
	{ID: "discord-bot-token", Words: []string{"discord", "bot "}, Pattern: `\b[MNO][A-Za-z\d_-]{23,25}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,38}\b`, Whole: true, Entropy: 4},
	{ID: "telegram-bot-api-token", Words: []string{":aa", "%3aaa"}, Pattern: `(?:\b|\bbot)(\d{8,10}(?::|%3[Aa])AA[\w-]{32,34})`, Entropy: 3, At: WithinToken},
	{ID: "twilio-api-key", Words: []string{"sk"}, Pattern: `\bSK[0-9a-f]{32}\b`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "mailgun-private-api-token", Words: []string{"key-"}, Pattern: `\bkey-[0-9a-f]{32}\b`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "stripe-access-token", Words: []string{"sk_", "rk_", "whsec_"}, Pattern: `(?:(?:sk|rk)_(?:live|test|prod)|whsec)_[a-zA-Z0-9+/]{10,99}={0,2}`, Whole: true, Entropy: 2, At: WithinToken},
	{ID: "stripe-access-token", Words: []string{"sk-live-", "sk-test-", "sk-prod-", "rk-live-", "rk-test-", "rk-prod-"}, Pattern: `\b[sr]k-(?:live|test|prod)-[a-zA-Z0-9]{16,99}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "hubspot-api-key", Words: []string{"pat-"}, Pattern: `\bpat-(?i:na|eu|ap)\d{1,2}-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "sendgrid-api-token", Words: []string{"sg."}, Pattern: `SG\.[\w-]{22}\.[\w-]{43}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "vault-service-token", Words: []string{"hvs."}, Pattern: `hvs\.[\w-]{24,}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "docker-access-token", Words: []string{"dckr_"}, Pattern: `dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "jina-api-key", Words: []string{"jina_"}, Pattern: `\bjina_[A-Za-z0-9_-]{32,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "cerebras-api-key", Words: []string{"csk-"}, Pattern: `\bcsk-[a-z0-9]{32,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "together-api-key", Words: []string{"tgp_v1_"}, Pattern: `tgp_v1_[A-Za-z0-9_-]{30,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "voyage-api-key", Words: []string{"pa-"}, Pattern: `\bpa-[A-Za-z0-9_-]{40,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "deepseek-api-key", Words: []string{"sk-"}, Pattern: `\bsk-[a-f0-9]{32}\b`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "elevenlabs-api-key", Words: []string{"sk_"}, Pattern: `\bsk_[a-f0-9]{48}\b`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "doppler-api-token", Words: []string{"dp."}, Pattern: `\bdp\.(?:st|pt|ct|sa|scim|audit)\.[A-Za-z0-9._-]{30,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "notion-api-token", Words: []string{"ntn_"}, Pattern: `\bntn_[A-Za-z0-9]{40,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "figma-access-token", Words: []string{"figd_"}, Pattern: `\bfigd_[A-Za-z0-9_-]{30,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "supabase-key", Words: []string{"sbp_", "sb_secret_"}, Pattern: `\b(?:sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,})`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "netlify-access-token", Words: []string{"nfp_"}, Pattern: `\bnfp_[A-Za-z0-9]{30,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "new-relic-user-api-key", Words: []string{"nrak-"}, Pattern: `\bNRAK-[A-Z0-9]{27}\b`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "neon-password", Words: []string{"npg_"}, Pattern: `\bnpg_[A-Za-z0-9]{12,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "airtable-personal-access-token", Words: []string{"pat"}, Pattern: `\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "mapbox-secret-token", Words: []string{"sk.eyj"}, Pattern: `\bsk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "resend-api-key", Words: []string{"re_"}, Pattern: `\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "mailchimp-api-key", Words: []string{"-us"}, Pattern: `\b[a-f0-9]{32}-us[0-9]{1,2}\b`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "fly-access-token", Words: []string{"fm2_"}, Pattern: `\bfm2_[A-Za-z0-9+/=_-]{40,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "vercel-access-token", Words: []string{"vcp_"}, Pattern: `\bvcp_[A-Za-z0-9]{20,}`, Whole: true, Entropy: 3, At: WithinToken, Allowed: []string{`^[A-Za-z_.-]+$`}},
	{ID: "jwt", Words: []string{".ey"}, Pattern: `ey[A-Za-z0-9_-]{17,}\.ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}={0,2}`, Whole: true, Entropy: 3, At: WithinToken},
	{ID: "private-key", Words: []string{"private key"}, Pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----[\s\S]{32,}?-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----`, Whole: true, At: InLongText},
	{ID: "private-key", Words: []string{"private key"}, Pattern: `-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\[rn])*(?:[A-Za-z-]{1,40}: [^\r\n\\]{0,100}(?:\s|\\[rn])+){0,4}(?:[A-Za-z0-9+/=]{16,}(?:\s|\\[rn])*)+`, Whole: true, At: InLongText},
	{ID: "private-key", Words: []string{"private+key", "private%20key"}, Pattern: `(?:-|%2[Dd]){5}BEGIN(?:[A-Z0-9_+-]|%20){0,100}PRIVATE(?:\+|%20)KEY(?:(?:\+|%20)BLOCK)?(?:-|%2[Dd]){5}(?:%0[AaDd]|%5[Cc][rn]|\\[rn]|\+|%20)*(?:[A-Za-z-]{1,40}(?::|%3[Aa])(?:\+|%20)[\w.,:/%+-]{0,100}?(?:%0[AaDd])+){0,4}(?:(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){16,}(?:%0[AaDd]|%5[Cc][rn]|\\[rn])*)+`, Whole: true, At: InLongText},
}

// general are the rules for what stands behind a word that says what it is.
var general = []Form{
	{ID: "authorization-in-text", Words: []string{"bearer", "authorization"}, Pattern: `(?i:\bbearer)(?:\s|\\u0020|%20|\+){1,3}([\w.~+/-]{16,}={0,2})|(?i:authorization)["'\\]{0,3}\s{0,3}[=:]["'\\\s]{0,5}(?i:basic|token|apikey)\s{1,3}([\w.~+/-]{8,}={0,2})`, Entropy: 3, Allowed: []string{`^[a-z_-]+$`, `^[A-Z_-]+$`}},
	{ID: "mail-login", Words: []string{"auth plain"}, Pattern: `\bAUTH PLAIN\s+([A-Za-z0-9+/]{12,}={0,2})`, Entropy: 3},
	{ID: "password-file", Words: []string{":5432:", ":5433:", ":6432:", ":*:"}, Pattern: `(?m)(?:^|["']|\\[nr]|\bn)[\w.*-]{1,200}:(?:5432|5433|6432|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:([^\s:"'\\]{6,200})(?:$|["'\\])`, Allowed: []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}},
	{ID: "named-value", Words: []string{"value="}, Pattern: `(?i)\bname=["']?[\w.-]{0,60}(?:password|passwd|secret|token|api_?key)["']?[\s,;]{1,3}value=["']?([^\s"',;]{6,200})`, Allowed: []string{`^[A-Za-z_.-]+$`, `^[0-9]+$`, `^<`}},
	{ID: "connection-string-password", Words: []string{"password", "pwd"}, Pattern: `(?i:;\s*(?:password|pwd))\s*=\s*([^;\s"'<>&\\]{4,})`},
	{ID: "generic-api-key", Words: []string{"key", "token", "secret", "passw"}, Pattern: `(?i:(?:api|access|auth|secret|private|signing|encryption|service|admin|master|session|bearer|refresh|client|app|webhook|bot)[_-]?(?:key|token|secret|passw(?:or)?d)|(?:^|[\s,;{(?&])(?:[a-z0-9_]+_)?(?:api_?key|token|secret|passw(?:or)?d))["'\\]{0,3}\s{0,3}(?:=|:|=>|:=)\s{0,3}["'\\]{0,3}([\w.~+/-]{20,200}={0,2})`, Entropy: 3.5, Allowed: []string{`^[A-Za-z_.-]+$`, `^[\w-]+(?:\.[\w-]+){2,}$`, `^https?:`}, At: BeforeValue},
}
