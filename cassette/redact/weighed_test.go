package redact

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A weighing is a text with secrets, which are hidden, and its neighbours without, which
// stay: what is written alike and has a harmless value or a name of something else.
type weighing struct {
	what    string
	text    string
	secrets []string
	stay    []string
}

const (
	drawnA, drawnB = "9b1f0c6a7d2e4f8890ab12cd34ef5678", "sess-77aa88bb99cc"
	drawnC         = "Gm9kX2vQ7rLp4TzYw81nBcDe"
	seedWordsA     = "abandon ability able about above absent absorb abstract absurd abuse access accident"
)

var basicPairA = base64.StdEncoding.EncodeToString([]byte("bob:Hotel_India98"))

// weighings are what is hidden by what a value looks like, and by where it stands.
var weighings = []weighing{
	{"a token of Telegram in a path", "POST /bot712345678:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/sendMessage", []string{"712345678:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"}, []string{"/bot712345678/sendMessage", "robot12345678:AA", "/bot7:AAHdqTcv"}},
	{"a token of Telegram, escaped", "/bot712345678%3AAAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1/getMe", []string{"AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"}, nil},

	{"the parameter appid", "https://w.example/weather?q=Bern&appid=" + drawnA, []string{drawnA}, []string{"https://w.example/x?appid=weather", "https://w.example/x?appid=4711", "https://w.example/x?appid=com.example.shop2"}},
	{"the parameter sid", "https://w.example/x?sid=" + drawnA + "&a=1", []string{drawnA}, []string{"https://w.example/x?sid=12", "https://w.example/x?sid=session-2024-01-15", "https://w.example/x?AccountSid=" + drawnA}},
	{"the parameter sessionid", "https://w.example/x?sessionid=" + drawnB, []string{drawnB}, []string{"https://w.example/x?sessionid=550e8400-e29b-41d4-a716-446655440000"}},
	{"the parameter session_id", "https://w.example/x?session_id=" + drawnB, []string{drawnB}, nil},
	{"the parameter ticket", "https://w.example/x?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7", []string{"aA5Yuvrxzpv8Tau1cYQ7"}, []string{"https://w.example/x?ticket=4711", "https://w.example/x?ticket=JIRA-1234", "https://w.example/x?ticket=shop-order-2024-17"}},
	{"the parameter passcode", "https://w.example/x?passcode=" + drawnB, []string{drawnB}, []string{"https://w.example/x?passcodes=4"}},

	{"the member pass", `{"pass": "Uniform!Victor88"}`, []string{"Uniform!Victor88"}, []string{`{"pass":"yes"}`, `{"pass":true}`, `{"pass":12}`, `{"pass":"failed"}`, `{"pass":"12.5ms"}`, `{"pass":"TestLogin2"}`, `{"pass":"12/14"}`, `{"bypass":"Victor88"}`, `{"compass":"north-88"}`, `{"pass":"v1.12.3"}`}},
	{"pass in a message", `level=info msg="login" pass=November_Papa32`, []string{"November_Papa32"}, []string{"pass=12", "pass=true", "pass: 1250ms", "pass: 12.25ms", "pass=12/14passed", "pass=test_login2", "pass: 2 of 3"}},
	{"a name with pw", "SMTP_PW=Sierra_Tango21", []string{"Sierra_Tango21"}, []string{"pw=12", "SMTP_PW=on"}},

	{"name and value", `[{"name":"DB_PASSWORD","value":"Mike_November88"}]`, []string{"Mike_November88"}, []string{`{"name":"DB_PASSWORD","value":"required"}`, `{"name":"DB_HOST","value":"Mike_November88"}`, `{"name":"DB_PASSWORD_FILE","value":"Mike_November88"}`, `{"name":"DB_PASSWORD"},{"value":"Mike_November88"}`}},
	{"key and value", `[{"key": "api_key", "secure": "yes", "value": "Oscar_Papa99"}]`, []string{"Oscar_Papa99"}, []string{`{"key":"login.password","value":"Enter password 1"}`, `{"key":"password","value":"Passwort"}`, `{"key":"color","value":"blue-gray12"}`, `{"name":"max_tokens","value":"4096"}`}},
	{"value and name", `[{"value":"Mike_November88","name":"DB_PASS"},{"name":"a","value":"b"}]`, []string{"Mike_November88"}, []string{`{"value":"Mike_November88","name":"city"}`, `{"value":"Mike_November88"},{"name":"DB_PASS"}`}},
	{"name and value, within a string", `{"env":"[{\"name\":\"DB_PASSWORD\",\"value\":\"Mike_November88\"}]"}`, []string{"Mike_November88"}, nil},
	{"name and value outside of JSON", `{ name = "DB_PASSWORD", value = "Mike_November88" }, {'key': 'api_key', 'value': 'Oscar_Papa99'}`, []string{"Mike_November88", "Oscar_Papa99"}, []string{`{ name = "city", value = "Mike_November88" }`, `{ name = "DB_PASSWORD" }, { value = "Mike_November88" }`, `name = DB_PASSWORD, value = Mike88`}},
	{"name and value of a code", `{"name":"pin","value":"4930"}`, []string{`"4930"`}, []string{`{"name":"pin","value":"on"}`, `{"name":"port","value":"4930"}`}},

	{"an element with attributes", `<wsse:Password Type="PasswordText">Whiskey_Xray99</wsse:Password>`, []string{"Whiskey_Xray99"}, []string{`<wsse:Nonce Type="Password">Whiskey_Xray99</wsse:Nonce>`, `<label for="password">Password</label>`, `<password type="text"/><a>Whiskey_Xray99</a>`}},
	{"an element in JSON", `{"xml":"<Password Type=\"Text\">Whiskey_Xray99</Password>"}`, []string{"Whiskey_Xray99"}, nil},
	{"an assignment in an element", `<td class="x">password=Whiskey_Xray99</td><td>pwd=Yankee_Zulu11</td>`, []string{"Whiskey_Xray99", "Yankee_Zulu11"}, nil},

	{"a value of credentials", `{"credentials": {"login": "j", "value": "jsCred-77aa88"}, "secret":{"value":"Mike_November88"}}`, []string{"jsCred-77aa88", "Mike_November88"}, []string{`{"credentials": {"type": "x", "value": "required"}}`, `{"filter": {"value": "jsCred-77aa88"}}`, `{"credentials": {}, "filter": {"value": "jsCred-77aa88"}}`, `{"password": {"label": {"value": "jsCred-77aa88"}}}`}},
	{"the id of a session", `{"session_id":"` + drawnB + `","a":{"sessionId":"` + drawnA + `"}}`, []string{drawnA, drawnB}, []string{`{"session_id":"550e8400-e29b-41d4-a716-446655440000"}`, `{"sessionId":"session-2024-01-15"}`, `{"session_id":"s-1"}`, `{"sessionId":17}`, `{"sid":"` + drawnA + `"}`}},
	{"codes", `{"auth_code":"q77aa88","mfa_code":493021,"recovery_code":"8f2k-9x1m","backup_codes":["8a2k-9x1n","7b3c-1d2e"],"verificationCode":"771203"}`, []string{"q77aa88", "493021", "8f2k-9x1m", "8a2k-9x1n", "7b3c-1d2e", "771203"}, []string{`{"auth_code":"granted"}`, `{"error_code":"E493021"}`, `{"country_code":"CH1234"}`, `{"code":"493021"}`, `{"backup_codes":["one","two"]}`, `{"status_codes":[200,4930]}`}},
	{"codes for once", `{"otp":"q77aa88bb99cc0","totp":"493021","user_otp":"JBSWY3DPEHPK3PXP"}`, []string{"q77aa88bb99cc0", "493021", "JBSWY3DPEHPK3PXP"}, []string{`{"otp":"OTP-26.2.1"}`, `{"otp":"sent"}`, `{"otp":12}`, `{"laptop":"q77aa88bb99cc0"}`}},
	{"a code of a card", `{"cvv":"123","b":{"cvc":4930}}`, []string{"123", "4930"}, []string{`{"cvv":"match"}`, `{"cvc":12}`, `{"cvv":"12345"}`, `{"cvs":"123"}`}},
	{"a phrase", `{"mnemonic":"` + seedWordsA + `"}`, []string{"abandon", "accident"}, []string{`{"mnemonic":"every good boy does fine"}`, `{"mnemonic":"MOV AX"}`, `{"text":"` + seedWordsA + `"}`}},
	{"a webhook", `{"webhook_url":"https://chat.example/hooks/3eb7e4adKq0cef68b3922c"}`, []string{"3eb7e4adKq0cef68b3922c"}, []string{`{"webhook_url":"https://chat.example/webhooks/orders"}`, `{"webhook_url":"http://127.0.0.1:8080/v1/hook2"}`, `{"url":"https://chat.example/hooks/3eb7e4adKq0cef68b3922c"}`}},
	{"what OAuth asks with", "grant_type=urn&code_verifier=" + drawnA + "&device_code=" + drawnC + "&client_assertion=" + drawnA, []string{drawnA, drawnC}, []string{"code_verifier=S256", "device_code=4711", `{"device":"` + drawnC + `"}`, `{"assertion":"status == 200 && ok"}`, `{"assertion":"run-succeeds-2"}`}},
	{"answers to questions", `{"security_answer":"Rex","secretAnswer":"Fluffy"}`, []string{"Rex", "Fluffy"}, []string{`{"answer":"Rex"}`, `{"security_question":"Rex"}`}},
	{"keys by whose they are", `{"psk":"Pk77aa88","hmacKey":"Hk77aa88","sessionKey":"Sk77aa88","webhook_key":"Wk77aa88","licenseKey":"Lk77aa88","app_key":"Ak77aa88","privateKeyPem":"Ek77aa88","oauth_verifier":"Ov77aa88","passwort":"Rex","user_passwort":"Fluffy"}`, []string{"Pk77aa88", "Hk77aa88", "Sk77aa88", "Wk77aa88", "Lk77aa88", "Ak77aa88", "Ek77aa88", "Ov77aa88", "Rex", "Fluffy"}, []string{`{"psk":"required"}`, `{"app_key":"orders"}`, `{"pincode":"560001"}`, `{"desk":"Pk77aa88"}`, `{"task":"Pk77aa88"}`, `{"licenseKey":"mit"}`}},
	{"a drawn pincode, and the hash of a password", `{"pincode":"Pk77aa88","password_hash":"md5:77aa88bb99"}`, []string{"Pk77aa88", "77aa88bb99"}, []string{`{"password_hash":"bcrypt"}`}},
	{"keys by what they do", `{"hmac":"Hm4kd72hs92jd72h","signing":"` + drawnB + `","encryption":"` + drawnA + `"}`, []string{"Hm4kd72hs92jd72h", drawnA, drawnB}, []string{`{"hmac":"sha256"}`, `{"signing":"enabled"}`, `{"encryption":"aes-256-gcm"}`, "HMAC=sha256-of-2024"}},
	{"what opens something", `{"session":"` + drawnA + `","license":"` + drawnB + `"} master=` + drawnC + " UNLOCK=" + drawnA + " https://app.example/join?invite=" + drawnB + "&unlock_code=8f2k-9x1m", []string{drawnA, drawnB, drawnC, "8f2k-9x1m"}, []string{`{"session":"session-2024-01-15"}`, `{"license":"LicenseRef-scancode-2"}`, `{"license":"Apache-2.0"}`, "master=release-2024-17", "unlock=all", "https://app.example/join?invite=team-2024", `{"session":"550e8400-e29b-41d4-a716-446655440000"}`}},
	{"what renews a session, and words of other languages", `{"refresh":"` + drawnA + `","motDePasse":"Rex","mot_de_passe":"Fluffy","nouveau_mot_de_passe":"Luna"}`, []string{drawnA, "Rex", "Fluffy", "Luna"}, []string{`{"refresh":"every-10-minutes"}`, `{"refresh":600}`, `{"refresh":"daily"}`, `{"mot":"Rex"}`}},
	{"parameters of a path", `GET /cb?state=1&code=Mn5Bv7Cx9Z HTTP/1.1, "path":"/join?sid=` + drawnA + `#top" and '/in?key=abc-def-ghi-1'.`, []string{"Mn5Bv7Cx9Z", drawnA, "abc-def-ghi-1"}, []string{"GET /shop?code=SAVE2024&country=CH HTTP/1.1", "why?code=Mn5Bv7Cx9Z", "a/b?code=Mn5Bv7Cx9Z", "GET /a?q=1, /b?c=2."}},
	{"the code of a grant", "https://app.example/cb?code=Mn5Bv7Cx9Z&u=bob", []string{"Mn5Bv7Cx9Z"}, []string{"https://app.example/shop?code=SAVE2024&country=CH", "https://app.example/e?code=E4930x", "https://app.example/e?code=not-found-2"}},
	{"links that work once", "https://app.example/magic/Lw8eRt5yUi2oPa9s and /reset-password/Zq7rTy6uIo5pAs4d", []string{"Lw8eRt5yUi2oPa9s", "Zq7rTy6uIo5pAs4d"}, []string{"https://app.example/magic/cards", "/reset-password/confirmation", "/magic/aaaaaaaaaaaaaaaaaaaa"}},
	{"a link that works once, by its name", `{"magic_link":"https://app.example/in/Lw8eRt5yUi2oPa9s"}`, []string{"Lw8eRt5yUi2oPa9s"}, []string{`{"magic_link":"https://app.example/in/orders"}`}},
	{"a link to an account", "https://app.example/reset/rstTok-Mm55nn66oo/confirm and /activate/Zq7rTy6uIo5pAs4d", []string{"rstTok-Mm55nn66oo", "Zq7rTy6uIo5pAs4d"}, []string{"https://app.example/reset/factory-defaults", "/activate/plan-2", "/reset/of/all2345678901"}},
	{"a function of pgcrypto with a text", "INSERT INTO p VALUES (pgp_sym_encrypt('a, b', 'Victor_Whisky8'))", []string{"Victor_Whisky8"}, []string{"pgp_sym_encrypt('Victor_Whisky8', key)"}},
	{"a short token", `{"token":"Sh0rtTok9z","b":{"auth_token": "k2v4ab"}} token = "TomlTok22vv" 'token': 'k22vvabcdxy' run --token "tk99ab" --token tk88cd {"csrf_tokens":1}`, []string{"Sh0rtTok9z", "k2v4ab", "TomlTok22vv", "k22vvabcdxy", "tk99ab", "tk88cd"}, []string{`{"token": 12}`, `{"token":"next"}`, `token = "next"`, `max_tokens = "4096k1"`, `{"max_tokens":4096}`, `{"token_count":"count12"}`, `{"token":"base64","logprob":-0.1}`, `{"token":"v1.2.3"}`, `{"next_token":"page12a"}`, "unexpected token: int64", "--token required", `{"authentication":"scram1"}`, `{"x-auth":"oauth2"}`, `{"authentication":"method1"}`}},
	{"the text of an element as it stands", `<password><![CDATA[Cd4taPwQq5566]]></password>`, []string{"Cd4taPwQq5566"}, []string{`<name><![CDATA[order-1234ab]]></name>`, `<password><![CDATA[]]></password>`, `<token><![CDATA[next]]></token>`}},
	{"what is taken without a secret", "const apiKey = process.env.K || 'JsFallb4ckKey22'\napi_key = os.getenv(\"T\") or \"0rFallbackTok11\"\npassword = ENV.fetch(\"DBP\", \"RubyF3tchPw77\")\nconst secret = env.K ?? \"JsNull1shKey33\"", []string{"JsFallb4ckKey22", "0rFallbackTok11", "RubyF3tchPw77", "JsNull1shKey33"}, []string{"const city = process.env.K || 'order-1234ab'", "password = os.getenv(\"T\") or \"required\"", "the password: read it or 'order 1234ab' is taken"}},
	{"a login without a scheme and a port", `{"log":"curl https://h/x?u=bob:Ba51cUrlPw77@h"} bob:Ba52cUrlPw88@host.example`, []string{"Ba51cUrlPw77", "Ba52cUrlPw88"}, []string{"app:v1.2.3@sha256:9f86d081", "npm:left-pad2@next", "write to:bob1234ab@mail.example", "see sip:Ba51cUrlPw77@h"}},
	{"quotes as a page and an address have them", "&quot;password&quot;:&quot;HtmlEntPw88pp&quot; %7B%22password%22%3A%22PctJsonPw99qq%22%7D \\u0022password\\u0022:\\u0022UniPw33tt\\u0022", []string{"HtmlEntPw88pp", "PctJsonPw99qq", "UniPw33tt"}, []string{"&quot;name&quot;:&quot;order-1234ab&quot;", "%7B%22city%22%3A%22order-1234ab%22%7D", "say &quot;password&quot;, please", "https://a.example/?q=%22order-1234ab%22"}},
	{"functions of pgcrypto", "SELECT crypt('Tango_Uniform7', gen_salt('bf')), pgp_sym_decrypt(ssn, 'Victor_Whisky8'), set_config('app.secret', 'Xray_Yankee99', false)", []string{"Tango_Uniform7", "Victor_Whisky8", "Xray_Yankee99"}, []string{"SELECT encrypt('Tango_Uniform7', gen_salt('bf'))", "SELECT crypt('Tango_Uniform7')", "set_config('app.tenant', 'Xray_Yankee99', false)"}},
	{"hashes of passwords", `{"hash":"$2b$12$abcdefghijklmnopqrstuuK8vE2fXq9mB1nC4dE5fG6hI7jK8lM9o"}`, []string{"K8vE2fXq9mB1nC4dE5fG6hI7jK8lM9o"}, []string{`{"hash":"$2b$12$short"}`, "costs $2a$ or $2b$"}},
	{"auth of Docker", `{"auths":{"r.example":{"auth":"` + basicPairA + `"}}}`, []string{basicPairA}, []string{`{"auth":"basic"}`, `{"auth":"b2F1dGgyLWNsaWVudA=="}`, `{"auth":{"type":"oauth2"}}`, `{"path":"` + basicPairA + `"}`}},

	{"a data source of Go", `{"dsn":"bob:Bravo_Charlie65@tcp(db:3306)/shop"}`, []string{"Bravo_Charlie65"}, []string{"bob:secret@tcp(db:3306)/shop", "bob@tcp(db:3306)/shop", "bob:…@tcp(db:3306)/shop"}},
	{"a login without a scheme", "connecting as bob:Xray_Yankee44@db.example:5432", []string{"Xray_Yankee44"}, []string{"sip:alice42x@pbx.example:5060", "mailto:bob1234@mail.example:25", "shop:v1.2.3@sha256:9f86d081884c7d65", "write to bob@db.example:5432", "10:30:00x@host:80", "at bob:Xray_Yankee44 to db:5432"}},
	{"a client of MySQL", "+ mysql -u root -pTango_Uniform22 -h db", []string{"Tango_Uniform22"}, []string{"mysql -p -h db12345", "mkdir -pTango_Uniform22", "mysql -port", "ssh -p2222a1 host"}},
	{"logins of commands", "docker login -u ann -p Tango_Uniform22 r.example; sshpass -p 'Victor_Whisky8' ssh a@b; redis-cli -h db -a Xray_Yankee44 ping", []string{"Tango_Uniform22", "Victor_Whisky8", "Xray_Yankee44"}, []string{"docker run -p 8080:80 image", "docker login -u ann --password-stdin", "sshpass -p $PASSWORD ssh a@b", "redis-cli -p 6379 -n 12", "redis-cli -a password", "login -p Tango_Uniform22"}},
	{"a login in JSON", `{"cmd":"sshpass -p Tango_Uniform22 ssh a@b"}`, []string{"Tango_Uniform22"}, nil},
	{"binds of LDAP and MQTT", "ldapsearch -x -D cn=a -w Tango_Uniform22 -b dc=x && mosquitto_pub -u ann -P Victor_Whisky8 -t a", []string{"Tango_Uniform22", "Victor_Whisky8"}, []string{"ldapsearch -x -W -D cn=a1", "mosquitto_pub -p 18833 -t a"}},
	{"a login to a mail server", "> AUTH PLAIN AGFubgBacTd2WGsxNVdtNFRiTHA5", []string{"AGFubgBacTd2WGsxNVdtNFRiTHA5"}, []string{"250 AUTH PLAIN LOGIN", "AUTH PLAIN required"}},
	{"a file of passwords of PostgreSQL", "db.example:5432:shop:app:Tango_Uniform22\n*:5432:*:ann:Victor_Whisky8\n", []string{"Tango_Uniform22", "Victor_Whisky8"}, []string{"db:5432:shop:app:password", "2001:5432:12:13:141516", "a b:5432:shop:app:Tango_Uniform22"}},
	{"a name and its value", "name=DB_PASSWORD value=Tango_Uniform22; name='api_key', value='Victor_Whisky8'", []string{"Tango_Uniform22", "Victor_Whisky8"}, []string{"name=shop value=order-1234ab", "name=max_tokens value=200000", "name=token value=required"}},
	{"an option with user and password", `curl -u bob:Whiskey_Xray43 https://x.example; run --user=ann:Whiskey_Zulu44`, []string{"Whiskey_Xray43", "Whiskey_Zulu44"}, []string{"docker run -u 1000:1000 image", "docker run -u app:staff1 image", "sort -u file", "curl -u bob https://x.example/a1234567"}},
	{"such an option in a list", `["curl","-u","bob:Whiskey_Xray43"]`, []string{"Whiskey_Xray43"}, nil},
	{"a value in the next line", "db:\n  password:\n    Victor_Whiskey33\n  user: bob", []string{"Victor_Whiskey33"}, []string{"password:\n  type: string1", "secret:\n  - name12", "password:\n  minLength8:\n", "password:\nVictor33x", "password:\n  a line1 of words"}},
	{"a value in the next line, escaped", `said "password:\n  Victor_Whiskey33\n" and "pwd:\r\n  Victor_Whiskey44" twice`, []string{"Victor_Whiskey33", "Victor_Whiskey44"}, []string{`"password:\n  type: a1\n"`}},
	{"a block in the next line", "password: |-\n  Victor_Whiskey33\n", []string{"Victor_Whiskey33"}, nil},
}

