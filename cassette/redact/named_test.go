package redact

import (
	"strings"
	"testing"
)

// namedForms are ways in which something else than a sign parts a name from a value: ‹v›.
var namedForms = []string{
	// Passed between systems.
	`{"ARN":"x","Name":"db","SecretString":"‹v›"}`, `{"SecretString":"{\"username\":\"ann\",\"password\":\"‹v›\"}"}`, `{'SecretString': '‹v›', 'VersionId': 'a'}`,
	"user%5Bemail%5D=a&user%5Bpassword%5D=‹v›&x=1", "user[password]=‹v›", "POST /x?user%5Bpassword%5D=‹v› 200", "password%5Bnew%5D=‹v›&x=1", "https://x.example/?tokens%5B%5D=‹v›",
	"https://x.example/a.do;jsessionid=‹v›?b=1", "GET /a.do;jsessionid=‹v›?b=1 200", "GET /a;v=1;jsessionid=‹v›/b 200", "JSESSIONID=‹v›", "PHPSESSID=‹v›; path=/",
	// Logins.
	"requests.get(url, auth=('ann', '‹v›'))", `auth = ("ann", "‹v›")`, "auth=['ann', '‹v›']", "HTTPBasicAuth('ann', '‹v›')", `req.SetBasicAuth("ann", "‹v›")`, `new NetworkCredential("ann", "‹v›")`, `HTTPBasicAuth(username="ann", password="‹v›")`, `{"code":"HTTPBasicAuth(\"ann\", \"‹v›\")"}`,
	"curl --user ann:‹v› https://x.example", "curl --user 'ann:‹v›' https://x.example", "curl -U ann:‹v› https://x.example", "curl --proxy-user ann:‹v› https://x.example",
	// As pages have them.
	`<pre>{&#x27;password&#x27;: &#x27;‹v›&#x27;}</pre>`, `<pre>{&#39;api_key&#39;: &#39;‹v›&#39;}</pre>`, `<pre>{&#34;password&#34;: &#34;‹v›&#34;}</pre>`, `<pre>password=&#39;‹v›&#39;</pre>`, `<pre>{&apos;a&apos;: 1, &apos;password&apos;: &apos;‹v›&apos;}</pre>`, `<pre>{&#x22;password&#x22;: &#x22;‹v›&#x22;}</pre>`,
	// SQL.
	`INSERT INTO users (name, password) VALUES ("ann", "‹v›")`, `INSERT INTO users (name, password) VALUES ("ann", "‹v›"), ("bob", "‹v›")`, `{"query":"INSERT INTO users (name, password) VALUES (\"ann\", \"‹v›\")"}`,
	"SELECT * FROM users WHERE api_key IN ('‹v›')", "SELECT * FROM users WHERE u.api_key NOT IN ('‹v›', '‹v›') AND x", "SELECT 1 FROM users WHERE token LIKE '‹v›%'", `{"query":"SELECT 1 FROM users WHERE api_key IN (\"‹v›\")"}`,
	"SET PASSWORD FOR 'ann'@'localhost' = '‹v›';", "SET PASSWORD = PASSWORD('‹v›');", "CREATE USER ann IDENTIFIED BY '‹v›'", "CREATE USER ann IDENTIFIED BY ‹v›;", "ALTER ROLE ann WITH PASSWORD '‹v›'", "ALTER ROLE ann PASSWORD '‹v›' LOGIN",
	"DETAIL:  Key (api_token)=(‹v›) already exists.", "DETAIL:  Key (tenant, api_key)=(7, ‹v›) already exists.", "Duplicate entry '‹v›' for key 'users.api_key'", "Duplicate entry '‹v›' for key 'api_key_UNIQUE'", `{"error":"Duplicate entry '‹v›' for key 'api_key'"}`, "unique index 'IX_users_api_key'. The duplicate key value is (‹v›).",
	"DETAIL:  parameters: $1 = 'ann', $2 = '‹v›'", "[SQL: UPDATE users SET password=%s]\n[parameters: ('ann', '‹v›')]", "binding parameter [2] as [VARCHAR] - [‹v›]",
	// Validation.
	`{"detail":[{"type":"string_too_short","loc":["body","password"],"msg":"too short","input":"‹v›"}]}`, "[{'type': 'x', 'loc': ('body', 'password'), 'msg': 'short', 'input': '‹v›'}]", `{"text":"{\"loc\":[\"api_key\"],\"input\":\"‹v›\"}"}`,
	"1 validation error for User\npassword\n  String should have at least 30 characters [type=string_too_short, input_value='‹v›', input_type=str]\n",
	`{"issues":[{"received":"‹v›","code":"invalid_enum_value","options":["a"],"path":["token"],"message":"x"}]}`,
	"Field error in object 'user' on field 'password': rejected value [‹v›]; codes [Size]", `{"field":"password","rejectedValue":"‹v›","message":"x"}`, `{"rejectedValue":"‹v›","field":"password"}`,
	"'‹v›' is too short\n\nFailed validating 'minLength' in schema['properties']['password']:\n    {}\n\nOn instance['password']:\n    '‹v›'\n", `{"instancePath":"/user/password","keyword":"minLength","params":{"limit":30},"data":"‹v›"}`,
	`config: api_key: strconv.ParseInt: parsing "‹v›": invalid syntax`, "error: invalid value '‹v›' for '--api-key <KEY>'", "tool: error: argument --token: invalid int value: '‹v›'",
	// XML.
	`<property name="hibernate.connection.password">‹v›</property>`, `<entry key="api.key.secret">‹v›</entry>`, `{"xml":"<property name=\"password\">‹v›</property>"}`, `<add key="ApiKey" value="‹v›"/>`, `<property name="password" value="‹v›"/>`,
	"<property>\n  <name>fs.s3a.secret.key.password</name>\n  <value>‹v›</value>\n</property>\n", "<key>api_key</key>\n<string>‹v›</string>\n", "<server><username>ann</username><password>‹v›</password></server>",
	// Settings.
	"requirepass ‹v›\n", "masterauth ‹v›\n", "CONFIG SET requirepass ‹v›\n", "ENV DB_PASSWORD ‹v›\n", "ENV API_KEY ‹v›\n", "setenv API_KEY ‹v›\n", "set -gx API_KEY ‹v›\n", `#define WIFI_PASSWORD "‹v›"`, `proxy_set_header X-Api-Key "‹v›";`, `proxy_set_header Authorization "Bearer ‹v›";`, `proxy_set_header Authorization "‹v›";`, "RequestHeader set X-Api-Key ‹v›\n", "| password | ‹v› |\n",
	// Names of other languages.
	"passwort=‹v›", "kennwort: ‹v›", `{"mot_de_passe":"‹v›"}`, `{"mdp":"‹v›"}`, `{"senha":"‹v›"}`, "wachtwoord=‹v›", `{"contrasena":"‹v›"}`, `{"contraseña":"‹v›"}`, `{"contrase\u00f1a":"‹v›"}`, "contraseña: ‹v›", "clave=‹v›", "passord: ‹v›", `{"密码":"‹v›"}`, "пароль: ‹v›", `{"nuova_password":"‹v›"}`, `{"nueva_contrasena":"‹v›"}`,
}

