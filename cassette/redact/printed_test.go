package redact

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A printedForm is what a language prints of some settings, of which one is called xNAMEx and has
// the value xVALUEx.
type printedForm struct{ name, text string }

func formsPrinted(t *testing.T) (list []printedForm) {
	t.Helper()
	files, err := filepath.Glob("testdata/printed/*.txt")
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n-- ")[1:] {
			name, text, ok := strings.Cut(part, " --\n")
			if !ok {
				t.Fatalf("%s: %q", f, part)
			}
			list = append(list, printedForm{name, text})
		}
	}
	return list
}

// as is the form with a name and a value.
func (f printedForm) as(name, value string) string {
	return strings.NewReplacer("xNAMEx", name, "XNAMEx", strings.ToUpper(name[:1])+name[1:], "xVALUEx", value, "xnamex", strings.ToLower(name)).Replace(f.text)
}

// namelessForms are those in which the name does not stand with its value.
var namelessForms = []string{
	"rust: debug of pairs in lines",                           // each of the two in a line of its own
	"shell: declare -a",                                       // an index between them
	"shell: set -x of a test",                                 // no name at all
	"php: print_r of an object", "php: var_dump of an object", // the class between them
	"php: serialize", // a length between them
	"clojure: map",   // no sign
}

// wordless are the files of the forms in which a value of words alone stays, because sources,
// sentences and lists of names are written alike.
var wordless = map[string]string{"swordfish": "word.stay", "correct-horse-battery": "words.stay"}

// Shows that the value of a credential is hidden in whatever form a language prints it, alike
// whether a text comes as a whole or line by line, and that nothing beside it is.
func TestPrintedForms(t *testing.T) {
	names := []string{"password", "api_key", "apiKey", "clientSecret", "access_token", "accessToken", "DB_PASSWORD", "APIKey", "dbPassword", "SecretKey", "auth_token"}
	values := []string{"Gs6zAw1vHd38KqTy", "f3b81c5d09e24a7796d0b2ac41e85f37", "hunter-4Two"}
	var none *Redactor
	hidden := 0
	stay := map[string][]string{}
	for value, file := range wordless {
		data, err := os.ReadFile(filepath.Join("testdata", "printed", file))
		if err != nil {
			t.Fatal(err)
		}
		stay[value] = strings.Split(strings.TrimSpace(string(data)), "\n")
	}
	for _, f := range formsPrinted(t) {
		for _, name := range names {
			for _, value := range values {
				text := f.as(name, value)
				shown := none.Text(text)
				if is, want := !strings.Contains(shown, value), !slices.Contains(namelessForms, f.name); is != want && !(name == "auth_token" && value == "hunter-4Two") {
					t.Errorf("%s: that it is hidden is %v: %s", f.name, is, shown)
					continue
				}
				hidden++
				for _, beside := range []string{"ann", "imeout", "3", "bearer", "100"} {
					if was, is := strings.Count(strings.ReplaceAll(text, value, ""), beside), strings.Count(withoutMarks(shown), beside); is < was {
						t.Errorf("%s: %s is hidden as well: %s", f.name, beside, shown)
					}
				}
				if again := none.Text(shown); again != shown {
					t.Errorf("%s: a second time it is %s", f.name, again)
				}
				var out strings.Builder
				w := none.Writer(&out)
				for line := range strings.Lines(text) {
					_, _ = io.WriteString(w, line)
				}
				if _ = w.Close(); strings.Contains(out.String(), value) != strings.Contains(shown, value) {
					t.Errorf("%s: line by line it is %s", f.name, out.String())
				}
			}
		}
		for value, stays := range stay {
			if is := !strings.Contains(none.Text(f.as("password", value)), value); is == (slices.Contains(stays, f.name) || slices.Contains(namelessForms, f.name)) {
				t.Errorf("%s: that %s is hidden is %v", f.name, value, is)
			}
		}
	}
	if hidden < 4000 {
		t.Errorf("only %d are hidden", hidden)
	}
}

// withoutMarks is a text without its placeholders.
func withoutMarks(text string) string { return placeholderText().ReplaceAllString(text, "") }