// Shows that what is weighed is hidden, in a text and in what is recorded, the same when
// it is hidden again, and that its harmless neighbours stay.
func TestWeighings(t *testing.T) {
	for _, w := range weighings {
		got := (*Redactor)(nil).Recording().Text(w.text)
		for _, secret := range w.secrets {
			if !strings.Contains(w.text, secret) || strings.Contains(got, secret) || !strings.Contains(got, "REDACTED") {
				t.Errorf("%s: %s is shown in %s", w.what, secret, got)
			}
		}
		if again := (*Redactor)(nil).Recording().Text(got); again != got {
			t.Errorf("%s: %s, and then %s", w.what, got, again)
		}
		for _, text := range w.stay {
			if got := (*Redactor)(nil).Recording().Text(text); got != text {
				t.Errorf("%s: %s is shown as %s", w.what, text, got)
			}
		}
	}
}

// Shows which fields of a header are hidden by what they hold.
func TestWeighedFields(t *testing.T) {
	for _, c := range []struct {
		name, value string
		hidden      bool
	}{
		{"X-Session-Id", drawnB, true},
		{"X-Session", drawnB, true},
		{"X-Session", "checkout-2024-17", false},
		{"X-Session-Count", "12", false},
		{"X-Webhook-Sig", "Zk7-qTx9!mRb2O", true},
		{"X-Design", "Zk7-qTx9!mRb2O", false},
		{"X-Otp", "493021", true},
		{"X-Pin", "4930", true},
		{"X-Original-Cookie", "sid=1", true},
		{"X-Tenant-Key", "tk-5566aabbccdd", true},
		{"X-Account-Key", "q8Zr2LmN5vTx9", true},
		{"api_key", "short", true},
		{"X_Api_Key", "short", true},
		{"X-Pass", "Rex", true},
		{"x-passwd", "Rex", true},
		{"Token", "Q61c9c0b7zK058", true},
		{"X_Tenant_Key", "tk-5566aabbccdd", true},
		{"Token", "none", false},
		{"Token-Count", "Q61c9c0b7zK058", false},
		{"X-Session-Id", "550e8400-e29b-41d4-a716-446655440000", false},
		{"X-Session-Id", "1", false},
		{"X-Otp", "required", false},
		{"X-Pin", "on", false},
		{"X-Cookie-Count", "12", false},
		{"X-Tenant-Key", "shop-2024-0001", false},
		{"X-Cache-Key", "tk-5566aabbccdd", false},
		{"X-Project-Key", "tk-5566aabbccdd", false},
		{"Idempotency-Key", "tk-5566aabbccdd", false},
	} {
		if got := (*Redactor)(nil).Header(c.name, c.value) != c.value; got != c.hidden {
			t.Errorf("%s: %s: that it is hidden is %v", c.name, c.value, got)
		}
		if known := FieldCredentials(nil, http.Header{c.name: {c.value}}); c.hidden && len(c.value) > longSecret && c.name != "X-Original-Cookie" && len(known) == 0 {
			t.Errorf("%s: %s is not known to be a credential", c.name, c.value)
		}
	}
}

// Shows that the quick look knows every member that says a name or holds a value.
func TestPairsAreLookedAt(t *testing.T) {
	for _, n := range slices.Concat(pairNames, pairValues, surePairs) {
		if !mayBePair(n) || !mayBePair(strings.ToUpper(n)) {
			t.Errorf("%s is left out", n)
		}
	}
}

// Shows that both forms of an object hide the value that another member names.
func TestPaired(t *testing.T) {
	for _, c := range []struct {
		members map[string]string
		hidden  bool
	}{
		{map[string]string{"name": "DB_PASSWORD", "value": "Mike_November88"}, true},
		{map[string]string{"key": "api_key", "value": "Oscar_Papa99"}, true},
		{map[string]string{"name": "city", "value": "Mike_November88"}, false},
		{map[string]string{"name": "DB_PASSWORD", "value": "optional"}, false},
		{map[string]string{"name": "DB_PASSWORD"}, false},
	} {
		if got := Paired(func(member string) string { return c.members[member] }) != ""; got != c.hidden {
			t.Errorf("%v: that it is hidden is %v", c.members, got)
		}
	}
}
