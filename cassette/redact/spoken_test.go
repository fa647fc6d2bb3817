package redact

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
)

// A spelling is a text with secrets in a form that has no sign of assignment, or more than
// one between a name and its value, and its neighbours without secrets, which stay.
type spelling struct {
	what    string
	text    string
	secrets []string
	stay    []string
}

const (
	spelledA = "Zqs1xK9fQ2mL7vTz4W"
	spelledB = "Zqs2bP8rN3kJ6wYu5H"
)

// spellings are the statements, colours, nested addresses and files in which secrets stood
// in clear.
var spellings = []spelling{
	{"the password of a role", "ALTER USER app WITH PASSWORD '" + spelledA + "';", []string{spelledA}, []string{"ALTER USER app WITH PASSWORD NULL", "ALTER USER app WITH LOGIN", "the word PASSWORD is set in 'app_users_1'", "CREATE TABLE password 'abc123def'"}},
	{"an encrypted password", "CREATE ROLE x LOGIN ENCRYPTED PASSWORD '" + spelledA + "' VALID UNTIL '2030-01-01'", []string{spelledA}, []string{"CREATE ROLE x LOGIN VALID UNTIL '2030-01-01T1'"}},
	{"a statement in lower case", "alter role app password '" + spelledA + "'", []string{spelledA}, []string{"the role of password 'strict' is", "with password 'required'", "the user bob password 'changed'"}},
	{"a password in a line of its own", "ALTER ROLE app\n  PASSWORD '" + spelledA + "'\n", []string{spelledA}, []string{"ALTER ROLE app\n  PASSWORD NULL\n", "  password 'policy-1a'\n"}},
	{"a word as the password of a role", "create user app with password 'swordfish'", []string{"swordfish"}, nil},
	{"the options of a mapping", "CREATE USER MAPPING FOR app SERVER s OPTIONS (user 'bob', password '" + spelledA + "')", []string{spelledA}, []string{"OPTIONS (user 'bob4711', host 'db-11a')", "(user 'bob', password 'abc123def')"}},
	{"identified by", "CREATE USER 'x'@'%' IDENTIFIED BY '" + spelledA + "'", []string{spelledA}, []string{"rows are IDENTIFIED BY their number row12345", "rows identified by 'primary'", "IDENTIFIED BY the 'code-11a' of it"}},
	{"identified by a word", "CREATE USER x IDENTIFIED BY 'swordfish'", []string{"swordfish"}, []string{"is identified by 'swordfish'"}},
	{"identified with a method", "ALTER USER x IDENTIFIED WITH caching_sha2_password BY '" + spelledA + "'; CREATE USER y IDENTIFIED WITH native AS '" + spelledB + "'", []string{spelledA, spelledB}, []string{"signed by 'order-1234ab'", "stored as 'order-1234ab'"}},
	{"a name in quotes", `CREATE USER x IDENTIFIED BY "` + spelledA + `"`, []string{spelledA}, []string{`{"by": "order-1234ab"}`}},
	{"a quote in a password", "ALTER USER app PASSWORD 'it''s-" + spelledA + "' VALID", []string{"it''s", spelledA}, nil},
	{"in a shell", `psql -c 'ALTER USER app PASSWORD '\''` + spelledA + `'\'''`, []string{spelledA}, nil},
	{"a password that is compared", "SELECT * FROM users WHERE password = '" + spelledA + "' AND name = 'order-1234ab'", []string{spelledA}, []string{"SELECT * FROM users WHERE name = 'order-1234ab'", "WHERE password IS NULL AND city = 'order-1234ab'"}},
	{"a password that is changed", "UPDATE users SET password = '" + spelledA + "', new_password='" + spelledB + "' WHERE id = 1", []string{spelledA, spelledB}, nil},

	{"a row", "INSERT INTO users (name, password) VALUES ('order-1234ab', '" + spelledA + "')", []string{spelledA}, []string{"INSERT INTO users (name, city) VALUES ('a', 'order-1234ab')", "put into it (name, password) of 'order-1234ab'", "INSERT INTO users (name, password) VALUES ('order-1234ab', NULL)", "INSERT INTO users (name, password) VALUES ($1, $2)", "INSERT INTO users (name, password_policy) VALUES ('x', 'strict')"}},
	{"several rows", "insert into app.users (id, \"password\", note) values\n  (1, '" + spelledA + "', 'first (a)'),\n  (2, '" + spelledB + "', 'x''y, z')\nreturning id", []string{spelledA, spelledB}, []string{"insert into users (id, note) values\n (1, 'order-1234ab'),\n (2, 'order-1234cd')\nreturning id"}},
	{"columns in lines", "INSERT INTO users\n  (name,\n   api_key)\nVALUES\n  ('bob', '" + spelledA + "');\nnext\n", []string{spelledA}, nil},
	{"a function of a password", "INSERT INTO `users` (`name`, `password`) VALUES ('bob', crypt('" + spelledA + "', gen_salt('bf')))", []string{spelledA}, []string{"INSERT INTO `users` (`name`) VALUES (lower('order-1234ab'))"}},
	{"a number of a row", "INSERT INTO cards (owner, pin) VALUES ('bob', 49307)", []string{"49307"}, []string{"INSERT INTO cards (owner, pins) VALUES ('bob', 49307)", "INSERT INTO t (token_count) VALUES (49307)"}},
	{"arguments of a row", `{"query":"INSERT INTO users (name, password) VALUES ($1, $2), ($3, $4)","args":["order-1234ab","` + spelledA + `","ann","` + spelledB + `"]}`, []string{spelledA, spelledB}, []string{`{"query":"INSERT INTO users (name, city) VALUES ($1, $2)","args":["a","order-1234ab"]}`, `{"query":"which password = $1 is best?"},{"args":["order-1234ab"]}`}},
	{"arguments that are compared", `{"statement":"UPDATE users SET password=crypt($2, gen_salt('bf')) WHERE id = $1","params":[17,"` + spelledA + `"]}`, []string{spelledA}, []string{`{"statement":"UPDATE users SET name = $2 WHERE id = $1","params":[17,"order-1234ab"]}`}},
	{"arguments by question marks", `{"sql":"select 1 from users where name = ? and password = ? and token in (?, ?)","args":["bob","` + spelledA + `","a","` + spelledB + `"]}`, []string{spelledA, spelledB}, nil},

	{"colours around a name", "\x1b[2m2024\x1b[0m [\x1b[32minfo\x1b[0m] login \x1b[36mpassword\x1b[0m=\x1b[35m" + spelledA + "\x1b[0m", []string{spelledA}, []string{"\x1b[36mpassword\x1b[0m=\x1b[35mrequired\x1b[0m", "\x1b[36muser\x1b[0m=\x1b[35morder1234ab\x1b[0m", "\x1b[1mpassword\x1b[0m is \x1b[31morder1234ab\x1b[0m"}},
	{"colours around a quoted value", "\x1b[1;36mapi_key\x1b[0m: \x1b[38;5;214m'" + spelledA + "'\x1b[0m", []string{spelledA}, []string{"\x1b[36mname\x1b[0m: \x1b[33m'order-1234ab'\x1b[0m"}},
	{"colours around JSON", "\x1b[34m\"password\"\x1b[0m\x1b[39m:\x1b[0m \x1b[32m\"" + spelledA + "\"\x1b[0m", []string{spelledA}, nil},
	{"colours in a value", "password=\x1b[35m" + spelledA[:7] + "\x1b[1m" + spelledA[7:] + "\x1b[0m end", []string{spelledA[:7], spelledA[7:]}, nil},
	{"colours in a URL", "GET https://x.example/?\x1b[36mtoken\x1b[0m=\x1b[1m" + spelledA + "\x1b[0m", []string{spelledA}, nil},
	{"colours as a string has them", `\u001b[36mpassword\u001b[0m=\u001b[35m` + spelledA + `\u001b[0m and \x1b[36mpwd\x1b[0m=\x1b[35m` + spelledB + `\x1b[0m`, []string{spelledA, spelledB}, []string{`a\e[1mkey\e[0m=order1234ab`, `list[36mpassword]`}},
	{"colours around a statement", "\x1b[34mALTER USER\x1b[0m app \x1b[34mWITH PASSWORD\x1b[0m \x1b[33m'" + spelledA + "'\x1b[0m", []string{spelledA}, nil},

	{"a fragment in a nested address", "GET /cb?redirect_uri=https%3A%2F%2Fx%2F%23access_token%3D" + spelledA + "&state=order1234ab", []string{spelledA}, []string{"GET /cb?redirect_uri=https%3A%2F%2Fx%2F%3Fpage%3Dorder1234ab&state=1", "GET /cb?redirect_uri=https%3A%2F%2Fx%2F&state=order1234ab"}},
	{"a query in a nested address", "https://a.example/cb?redirect_uri=https%3A%2F%2Fx%2F%3Faccess_token%3D" + spelledA + "%26y%3Dorder1234ab", []string{spelledA}, []string{"https://a.example/cb?next=%2Fcart%3Fitem%3Dorder1234ab"}},
	{"a login in a nested address", "https://a.example/cb?u=https%3A%2F%2Fbob%3A" + spelledA + "%40x.example%2F", []string{spelledA}, nil},
	{"an address nested twice", "https://a.example/cb?u=https%3A%2F%2Fb%2F%3Fv%3Dhttps%253A%252F%252Fc%252F%253Ftoken%253D" + spelledA, []string{spelledA}, nil},
	{"a nested address alone", "next is https%3a%2f%2fx%2f%3ftoken%3d" + spelledA + " now", []string{spelledA}, []string{"next is https%3a%2f%2fx%2f%3fpage%3dorder1234ab now"}},

	{"a .netrc", "machine github.com login bob password " + spelledA, []string{spelledA}, []string{"machine learning login flow password reset", "the password order1234ab", "login and password order1234ab"}},
	{"a .netrc in lines", "machine github.com\n  login bob\n  password " + spelledA + "\nmachine x.example login ann password " + spelledB + "\n", []string{spelledA, spelledB}, []string{"machine x.example\nlogin bob\nnext order1234ab\n"}},
	{"a default of a .netrc", "default login bob account a1 password " + spelledA, []string{spelledA}, nil},
	{"a password of LDAP", "binddn cn=admin\nbindpw " + spelledA + "\n", []string{spelledA}, []string{"bindpw is required", "bindpw required"}},
	{"an input of HTML", `<form><input type="password" id="a" value="` + spelledA + `"><input type=text value="order-1234ab"></form>`, []string{spelledA}, []string{`<input type="text" value="order-1234ab">`, `<input type="password">`, `<inputs type="password" value="order-1234ab">`, `<input type="password" value="">`}},
	{"an input with its value first", `<INPUT value='` + spelledA + `' type='password'/>`, []string{spelledA}, nil},
	{"a heredoc", "password = <<EOT\n" + spelledA + "\nEOT\nnext = 1\n", []string{spelledA}, []string{"password_hint = <<EOT\norder1234ab\nEOT\n", "text = <<EOT\npassword order1234ab\nEOT\n", "x <<EOT\norder1234ab\nEOT\n"}},
	{"a heredoc of two lines", "db_password=<<-'EOT'\n  " + spelledA + "\n  " + spelledB + "\n  EOT\n", []string{spelledA, spelledB}, nil},
	{"a block of YAML", "password: |\n  " + spelledA + "\nuser: order1234ab\n", []string{spelledA}, []string{"description: |\n  order1234ab\n", "password: |\n  the one of order1234ab\n"}},
	{"a folded block of YAML", "api_key: >-\n    " + spelledA + "\n", []string{spelledA}, nil},
	{"a header of its own", "> Authentication: " + spelledA + "\n> X-Authentication: Bearer " + spelledB, []string{spelledA, spelledB}, []string{"authentication: basic", "Authentication: required", `{"authentication":"oauth2"}`, `{"authentication":{"type":"order-1234ab"}}`}},

	{"a form in lines", "--x\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n" + spelledA + "\r\n--x\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\norder1234ab\r\n--x--\r\n", []string{spelledA}, []string{"Content-Disposition: form-data; name=\"note\"\r\n\r\norder1234ab\r\n--x--\r\n"}},
	{"a variable of sshpass", "SSHPASS=" + spelledA + " ssh host", []string{spelledA}, []string{"SSHPASS=on", "COMPASS=order1234ab", "encompass=order1234ab"}},
	{"pw", "pw: " + spelledA + " and pw=" + spelledB, []string{spelledA, spelledB}, []string{"pw: required", "pw=12", "mpw=order1234ab", `{"pw":"on"}`}},
	{"pw of a form", "email=j&pw=" + spelledA + "&pwd=" + spelledB, []string{spelledA, spelledB}, nil},
}

