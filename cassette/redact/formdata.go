package redact

import (
	"regexp"
	"strings"
	"sync"
)

// formDataForms find the parts of a form that is sent as multipart/form-data (RFC 7578), in
// the body itself and in a string of JSON that has it: the name of a field, the line
// without text behind which its value stands, and where that ends.
var formDataForms = sync.OnceValue(func() (f struct{ head, blank, end *regexp.Regexp }) {
	const lineEnd = `(?:\r?\n|\\+r\\+n|\\+n)`
	f.head = regexp.MustCompile(`(?i)form-data\s{0,4};[^\r\n]{0,400}?[;\s]name=(?:\\*"([^"\r\n\\]*)\\*"|([^;\s"\\]+))`)
	f.blank = regexp.MustCompile(lineEnd + lineEnd)
	f.end = regexp.MustCompile(lineEnd + `--`)
	return f
})

// headMax is how far the value of a field may stand behind its name.
const headMax = 1000

// eachField calls do with the name of each field of such forms in a text, and where its
// value stands.
func eachField(text string, do func(name string, from, to int)) {
	if strings.IndexByte(text, '-') < 0 || !strings.Contains(text, "form-data") && !strings.Contains(text, "Form-Data") {
		return
	}
	forms := formDataForms()
	for at := 0; at < len(text); {
		m := forms.head.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return
		}
		name := ""
		for i := 2; i < len(m); i += 2 {
			if m[i] >= 0 {
				name += text[at+m[i] : at+m[i+1]]
			}
		}
		at += m[1]
		blank := forms.blank.FindStringIndex(text[at:min(len(text), at+headMax)])
		if blank == nil {
			continue
		}
		escapes := backslashes(text[at+blank[0]:])
		at += blank[1]
		to := len(text)
		if end := forms.end.FindStringIndex(text[at:]); end != nil {
			to = at + end[0]
		} else if escapes > 0 { // the form was cut off, and the string that has it ends
			to = enclosedEnd(text, at, escapes)
		}
		do(name, at, to)
		at = to
	}
}

// enclosedEnd is where a string ends in which the end of a line is written with so many
// backslashes: at a quote with one less.
func enclosedEnd(text string, at, escapes int) int {
	for at < len(text) {
		n := backslashes(text[at:])
		if at+n < len(text) && text[at+n] == '"' && n == escapes-1 {
			return at
		}
		at += n + 1
	}
	return len(text)
}

// backslashes is how many of them a text begins with.
func backslashes(text string) int { return len(text) - len(strings.TrimLeft(text, `\`)) }

// findFields finds the fields of such forms that carry credentials.
func findFields(text string) edits { return fieldsIf(text, IsSecretParameter) }

// hideFields hides fields of such forms by name.
func hideFields(text string, secret func(name, value string) bool) string {
	e := fieldsIf(text, secret)
	return e.apply(text)
}

func fieldsIf(text string, secret func(name, value string) bool) (e edits) {
	eachField(text, func(name string, from, to int) {
		if value := text[from:to]; value != "" && !IsPlaceholder(value) && secret(name, value) {
			e.replace(from, to, Placeholder(unescape(value)))
		}
	})
	return e
}

// fieldCredentials adds the fields of such a form that carry credentials.
func fieldCredentials(list []string, body string) []string {
	eachField(body, func(name string, from, to int) {
		if value := body[from:to]; IsSecretParameter(name, value) {
			list = worthwhile(list, value)
		}
	})
	return list
}
