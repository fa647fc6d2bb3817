package printed

import (
	"strings"
	"testing"
)

// Shows where a value without quotes ends in the forms that languages print, and which of them
// a source has, too.
func TestEnd(t *testing.T) {
	for _, c := range []struct {
		text, value string
		how         How
	}{
		{"{User:ann ‹Password›:a b; c}d Timeout:3}", "a b; c}d", Sure},
		{"&{Timeout:3 ‹Password›:a-b}", "a-b", Sure},
		{"{Debug:true Settings:{‹Password›:a-b Timeout:3}}", "a-b", Sure},
		{"map[a:1 ‹password›:[a b] z:2]", "a b", Sure},
		{"map[‹api-key›:x,9(z]k]", "x,9(z]k", Sure},
		{"Settings[user=ann, ‹password›=a b, x, timeout=3]", "a b, x", Sure},
		{"Settings@1b2c[user=ann,‹password›=a-b,timeout=3]", "a-b", Sure},
		{"{user=ann, ‹password›=a-b}", "a-b", Sure},
		{"{‹password›=[a-b]}", "a-b", Sure},
		{"@{User=ann; ‹Password›=a-b; Timeout=3}", "a-b", Sure},
		{"Settings(user=ann, ‹password›=a-b, timeout=3)", "a-b", Alike},
		{"f(‹password›=get(1), x=2)", "get(1)", Alike},
		{"f(x=2, ‹password›=a(b)", "a(b", Alike},
		{"‹password›: a-b", "", No},
		{"{‹password›: a-b}", "", No},
		{"‹password›=word", "", No},
		{"the ‹password›=word is", "", No},
		{"${‹PASSWORD›=word}", "", No},
		{"f({‹password›}, x)", "", No},
		{"if a[‹password›:n] ", "", No},
		{"{‹Password›:\"a\"}", "", No},
		{"‹DB_PASSWORD›=$OTHER", "", No},
		{"{‹Password›:{A:1}}", "", No},
		{"{‹Password›:map[a:1]}", "", No},
		{"x = ‹password›", "", No},
		{"{User:ann\n‹Password›:x}", "", No},
		{"‹password›=word, timeout=3", "", No},
	} {
		text := strings.NewReplacer("‹", "", "›", "").Replace(c.text)
		to := strings.Index(c.text, "›") - len("‹")
		sign := to
		for sign < len(text) && text[sign] == ' ' {
			sign++
		}
		value := sign + 1
		for value < len(text) && text[value] == ' ' {
			value++
		}
		end, how := End(text, min(sign, len(text)-1), value)
		got := ""
		if end > 0 {
			got = text[Begin(text, value):end]
		}
		if end > 0 != (c.how != No) || got != c.value || end > 0 && how != c.how {
			t.Errorf("%s: %q, %v", c.text, got, how)
		}
	}
}

// Shows what stands around a string is, and what is a call of a source.
func TestWrapped(t *testing.T) {
	for text, want := range map[string]int{
		`[]string{"a"}`: 9, `ApiToken("a")`: 9, "Some(\n    \"a\",\n)": 10, `app.Token("a")`: 10, `<<"a">>`: 2, `string(7) "a"`: 10, `Optional(\"a\")`: 9,
		`load("a")`: 0, `os.getenv("a")`: 0, `"a"`: 0, `Some(a)`: 0, `[]`: 0, "": 0, `string(x) "a"`: 0,
	} {
		if got := Wrapped(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// Shows which values without quotes a source has.
func TestIsCode(t *testing.T) {
	for value, want := range map[string]bool{
		"password": true, "self.password": true, "get_password(user)": true, "a if b": true, "${X}": true,
		"a-b": false, "pw4;x,9(z]k": false, "hunter2": false, "a+b": false,
	} {
		if IsCode(value) != want {
			t.Errorf("%s: %v", value, !want)
		}
	}
}
