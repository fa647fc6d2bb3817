package secrets

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// Shows which texts of a source are secrets by the statement in which they stand, and which of its neighbours are none.
func TestStatements(t *testing.T) {
	for _, c := range []struct {
		text    string
		secrets string
		stay    string
	}{
		{"PASSWORD = (\n    \"Part1OfPw4455\"\n    \"Part2OfPw6677\"\n)\nname = \"order-1234ab\"\n", "Part1OfPw4455 Part2OfPw6677", "order-1234ab"},
		{"tok = os.environ.get(\"TOKEN\") or \"0rFallbackTok11\"\n", "0rFallbackTok11", ""},
		{"tok = os.environ.get(\"CITY\") or \"0rFallbackTok11\"\n", "", "0rFallbackTok11"},
		{"x = {\"token\": os.environ.get(\"T\", \"G3tDefaultTok99\"), \"id\": \"order-1234ab\"}\n", "G3tDefaultTok99", "order-1234ab"},
		{"db = os.getenv(\"DB_PASSWORD\", \"G3tDefaultPw99\"), \"order-1234ab\"\n", "G3tDefaultPw99", "order-1234ab"},
		{"db = os.getenv(\"DB_HOST\", \"host-1234ab\")\n", "", "host-1234ab"},
		{"headers = {\"Authorization\": f\"Bearer {'Tok3nInFstr1ng99'}\", \"x\": \"order-1234ab\"}\n", "Tok3nInFstr1ng99", "order-1234ab Bearer"},
		{"const k = process.env.API_KEY || 'JsFallb4ckKey22';\nconst n = 'order-1234ab';\n", "JsFallb4ckKey22", "order-1234ab"},
		{"const apiKey = process.env.K ?? `JsNull1shKey33`;\n", "JsNull1shKey33", ""},
		{"const city = process.env.CITY || 'order-1234ab'\n", "", "order-1234ab"},
		{"get(url, auth=(\"svc-user1\", \"Svc9Passw0rd!x\"), timeout=5)\n", "Svc9Passw0rd!x", "svc-user1"},
		{"auth = HTTPBasicAuth('svc-user1', 'HttpBas1cPw88')\n", "HttpBas1cPw88", "svc-user1"},
		{"pw = \"\".join([\"J01nedPwA12\", \"J01nedPwB34\"])\n", "J01nedPwA12 J01nedPwB34", ""},
		{"password = 'ConcatPw11' + \\\n  'Sec0ndHalfPw22'\nnext = 'order-1234ab'\n", "ConcatPw11 Sec0ndHalfPw22", "order-1234ab"},
		{"String password = System.getenv()\n    .getOrDefault(\"X\", \"order-1234ab\");", "", "order-1234ab"},
		{"if password in (\"InPyPw55pp\", \"InPyPw66qq\"):\n", "InPyPw55pp InPyPw66qq", ""},
		{"SELECT * FROM u WHERE password IN ('InSqlPw55pp', 'InSqlPw66qq') AND id IN ('order-1234ab')", "InSqlPw55pp InSqlPw66qq", "order-1234ab"},
		{"token = sign(body, \"sha256\")\ntoken = env[\"API_KEY_2\"]\npassword = \"letters-alone\"\n", "", "sha256 API_KEY_2 letters-alone"},
		{"# it's the password: don't\nname = 'order-1234ab'\n", "", "order-1234ab"},
		{"token = {\"type\": \"order-1234ab\"}\n", "", "order-1234ab"},
		{"password_policy = \"policy-12ab\"\nmax_tokens = get(\"count-12ab\")\n", "", "policy-12ab count-12ab"},
		{"password = read()\ncity = \"order-1234ab\"\n", "", "order-1234ab"},
	} {
		got := In(c.text, false)
		for _, secret := range strings.Fields(c.secrets) {
			if !slices.Contains(got, secret) {
				t.Errorf("%q: %s is not told of: %q", c.text, secret, got)
			}
		}
		for _, word := range strings.Fields(c.stay) {
			if slices.Contains(got, word) {
				t.Errorf("%q: %s is told of", c.text, word)
			}
		}
	}
}