// Shows that a credential is hidden in the files of settings, the commands and the calls in which
// it usually stands, as a whole and line by line.
func TestWrittenForms(t *testing.T) {
	data, err := os.ReadFile("testdata/written.txt")
	if err != nil {
		t.Fatal(err)
	}
	recording := (*Redactor)(nil).Recording()
	n := 0
	for _, part := range strings.Split("\n"+string(data), "\n-- ")[1:] {
		name, text, _ := strings.Cut(part, " --\n")
		const value = "Gs6zAw1vHd38KqTy"
		text = strings.ReplaceAll(text, "xVALUEx", value)
		n++
		if shown := recording.Text(text); strings.Contains(shown, value) {
			t.Errorf("%s: it is shown: %s", name, shown)
		}
		var out strings.Builder
		w := recording.Writer(&out)
		for line := range strings.Lines(text) {
			_, _ = io.WriteString(w, line)
		}
		if _ = w.Close(); strings.Contains(out.String(), value) {
			t.Errorf("%s: line by line it is shown: %s", name, out.String())
		}
	}
	if n < 60 {
		t.Errorf("only %d are here", n)
	}
}

// Shows what stays: what a source has in the place of a credential, and what says nothing of one.
func TestNothingPrinted(t *testing.T) {
	for _, text := range []string{
		"connect(user=user, password=password, timeout=3)", "Settings(api_key=self.api_key)", "f(password=get_password(1), x=2)", "Settings { Password = password, Timeout = 3 }", "new Settings { Password = options.Password }",
		"{Password:<nil> Timeout:3}", "{HasPassword:true Password:false}", "map[api_key_count:2 max_tokens:100 token_type:bearer]", "Token[type=IDENT, value=x1]", "Settings[password=null, timeout=3]", "{password=***}",
		"func login(user string, password string) error", "login(user, password)", "login(\"ann\")", "login(\"ann\", \"redirect\")", "page.goto(\"/login\", \"v2\")", "get_token(\"db2prod\")", "get_secret('prod/db-2')", "PasswordField(\"Password2\")", "check(\"password1\")",
		"password -> String", "x->token = next2token;", "(user, password)", "[username, password]", "(password, token)", "{name, password}", "[:name, :password]", "tool --password=password", "make password=word",
		"[[keys]]\nname = x1y2z3\n", "<key>name</key><string>Gs6zAw1vHd38KqTy</string>", "sort.key Gs6zAw1vHd38", "password_hint none", "PASSWORD=$OTHER", "os.environ[PASSWORD]", "password = load(\"key2file\")", "auth=(\"basic\", \"oauth2\")",
		"the map[token:word] is", "a[password:n2]", "if (password == other2) {", "{{password=x}}", "${PASSWORD=word}", "s:8:\"password\";i:3;", "connect(\"db.example\", \"ann\")", "connect(\"db\", 5432, \"shop\")",
	} {
		if shown := (*Redactor)(nil).Text(text); shown != text {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// Shows that the forms are what the languages print: those that are here. UPDATE_PRINTED=1 writes
// them anew.
func TestPrintedFormsAreTrue(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs compilers")
	}
	for name, command := range map[string][]string{
		"python": {"python3", "printed.py"}, "node": {"node", "printed.js"}, "go": {"go", "run", "main.go"}, "java": {"java", "Printed.java"}, "shell": {"bash", "printed.sh"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(command[0]); err != nil {
				t.Skip("it is not here")
			}
			cmd := exec.Command(command[0], command[1:]...)
			cmd.Dir = filepath.Join("testdata", "printed")
			got, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v", strings.Join(command, " "), err)
			}
			file := filepath.Join(cmd.Dir, name+".txt")
			if os.Getenv("UPDATE_PRINTED") != "" {
				if err := os.WriteFile(file, got, 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			same := 0
			known := strings.Split(string(want), "\n-- ")
			for _, form := range strings.Split(string(got), "\n-- ") {
				if slices.Contains(known, form) {
					same++
				}
			}
			if same*3 < len(known)*2 { // versions differ in some
				t.Errorf("%d of %d forms are as they are printed", same, len(known))
			}
		})
	}
}
