package redact

import (
	"strings"
	"testing"
)

// Shows that the tokens of vendors whose forms no published rule has are hidden, and
// that words and names that begin like them stay.
func TestTokensOfVendors(t *testing.T) {
	hex, mixed := "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "q8Zr2LmN5vTx9KpW3sYdB7hJ4cFg6nRtU1aE0oIiXzPqLkMnBv"
	for _, token := range []string{
		"dckr_pat_" + mixed[:27], "jina_" + mixed, "csk-" + hex[:48], "tgp_v1_" + mixed[:43], "pa-" + mixed[:43], "sk-" + hex[:32], "sk_" + hex[:48], "dp.st.prd." + mixed[:43], "ntn_" + mixed[:46], "figd_" + mixed[:40],
		"sbp_" + hex[:40], "sb_secret_" + mixed[:31], "nfp_" + mixed[:36], "NRAK-" + strings.ToUpper(mixed[:27]), "npg_" + mixed[:16], "pat" + mixed[:14] + "." + hex, "sk.eyJ" + mixed[:40] + "." + mixed[:22], "re_" + mixed[:8] + "_" + mixed[8:32], hex[:32] + "-us12", "FlyV1 fm2_" + mixed, "vcp_" + mixed[:48],
		"sk-" + mixed[:48], "sk-ant-" + mixed[:24], "sk-ant-a-" + mixed[:30], "sk-live-" + mixed[:24], "rk-test-" + mixed[:24], "pat-na1-8f2e91c4-7b3d-4e6a-9c15-d0a7b4e8f326", "pat-eu1-8f2e91c4-7b3d-4e6a-9c15-d0a7b4e8f326",
	} {
		secret := token[strings.LastIndexByte(token, ' ')+1:]
		if got := HideTokens("it said " + token + ", and more"); strings.Contains(got, secret) {
			t.Errorf("%s is shown: %s", token, got)
		}
	}
	for _, text := range []string{
		"re_authenticate_the_current_user_now", "pa-rticularly-long-word-with-many-hyphens-in-it-that-is-no-key", "sk-learn-contrib", "patience.is-a-virtue", "us-east-1-us12", "sk_buff_head_init", "dp.statistics.of.the.whole.program", "csk-", "npg_dump", "vcp_",
		"sk-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "region eu-us2", "sk-ant-is-how-keys-begin", "sk-abcdefghijklmnopqrstuvwxyz", "task-live-q8Zr2LmN5vTx9KpW3sYd", "sk-live-is-how-keys-of-accounts-begin", "sk-test-" + strings.Repeat("a", 20), "pat-na1", "pat-na1-not-a-token-but-a-name",
	} {
		if got := HideTokens(text); got != text {
			t.Errorf("%s is shown as %s", text, got)
		}
	}
}

// Shows that header fields whose names say that they carry credentials are hidden, also
// those that a service names itself.
func TestFieldsOfCredentials(t *testing.T) {
	for name, hidden := range map[string]bool{
		"X-Custom-Auth": true, "X-Service-Authorization": true, "x-my-credentials": true, "Authorization": true, "X-Original-Cookie": true, "Authentication": true, "X-Authentication": true,
		"X-Author": false, "Authority": false, "X-Auth-Mode": false, "WWW-Authenticate": false, "Authentication-Info": false, "X-Cookie-Policy": false,
	} {
		if got := IsSecretField(name); got != hidden {
			t.Errorf("%s: that it is hidden is %v", name, got)
		}
	}
}
