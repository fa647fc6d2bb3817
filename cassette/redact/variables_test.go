package redact

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// Names of variables that people give to secrets: with the word first, last and between
// others.
const (
	anyValueNames = `SECRET SECRETS SECRET_X SECRET_VALUE MY_SECRET_VALUE SECRET_1 SECRET_ID APP_SECRETS GH_PAT GITHUB_PAT AZURE_DEVOPS_PAT PAT PAT_2 TOKEN TOKEN_X API_TOKEN_X TOKEN_GITHUB GITHUB_TOKENS
		API_KEY_OPENAI API_KEYS PASSWORD_DB PASSWORD_FILE_CONTENT PGPASSWORD_ADMIN DB_PASS PASS_DB DB_PWD WIFI_PSK STRIPE_SK STRIPE_SK_LIVE REDIS_AUTH REDISCLI_AUTH USER_CREDENTIALS CREDENTIAL DB_CREDS BASIC_AUTH AUTH AUTHORIZATION AUTH_HEADER
		SEED_PHRASE RECOVERY_PHRASE MNEMONIC SALT HASH_SALT PIN OPENAI_KEY STRIPE_KEY SENDGRID_KEY MASTER_KEY RAILS_MASTER_KEY VAULT_UNSEAL_KEY WEBHOOK_SIGNING_KEY SIGNING_KEY_V2 JWT_KEY HMAC_KEY SSH_KEY DEPLOY_KEY AZURE_STORAGE_KEY ACCOUNT_KEY
		DBPASS PGPASS TOTP_SEED OTP_SEED VAULT_UNSEAL VAULT_UNSEAL_1 SSH_PRIVATE DD_APP_KEY PRIVATE_KEY JWT JWT_X ID_TOKEN SESSION_COOKIE COOKIE_X BEARER TF_VAR_db_password TF_VAR_dbPassword TF_VAR_secretOfMine npm_config__authToken app.token.x`
	// Of these only what nobody thought of is a secret.
	randomNames = `KEY MY_KEY_TEAM OPENAI_KEY_TEAM`
)

var madeValues = func() map[string]string {
	sum := sha256.Sum256([]byte("a value"))
	return map[string]string{
		"hex": hex.EncodeToString(sum[:16]), "Base64": base64.StdEncoding.EncodeToString(sum[:]), "letters": strings.NewReplacer("+", "a", "/", "b").Replace(base64.StdEncoding.EncodeToString(sum[:18])),
	}
}()

// Shows that a variable is a secret if one word of its name says so, wherever that stands
// in it, whatever the value is and however it is written.
func TestVariablesByOneWord(t *testing.T) {
	check := func(name, kind, value string) {
		t.Helper()
		h := NewReceived()
		h.Keep(EnvironmentCredentials([]string{name + "=" + value}))
		r := (*Redactor)(nil).Receiving(h)
		quoted, _ := json.Marshal(value)
		for form, text := range map[string]string{
			"plain": value, "JSON": string(quoted), "query": url.QueryEscape(value), "path": url.PathEscape(value), "Base64": base64.StdEncoding.EncodeToString([]byte(value)), "hex": hex.EncodeToString([]byte(value)),
			"in a list in Base64": base64.StdEncoding.EncodeToString([]byte("a=" + value + "\n")),
		} {
			if got := r.Text("of it the value " + text + " END"); !strings.Contains(got, "<REDACTED") || strings.Contains(got, text) {
				t.Errorf("%s, %s, %s: %s", name, kind, form, got)
			}
		}
	}
	for name := range strings.FieldsSeq(anyValueNames) {
		for kind, value := range madeValues {
			check(name, kind, value)
		}
		check(name, "words", "Tr0ub4dor-7-x")
	}
	for name := range strings.FieldsSeq(randomNames) {
		for kind, value := range madeValues {
			check(name, kind, value)
		}
	}
}

// Shows what of a variable that is a secret is known beside the whole of it.
func TestPartsOfVariables(t *testing.T) {
	for _, c := range []struct{ pair, want string }{
		{"AUTH_HEADER=Bearer abc123def", "Bearer abc123def|abc123def"},
		{"AUTHORIZATION=Basic " + base64.StdEncoding.EncodeToString([]byte("svc7user:pa55phrase")), "Basic " + base64.StdEncoding.EncodeToString([]byte("svc7user:pa55phrase")) + "|" + base64.StdEncoding.EncodeToString([]byte("svc7user:pa55phrase")) + "|svc7user:pa55phrase|svc7user|pa55phrase"},
		{"BASIC_AUTH=bob:hunter22", "bob:hunter22|hunter22"},
		{"API_KEYS=k3y-one,k3y-two", "k3y-one,k3y-two|k3y-one|k3y-two"},
		{`SECRETS={"b":"s3cret-1","a":["s3cret-2"]}`, `{"b":"s3cret-1","a":["s3cret-2"]}|s3cret-2|s3cret-1`},
		{`SERVICE_ACCOUNT_JSON={"client":"x","key":"92947d9fKq4db3a4c4a673"}`, "92947d9fKq4db3a4c4a673"},
		{"ROOT_LOGIN=root:Rl4kd72hs92j", "root:Rl4kd72hs92j|Rl4kd72hs92j"},
		{"BASIC=bob:Ba4kd72hs92j", "bob:Ba4kd72hs92j|Ba4kd72hs92j"},
		{"MAGIC_LINK=https://app.example/in/Lw8eRt5yUi2oPa9s", "https://app.example/in/Lw8eRt5yUi2oPa9s"},
		{"HMAC=Hm4kd72hs92jd72h", "Hm4kd72hs92jd72h"},
		{"SESSION=Sn4kd72hs92j.d72hSg4kd72hs9.2jd72hSg4kd7", "Sn4kd72hs92j.d72hSg4kd72hs9.2jd72hSg4kd7"},
		{"LICENSE=Li4kd72hs92jd72h", "Li4kd72hs92jd72h"},
		{"MASTER=Ma4kd72hs92jd72h", "Ma4kd72hs92jd72h"},
		{"UNLOCK=Ul4kd72hs92jd72h", "Ul4kd72hs92jd72h"},
		{"SIGNING=Sg4kd72hs92jd72h", "Sg4kd72hs92jd72h"},
		{"PASSWORD_DB=correct horse battery", "correct horse battery"},
	} {
		if got := strings.Join(EnvironmentCredentials([]string{c.pair}), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.pair, got, c.want)
		}
	}
}

