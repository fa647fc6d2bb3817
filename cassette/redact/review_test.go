package redact

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// Shows that no name and no form of a secret that an audit of recordings found in
// clear is written: members of JSON, parameters of URLs, tokens of vendors, and
// the Base64 of one that is known.
func TestSecretsOnceInClear(t *testing.T) {
	const random, long = "q8Zr2LmN5vTx9KpW3sYd", "q8Zr2LmN5vTx9KpW3sYdB7hJ4cFg6nRtU1aE0oIi"
	hex := "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	hidden := func(what, text, secret string) {
		t.Helper()
		if shown := HideTokens((*Redactor)(nil).Text(text)); strings.Contains(shown, secret) {
			t.Errorf("%s: %s", what, shown)
		}
	}
	for _, name := range []string{
		"token", "session_token", "botToken", "SecretAccessKey", "passwd", "pwd", "passphrase", "credentials", "bearer", "jwt", "cookie", "csrf_token",
		"sig", "signature", "pass", "passcode", "session_id", "sessionId", "auth_code", "signing_secret", "webhook_secret", "hook_key", "connection_string", "otp", "pin",
	} {
		value := random
		switch name {
		case "otp", "pin":
			value = "493021"
		case "sig", "signature":
			value = hex
		}
		hidden(name, fmt.Sprintf(`{"a": {%q: %q}}`, name, value), value)
	}
	for _, name := range []string{"code", "auth", "subscription-key", "AWSAccessKeyId", "Signature", "X-Goog-Signature", "appid", "sid", "sessionid", "ticket", "passcode"} {
		hidden("?"+name, "https://x.example/a?b=1&"+name+"="+url.QueryEscape(long)+"&c=2", long)
	}
	for what, token := range map[string]string{
		"OpenRouter": "sk-or-v1-" + hex, "Pinecone": "pcsk_5xYz1a_" + long[:38] + "Zz09aBcDeFgHiJkLmNoPqRsT", "Fireworks": "fw_" + long[:24],
		"Slack": "https://hooks.slack.com/services/T0" + "1ABCDEFG/B0" + "1ABCDEFG/" + long[:24], "Discord": "https://discord.com/api/webhooks/123456789012345678/" + long + long[:28],
		"Telegram": "123456789:AA" + long[:33], "Telegram in a path": "https://api.telegram.org/bot123456789:AA" + long[:33], "Twilio": "SK" + hex[:32], "Mailgun": "key-" + hex[:32],
		"Azure": "AccountKey=" + base64.StdEncoding.EncodeToString([]byte(hex)), "age": "AGE-SECRET-KEY-1" + strings.ToUpper(strings.NewReplacer("1", "q", "b", "q", "i", "q", "o", "q").Replace(hex[:58])),
		"Bearer": "Authorization: Bearer " + long,
	} {
		secret := strings.TrimPrefix(token[strings.LastIndexAny(token, " =/")+1:], "bot")
		if what == "Azure" {
			secret = strings.TrimPrefix(token, "AccountKey=")
		}
		hidden(what, "it said "+token+" and more", secret)
	}
	coded := base64.StdEncoding.EncodeToString([]byte("the key is sk-ant-api03-" + long + long))
	hidden("Base64 of a known form", `{"data": "`+coded+`"}`, coded)
}