// Shows that such a spelling hides its secrets and nothing else: in a text, in what is
// recorded, within JSON, in the chunks of an attempt, and in what a program writes piece
// by piece, where it is the same as in the whole; and that hiding again changes nothing.
func TestSpellings(t *testing.T) {
	for _, s := range spellings {
		recording := (*Redactor)(nil).Recording()
		whole := recording.Text(s.text)
		outputs := map[string]string{"text": (*Redactor)(nil).Text(s.text), "recorded": whole, "again": recording.Text(whole), "stored": (*Redactor)(nil).Stored(http.Header{"Content-Type": {"text/plain"}}, s.text)}
		if quoted, _ := json.Marshal(map[string]string{"stdout": s.text}); !strings.Contains(s.text, "<input") && !strings.Contains(s.text, "<INPUT") {
			outputs["within JSON"] = recording.Text(string(quoted))
			outputs["within JSON, again"] = recording.Text(outputs["within JSON"])
		}
		for _, size := range []int{1, 2, 7, 40} {
			pieces := piecesOf(s.text, size)
			if got := writtenIn(t, recording, pieces); got != whole {
				t.Errorf("%s: in pieces of %d it is %q, and not %q", s.what, size, got, whole)
			}
			if chunks := strings.Join((*Redactor)(nil).Chunks(pieces), ""); !strings.Contains(s.text, "%3") && !strings.Contains(s.text, "://") && !strings.Contains(s.text, "%3a") {
				outputs[fmt.Sprint("chunks of ", size)] = chunks
				outputs[fmt.Sprint("streamed in ", size)] = joinedText(t, (*Redactor)(nil).Lines(streams["openai"].write(pieces)))
			}
		}
		for where, got := range outputs {
			for _, secret := range s.secrets {
				if !strings.Contains(s.text, secret) || strings.Contains(got, secret) || !strings.Contains(got, "REDACTED") {
					t.Errorf("%s, %s: %s is shown in %q", s.what, where, secret, got)
				}
			}
			if strings.Contains(s.text, "1234ab") && !strings.Contains(got, "1234ab") {
				t.Errorf("%s, %s: too much is hidden in %q", s.what, where, got)
			}
		}
		if outputs["again"] != whole {
			t.Errorf("%s: %q, and then %q", s.what, whole, outputs["again"])
		}
		for _, text := range s.stay {
			if got := recording.Text(text); got != text {
				t.Errorf("%s: %q is shown as %q", s.what, text, got)
			}
			if got := writtenIn(t, recording, piecesOf(text, 3)); got != text {
				t.Errorf("%s: %q is written as %q", s.what, text, got)
			}
		}
	}
}