// TestNamedForms shows that a value is hidden in each of them, as a whole text and line by line, and
// that nothing changes when it is hidden again.
func TestNamedForms(t *testing.T) {
	r := (*Redactor)(nil).Recording()
	for _, form := range namedForms {
		for _, value := range []string{"Zq9k7QwLp8RtYm", "f3b81c5d09e24a7796d0b2ac41e85f37"} {
			text := strings.ReplaceAll(form, "‹v›", value)
			shown := r.Text(text)
			if strings.Contains(shown, value) {
				t.Errorf("it is shown: %s", shown)
				continue
			}
			if again := r.Text(shown); again != shown {
				t.Errorf("a second time %s is %s", shown, again)
			}
			if strings.Count(text, "\n") < 2 && !strings.Contains(text, "[parameters") {
				if got := writtenIn(t, r, strings.SplitAfter(text, "")); strings.Contains(got, value) {
					t.Errorf("in pieces it is shown: %s", got)
				}
			}
		}
	}
}

// TestBesideNamedForms shows what stays: the same forms with other names, with words in the place of
// a value, and what only looks like one of them.
func TestBesideNamedForms(t *testing.T) {
	r := (*Redactor)(nil).Recording()
	for _, text := range []string{
		"PWD=/srv/ann7x", "OLDPWD=/srv/bob77/x", "DB_PASSWORD_FILE=/run/secrets/pw1", "secret: /run/secrets/pw1", "password=/run/secrets/db_pw1", "postgres://ann@db/x", "postgres://ann@db.example:5432/x", "ssh://git@host/x",
		`{"SecretId":"prod/db-main-1","SecretArn":"arn:aws:x"}`, "user%5Bemail%5D=ann7x8y9&x=1", "user%5Bpassword_policy%5D=strict12&x=1", "/a;v=Zq9k7QwLp8RtYm/b", "text/html;charset=utf8x1234567",
		"auth=('basic', 'digest')", "f(('ann', 'Zq9k7QwLp8RtYm'))", "HTTPBasicAuth('ann', 'password')", "curl -U ann https://x.example", "<pre>{&#x27;city&#x27;: &#x27;Zq9k7QwLp8RtYm&#x27;}</pre>", "<pre>don&#39;t say password, it&#39;s bad</pre>",
		`INSERT INTO users (name, city) VALUES ("ann", "Zq9k7QwLp8RtYm")`, "SELECT * FROM orders WHERE city IN ('Zq9k7QwLp8RtYm')", "SELECT 1 FROM t WHERE token_type IN ('bearer', 'basic')", "SELECT 1 FROM t WHERE api_key IN ($1, $2)", "SELECT 1 FROM users WHERE token LIKE 'sk_%'", "SET NAMES utf8mb4 = 'Zq9k7QwLp8RtYm'",
		"DETAIL:  Key (order_id)=(Zq9k7QwLp8RtYm) already exists.", "Duplicate entry 'Zq9k7QwLp8RtYm' for key 'orders.number'", "DETAIL:  parameters: $1 = '2026-01-01 10:00:00', $2 = 'ann@x.example', $3 = '550e8400-e29b-41d4-a716-446655440000'",
		`{"loc":["body","city"],"input":"Zq9k7QwLp8RtYm"}`, "city\n  String should have [type=x, input_value='Zq9k7QwLp8RtYm', input_type=str]", "on field 'city': rejected value [Zq9k7QwLp8RtYm]", `port: strconv.ParseInt: parsing "Zq9k7QwLp8RtYm": invalid syntax`, "invalid value 'Zq9k7QwLp8RtYm' for '--city <CITY>'",
		`<property name="city">Zq9k7QwLp8RtYm</property>`, `<input name="password">`, `<h2 id="api-key">Overview</h2>`, `<a name="token">Tokens</a>`, "<name>city</name><value>Zq9k7QwLp8RtYm</value>", "<key>CFBundleVersion</key><string>1.2.3a4b5c</string>",
		"ENV PATH /usr/local/bin1:/x2", "ENV PORT 8080", "ENV API_KEY $API_KEY", "proxy_set_header Host $host;", "proxy_set_header Authorization $http_authorization;", "| password | required |", "| city | Zq9k7QwLp8RtYm |", "requirepass is a setting", "#define TOKEN_MAX 4096",
		"clavecin=Zq9k7QwLp8RtYm", "la senha é curta", "contraseña: obligatoria", "mdp: oui",
	} {
		if shown := r.Text(text); shown != text {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}
