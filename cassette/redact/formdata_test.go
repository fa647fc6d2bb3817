package redact

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// formOf is a form as the standard library sends it, or with lines as some programs end them.
func formOf(t *testing.T, lineEnd string, fields ...[2]string) (contentType, body string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		if name, is := strings.CutPrefix(f[0], "@"); is {
			part, err := w.CreateFormFile(name, "file.txt")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write([]byte(f[1]))
		} else if err := w.WriteField(f[0], f[1]); err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return w.FormDataContentType(), strings.ReplaceAll(b.String(), "\r\n", lineEnd)
}

// Shows that a field of a multipart form is hidden by its name like one of any other form,
// in the body, in a string of JSON, in one that was cut, and where nobody knows what the
// text is; and is known from then on where it is no word.
func TestFormData(t *testing.T) {
	const secret, word = "form+canary-1", "swordfish"
	quote := func(text string) string {
		quoted, _ := json.Marshal(map[string]string{"body": text})
		return string(quoted)
	}
	for _, name := range []string{"password", "api_key", "token", "key", "client_secret", "otp", "auth", "@private_key"} {
		value := secret
		if name == "otp" {
			value = "49302177"
		}
		for _, lineEnd := range []string{"\r\n", "\n"} {
			contentType, body := formOf(t, lineEnd, [2]string{"note", "hello"}, [2]string{name, value}, [2]string{"user", "ann"}, [2]string{"passwd", word})
			for where, got := range map[string]string{
				"body": (*Redactor)(nil).Body(contentType, body), "text": (*Redactor)(nil).Text(body), "lines": (*Redactor)(nil).Lines(body),
				"stored": (*Redactor)(nil).Stored(http.Header{"Content-Type": {contentType}}, body), "JSON": (*Redactor)(nil).Text(quote(body)), "JSON in JSON": (*Redactor)(nil).Text(quote(quote(body))),
				"cut": (*Redactor)(nil).Text(body[:strings.Index(body, value)+len(value)]), "cut in JSON": (*Redactor)(nil).Text(quote(body[:strings.Index(body, value)+len(value)])),
			} {
				if strings.Contains(got, value) || strings.Contains(got, word) || !strings.Contains(got, Placeholder(value)) || !strings.Contains(got, "hello") || !strings.HasPrefix(where, "cut") && !strings.Contains(got, "ann") {
					t.Errorf("%s, %q, %s: %s", name, lineEnd, where, got)
				}
			}
			if got := BodyCredentials(nil, contentType, []byte(body)); !slices.Equal(got, []string{value}) {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	for _, text := range []string{
		"Content-Disposition: form-data; name=\"note\"\r\n\r\npassword\r\n--x--", "a form-data; name=\"password\" has no value", "form-data is how forms are sent\n\nhello", "Content-Disposition: form-data; name=\"password\"\r\n\r\n\r\n--x--",
	} {
		if got := (*Redactor)(nil).Text(text); got != text {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// Shows that the names of a redact block count for the fields of a multipart form.
func TestFormDataByRule(t *testing.T) {
	contentType, body := formOf(t, "\r\n", [2]string{"iban", "DE89"}, [2]string{"city", "Bonn"})
	r := (*Redactor)(nil).With(Rules{Query: []string{"IBAN"}})
	for where, got := range map[string]string{"body": r.Body(contentType, body), "text": r.Text(body)} {
		if strings.Contains(got, "DE89") || !strings.Contains(got, "Bonn") {
			t.Errorf("%s: %s", where, got)
		}
	}
}