// Shows that a name tells the same of one secret of several, whichever words or digits
// stand before or behind it and however they are parted, and that a name of something
// about a secret tells nothing.
func TestNamesWithWordsAndDigits(t *testing.T) {
	for _, name := range []string{"password", "api_key", "clientSecret", "passphrase", "access_token"} {
		for _, form := range []string{"%s1", "%s2", "%s_2", "%s_confirmation", "%sConfirmation", "%s-confirm", "%s_repeat", "%sAgain", "new_%s", "old_%s", "current_%s", "%s_old", "%s_new", "%sNew", "confirm_%s", "user_%s_2", "%s_new_2", "%s_prod"} {
			name := fmt.Sprintf(form, name)
			for _, text := range []string{`{"a":"b","` + name + `":"` + spelledA + `"}`, name + "=" + spelledA, name + ": '" + spelledA + "'"} {
				if got := (*Redactor)(nil).Text(text); strings.Contains(got, spelledA) {
					t.Errorf("%s", got)
				}
			}
			if got := (*Redactor)(nil).Body("application/x-www-form-urlencoded", "email=j&"+name+"="+spelledA+"&a=b"); strings.Contains(got, spelledA) {
				t.Error(got)
			}
		}
	}
	for _, name := range []string{"password_policy", "passwordPolicy", "token_count", "passwordless", "keyboard", "password_length", "password_hint", "password_strength", "password_url", "secretary", "tokenizer", "key1", "keys2", "md5", "i18n_key_2", "cache_key_2", "public_key_new", "next_page_token_1", "threshold", "preview", "confirmation", "user1", "oauth2", "s3", "test", "1", "_1", "-"} {
		for _, text := range []string{`{"` + name + `":"strict-12ab"}`, name + ` = "strict-12ab"`, name + "=strict12ab"} {
			if got := (*Redactor)(nil).Text(text); got != text {
				t.Errorf("%s is shown as %s", text, got)
			}
		}
	}
}