// Shows which values of settings are secrets by their place, in every format.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, secrets, stay string }{
		{"limit = 3\npassword = \"\"\"\nTomlMultPw11uu\n\"\"\"\nname = \"order-1234ab\"\n", "TomlMultPw11uu", "order-1234ab"},
		{"[db]\npassword.value = \"D0ttedTomlPw44\"\nhost.value = \"order-1234ab\"\n", "D0ttedTomlPw44", "order-1234ab"},
		{"[auth]\ntoken = \"TomlTok22vv\"\napi_keys = [\n  \"TomlK3y33wwAA11\",\n]\nhosts = [\n  \"order-1234ab\"\n]\n", "TomlTok22vv TomlK3y33wwAA11", "order-1234ab"},
		{"LIMIT=3\nAPI_KEY=\"multi\nl1neS3cretEnv99\"\nCITY=\"multi\norder-1234ab\"\n", "l1neS3cretEnv99", "order-1234ab"},
		{"? api_key\n: ComplexK3y88val\n? city\n: order-1234ab\n", "ComplexK3y88val", "order-1234ab"},
		{"stringData: {password: !!str TaggedYamlPw11, city: !!str order-1234ab}\n", "TaggedYamlPw11", "order-1234ab"},
		{"token2: !vault |\n  Vault3dYamlTok22\ncity: |\n  order-1234ab\n", "Vault3dYamlTok22", "order-1234ab"},
		{"password: >-\n  F0ldedYamlPw44\nsecret:\n  - L1stYamlS3c55\ncities:\n  - order-1234ab\n", "F0ldedYamlPw44 L1stYamlS3c55", "order-1234ab"},
		{"limit=3\ndb.password Pr0psSpacePw33\ndb.city order-1234ab\n", "Pr0psSpacePw33", "order-1234ab"},
		{"api.secret=Pr0ps\\\n C0ntS3cret44\ncity=a\\\n order-1234ab\n", "C0ntS3cret44 Pr0psC0ntS3cret44", "order-1234ab"},
		{"CREATE TABLE u (id INT, name VARCHAR(20), password TEXT);\nINSERT INTO u VALUES (1, 'order-1234ab', 'P0sSqlPw11ll'), (2, lower('ann-1234x'), 'P0sSqlPw22mm');\n", "P0sSqlPw11ll P0sSqlPw22mm", "order-1234ab ann-1234x"},
		{"INSERT INTO u (name, password) SELECT 'order-1234ab', 'SelSqlPw22mm' FROM x;\nINSERT INTO v VALUES (1, 'ann-1234x');", "SelSqlPw22mm", "order-1234ab ann-1234x"},
	} {
		got := In(c.text, true)
		for _, secret := range strings.Fields(c.secrets) {
			if !slices.Contains(got, secret) {
				t.Errorf("%q: %s is not told of: %q", c.text, secret, got)
			}
		}
		for _, word := range strings.Fields(c.stay) {
			if slices.Contains(got, word) {
				t.Errorf("%q: %s is told of", c.text, word)
			}
		}
	}
}

// Shows that files of one thing again and again are read in time that grows with them.
func TestPlacesOfLargeFiles(t *testing.T) {
	for _, part := range []string{"password = (", "password=\"", "\"", "'\"`", "token: [", "in (", "or ", " or \"", "? a\n: ", "insert into u values (", "create table u (a, password);", "(((", "a\\\n", "password=\\\n", ")]'\"`", "=:=:", "\"\"\"", "- - - ", "- [", "{", "cookie: [", "authorization=("} {
		text := strings.Repeat(part, (256<<10)/len(part))
		began := time.Now()
		In(text, true)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%q takes %s", part, took)
		} else {
			t.Logf("%q: %s", part, took)
		}
	}
}
