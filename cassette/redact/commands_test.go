package redact

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const ofCommand = "Xk39fjs83kd"

// Shows that a recording hides the passwords that options of commands have, in lines, lists and strings of
// JSON, and those that a language writes beside a name without a sign of assignment; and leaves their like.
func TestCommandsAndLanguages(t *testing.T) {
	r := (*Redactor)(nil).Recording()
	for _, text := range []string{
		"mongodump --host db -u ann -p SECRET --db x", `{"cmd": "mysql -u root -pSECRET shop"}`, `["redis-cli","-a","SECRET","ping"]`, "smbclient //h/s -U ann%SECRET",
		"my $password = q(SECRET);", "password => qq{SECRET},", "my %h = ('api_key', q[SECRET]);",
		`("password" . "SECRET")`, `'((user . "ann") (password . "SECRET"))`, `(:password "SECRET")`, `{"body": "(password . \"SECRET\")"}`,
		"variable \"db_password\" {\n  type = string\n  default = \"SECRET\"\n}", `variable "api_token" { default = "SECRET" }`,
		"CREATE secret s (TYPE s3, KEY_ID 'abc', secret 'SECRET')", "create or replace persistent secret s (type gcs, secret 'SECRET')",
		`{"line": "db.test:5432:shop:ann:SECRET\nx:5432:y:z:SECRET"}`, "db.test:5432:shop:ann:SECRET\n", "*:*:*:ann:SECRET",
		"zip -PSECRET a.zip b", "docker login -p 's3cret$SECRET'", "docker exec web curl -u ann:SECRET http://h", "echo ann:SECRET" + strings.Repeat(" ", 400) + "| chpasswd", strings.Repeat("x ", 300) + "\nsudo /usr/bin/mysql -pSECRET",
	} {
		if got := r.Text(strings.ReplaceAll(text, "SECRET", ofCommand)); strings.Contains(got, ofCommand) {
			t.Errorf("%s", got)
		}
	}
	if got := r.Text(`the client sent Digest username="ann", nonce="abc", uri="/", response="6629fae49393a05397450978507c4ef1"`); strings.Contains(got, "6629fae4") {
		t.Error(got)
	}
	for _, text := range []string{
		`variable "region1" { default = "eu-west-1" }`, `variable "password_length" { default = "12 to 20" }`, `(name . "Ann12345")`, "my $name = q(Ann12345);", "my $password = q(swordfish);",
		"go test ./store/mysql -parallel=8", "java -jar mysql-app.jar -profile=test1", "npm i mysql2 -prefix=/opt1", "docker run --name mongo -p localhost:27017:27017 mongo", "vault login\nVAULT_ADDR=http://x1:8200 vault status",
		"kubectl port-forward svc/mongo -pod-running-timeout=1m0s", "sqlplus scripts/setup12.sql", "isql connects to postgres12",
		"create secret santa lists for team12", "docker exec mongo mkdir -p data/db1", `("password" . "swordfish")`, "Digest of 12 messages, response=200",
	} {
		if got := r.Text(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

// Shows that a text with the beginning of a command everywhere is read in its length, and not in its square.
func TestManyCommands(t *testing.T) {
	for _, part := range []string{"curl -x ", "\"curl -x ", "curl -x\n", ";mysql -p ", "docker exec "} {
		text := strings.Repeat(part, 1<<20/len(part))
		start := time.Now()
		HideTokens(text)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q takes %v", part, took)
		}
	}
}

// Shows that the options of a command which a program is given are credentials of its run.
func TestArgumentsOfCommands(t *testing.T) {
	for _, command := range [][]string{
		{"mongodump", "-u", "ann", "-p", ofCommand}, {"mysql", "-p" + ofCommand}, {"sh", "-c", "redis-cli -a " + ofCommand + " ping"}, {"sqlcmd", "-P", ofCommand},
	} {
		if got := Arguments(command); !slices.Contains(got, "PASSWORD="+ofCommand) {
			t.Errorf("%q: %q", command, got)
		}
	}
	for _, command := range [][]string{{"mkdir", "-p", "dir12345"}, {"ssh", "-P", "22", "host12"}, {"docker", "run", "-p", "8080:80", "nginx12"}, {"sh", "-c", "vault login\nkubectl2 apply"}, {"go", "test", "./mysql", "-parallel=8"}} {
		if got := Arguments(command); slices.ContainsFunc(got, func(v string) bool { return strings.HasPrefix(v, "PASSWORD=") }) {
			t.Errorf("%q: %q", command, got)
		}
	}
}