// Shows that what a statement and an address carry under the names of secrets is known from
// then on: as an argument, and in an address within another.
func TestCredentialsOfStatements(t *testing.T) {
	body := `{"query":"INSERT INTO users (name, password) VALUES ($1, $2)","args":["order-1234ab","` + spelledA + `"]}`
	if got := BodyCredentials(nil, "application/json", []byte(body)); len(got) != 1 || got[0] != spelledA {
		t.Errorf("%q", got)
	}
	if got := AddressCredentials(nil, "https://a.example/cb?u=https%3A%2F%2Fx%2F%3Faccess_token%3D"+spelledA+"%26y%3Dorder1234ab"); len(got) != 1 || got[0] != spelledA {
		t.Errorf("%q", got)
	}
	for statement, want := range map[string]string{
		"INSERT INTO users (name, password) VALUES ($1, $2), ($3, $4)": "map[1:true 3:true]", "SELECT 1 WHERE password = $3 AND name = $1": "map[2:true]", "select ?, ? from t where token = ?": "map[2:true]",
		"SELECT '$1 password = $2', $3": "map[]", "SELECT password FROM users WHERE id = $1": "map[]", "UPDATE t SET a = $1, pwd = lower(crypt($2, 'x'))": "map[1:true]", "SELECT 1 WHERE password LIKE $1 OR token IN ($2, $3)": "map[0:true 1:true 2:true]",
		"INSERT INTO t (password) SELECT $1": "map[]", "": "map[]", "$": "map[]", "password = $": "map[]", "password = $99999999999999999999": "map[65535:true]",
	} {
		if got := fmt.Sprint(SecretArguments(statement)); got != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

// Shows that no text, however it ends, is read beyond its end, and that escape sequences
// that end nowhere are text.
func TestSpellingsCutAnywhere(t *testing.T) {
	for _, s := range spellings {
		for end := range len(s.text) {
			for _, text := range []string{s.text[:end], s.text[end:]} {
				shown := (*Redactor)(nil).Text(text)
				if again := (*Redactor)(nil).Text(shown); again != shown {
					t.Errorf("%q becomes %q, and then %q", text, shown, again)
				}
				(*Redactor)(nil).opens(text, text)
				SecretArguments(text)
			}
		}
	}
	for _, text := range []string{"\x1b[", "\x1b[36", "[36m", "x[0]", `\e[`, `\u001b[3`, "\x1b[" + strings.Repeat("1;", 40) + "m"} {
		if plain, cuts := escapes.WithoutSequences(text); plain != text || cuts != nil {
			t.Errorf("%q: %q", text, plain)
		}
	}
	if plain, cuts := escapes.WithoutSequences("a\x1b(B\x1b[mb\x1b[1mc\x1b[0m"); plain != "abc" || fmt.Sprint(cuts) != "[{1 6} {2 10} {3 14}]" {
		t.Errorf("%q %v", plain, cuts)
	}
}
