// Package redact hides secrets in whatever is shown or stored, and finds those
// that a file shows.
//
// A [Redactor] knows the secrets of a run by value, in all encodings in which
// they are usual, and every credential by the name under which it stands. What
// nobody named is found by its form ([HideTokens], [Sightings]): by the published
// rules of gitleaks, which go generate brings up to date, and our own. A secret gives
// way to a [Placeholder], which is the same for the same secret.
//
//	r := redact.New([]string{os.Getenv("API_KEY")})
//	fmt.Println(r.Text(message))
//
// [Redactor.Recording] hides by value, name and form together, and
// [Redactor.Writer] does so with what is written piece by piece.
//
// The package knows texts, URLs, headers and JSON, and nothing of cassettes.
package redact
