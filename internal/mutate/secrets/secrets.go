// Package secrets finds the credentials in the files of a program, and hides them where the program writes them
// elsewhere. It is pure: nothing is read or run.
//
//	hide := secrets.Hide(secrets.In(text, true))
//	fmt.Println(hide(line))
package secrets

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// Most is how many secrets are told of: more of them are no settings.
const Most = 1000

// In are the values that stand in a file of a program, such as its settings or its source, under the names of
// credentials, and can be hidden wherever else they stand: see [redact.Credentials]. The file may be of any format
// that package redact reads, such as JSON, YAML, TOML, a table, or lines as an environment has them. In settings,
// which are no source, a value without quotes is all that stands in its line, and needs no digit.
func In(text string, settings bool) []string {
	f := found{known: map[string]bool{}}
	f.add(redact.EnvironmentCredentials([]string{"=" + text})) // under any name, all that stands in it
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "export ")
		at := strings.IndexAny(line, ":=")
		if at <= 0 || len(f.list) == Most {
			continue
		}
		name, value := strings.Trim(strings.TrimPrefix(line[:at], "- "), " \t\"'"), unquoted(line[at+1:])
		if line[at] == '=' && name == strings.ToUpper(name) && !strings.ContainsAny(name, " \t.[]()") { // as an environment has it
			f.add(redact.EnvironmentCredentials([]string{name + "=" + value}))
		}
		if settings {
			f.setting(name, value)
		}
	}
	take := func(secret string) { f.add([]string{secret}) }
	statements(text, settings, take)
	rows(text, take)
	if settings {
		lines(text, take)
		documents(text, take)
	}
	return f.list
}

// Hide hides some secrets in texts, in whatever usual way they are written there.
func Hide(list []string) func(string) string { return redact.New(list).Values }

// A found list is of what stands in a file, each once.
type found struct {
	list  []string
	known map[string]bool
}

func (f *found) add(list []string) {
	for _, secret := range list {
		if len(f.list) < Most && !f.known[secret] {
			f.known[secret] = true
			f.list = append(f.list, secret)
		}
	}
}

// shortestWord is how long a value of letters alone is at least that is hidden wherever it stands.
const shortestWord = 12

// isBare reports whether a value is one run without what only a text, an expression or a pattern has.
func isBare(value string) bool { return !strings.ContainsAny(value, " \t\n\"'`$*(){}[]<>|") }

// setting adds the value of a line of settings whose name carries credentials: api_key = value, password: value. In a
// source that may be a name or a call.
func (f *found) setting(name, value string) {
	if bare, _, has := strings.Cut(value, " #"); has {
		value = unquoted(bare)
	}
	if !isBare(value) || !redact.IsSecretMember(name[strings.LastIndexByte(name, '.')+1:], value) {
		return
	}
	if len(value) >= shortestWord {
		f.add([]string{value})
		return
	}
	f.add(redact.EnvironmentCredentials([]string{"PASSWORD=" + value}))
}

// unquoted is a value of a line of settings without the quotes around it.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		return value[1 : n-1]
	}
	return value
}