// Shows that settings, words, short numbers, and what only sounds like a secret stay.
func TestVariablesThatAreNoSecrets(t *testing.T) {
	for _, pair := range []string{
		"AUTH=basic", "AUTH=oauth2", "AUTH_TYPE=scram-sha-256", "POSTGRES_HOST_AUTH_METHOD=scram-sha-256", "PASSWORD_ENCRYPTION=scram-sha-256", "AUTH=application-default", "PIN=4930", "PIN=on", "GPIO_PIN=17",
		"SECRET_X=test", "SECRET_NAME=prod/db-main-1", "PASSWORD_FILE=/run/secrets/db-1", "SECRET_PATH=prod/v2/db1", "TOKEN_URL=https://a.test/token/abc123", "AUTH_PORT=tcp://10.0.0.1:8080", "AUTH_SERVICE_ADDR=10.100.200.12:8080", "AUTH=10.100.200.12",
		"AUTH_PORT_80_TCP_ADDR=10.100.200.12", "GOOGLE_APPLICATION_CREDENTIALS=/srv/bob77/a/key-1.json", `CREDENTIALS_AT=C:\Users\bob77\key1.json`, "SSH_AUTH_SOCK=/tmp/ssh-Xy12/agent.12345", "AWS_WEB_IDENTITY_TOKEN_FILE=/var/run/x1/token",
		"MAX_TOKENS=123456789", "TOKENS_LIMIT=128k", "TOKEN_BUDGET=100000tokens", "JWT_EXPIRES_IN=86400s", "JWT_ISSUER=https://a.test/x1", "COOKIE_DOMAIN=eu1.shop.example", "TOKENIZER=cl100k-base", "TOKENIZERS_PARALLELISM=abc123def",
		"NEXT_PAGE_TOKEN=abc123def", "MY_CACHE_KEY=user-list-2", "VAPID_PUBLIC_KEY=abc123def", "PRIMARY_KEYS=id1,id2x", "JIRA_PROJECT_KEY=SHOP-1234", "SORT_KEY=created2", "KEY_VAULT=my-vault-01", "KEYCLOAK_REALM=shop1x", "KEYTIMEOUT=abc123",
		"PATTERN=abc123def", "PATH=/usr/bin1:/srv/bob77", "OLDPWD=/srv/bob77/x", "PWD=/srv/bob77/x", "AUTHOR=bob12345", "AUTH0_DOMAIN=dev-abc123.auth0.test", "SEED=abc123def", "PASSENGER_APP=abc123def", "SKU=abc123def", "SALTSTACK=abc123def", "SESSION_ID=w0t0p0-1",
		"LOGIN=bob", "LOGIN=eu:north-1", "BASIC=true", "LOGIN_URL=bob:Ba4kd72hs92j", "LAST_LOGIN=bob:2024-01-15", "HMAC=sha256", "SIGNING=enabled", "SESSION=plasma-wayland-2", "DESKTOP_SESSION=ubuntu-xorg-2204", "LICENSE=LicenseRef-scancode-2", "MASTER=spark-master-2024", "UNLOCK=all", "ENCRYPTION=aes-256-gcm", "MAGIC_LINK=https://app.example/in/orders",
		"XDG_SESSION_ID=c123456", "COMPATIBLE=abc123def", "MONKEY=abc123def", "SPIN=abc123def", "PHRASE=abc123def", "COUNTRY_CODE=abc123def",
		"RANDOM_SEED=abc123def", "SEED_X=abc123def", "BYPASS=abc123def", "COMPASS=abc123def", "SSH_PRIVATE=yes", "PRIVATE=abc123def", "PGPASS_FILE=abc123def", `SETTINGS={"key":"cache-user-list-2"}`, `ACCOUNT={"client":"9b1f0c6a7d2e4f88"}`,
	} {
		if got := EnvironmentCredentials([]string{pair}); got != nil {
			t.Errorf("%s: %q", pair, got)
		}
	}
}
