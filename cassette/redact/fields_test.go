package redact

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// fieldNames are names that fields may have: those that the lists of this package have, as they are and
// behind what services put before them, and others that end alike.
func fieldNames() []string {
	fields, ends, parameters, members := SecretNames()
	names := slices.Concat(fields, parameters, members, harmless, drawnParameters, []string{
		"x-author", "x-request-id", "x-session-count", "x-design", "x-sig-version", "x-webhook-sig", "x-session", "x-session-id", "refresh", "x-refresh", "mot_de_passe", "X-Amz-Meta-Pass",
		"x-key", "x-license-key", "x-routing-key", "x-shop-idempotency-key", "x-otp", "x-pin", "x-code", "x-user", "etag", "x-trace-id", "x-compass", "x-bypass",
	})
	for _, end := range ends {
		names = append(names, "x-shop"+end)
	}
	for name := range weighedNames() {
		names = append(names, name)
	}
	for _, end := range secretEnds {
		names = append(names, "shop_"+end)
	}
	var all []string
	for _, n := range names {
		n = strings.ReplaceAll(n, "_", "-")
		all = append(all, n, "x-"+n, "X-Amz-Meta-"+n, http.CanonicalHeaderKey("shop-"+n), n+"-2", n+"-old", strings.ReplaceAll(n, "-", "_"))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Shows that there is one answer to the question whether a field of a header carries a credential: where
// it is hidden as a member of an object, in a line of a log or as a setting, it is hidden as a field, too,
// and known from then on; and where it is hidden as a field and drawn, it is hidden as a member.
func TestFieldsAreHiddenAlike(t *testing.T) {
	const long = "q8Zr2LmN5vTx9KpW3sYdB7hJ"
	if HideTokens(long) != long {
		t.Fatalf("%s has a form that is known", long)
	}
	var none *Redactor
	hidden := 0
	for _, name := range fieldNames() {
		for _, value := range []string{long, "Zk7-qTx9!mRb2N", "493021", "swordfish", "dXNlcjpRd2VydHk5OQ=="} {
			isHidden := func(shown string) bool { return !strings.Contains(shown, value) }
			var by []string
			for way, shown := range map[string]string{
				"member": none.Member(name, value), "object": none.Text(`{"` + name + `": "` + value + `"}`), "object in an object": none.Text(`{"headers":{"` + name + `":"` + value + `"}}`),
				"object of lists": none.Text(`{"` + name + `":["` + value + `"]}`), "line": none.Text(name + ": " + value), "setting": none.Text(name + " = \"" + value + `"`),
				"field": none.Header(name, value), "field for people": ShownValue(name, value), "request": none.Request(Request{Header: http.Header{name: {value}}}).Header[name][0],
			} {
				if isHidden(shown) {
					by = append(by, way)
				}
			}
			slices.Sort(by)
			if len(by) == 0 {
				continue
			}
			hidden++
			for _, way := range []string{"field", "field for people", "request"} {
				if !slices.Contains(by, way) {
					t.Errorf("%s: %s is shown as a %s, and hidden as %s", name, value, way, strings.Join(by, ", "))
				}
			}
			if value == long && !isOfFieldsAlone(name) {
				for _, way := range []string{"member", "object", "object in an object", "object of lists"} {
					if !slices.Contains(by, way) {
						t.Errorf("%s: %s is shown as a %s, and hidden as %s", name, value, way, strings.Join(by, ", "))
					}
				}
			}
			if !MayBeSecretField(name) {
				t.Errorf("%s: %s is hidden as %s, and no such field is listened to", name, value, strings.Join(by, ", "))
			}
			if known := FieldCredentials(nil, http.Header{name: {value}}); isWorthwhile(value) && len(known) == 0 && !strings.HasSuffix(strings.ToLower(name), "cookie") {
				t.Errorf("%s: %s is hidden as %s, and not known from then on", name, value, strings.Join(by, ", "))
			}
		}
	}
	if hidden < 1000 {
		t.Errorf("%d fields are hidden", hidden)
	}
}

// isOfFieldsAlone reports whether a name says more of a field than of a member: by underscores, which
// members have, or because it is a name of a service, a short code, or has the hash behind it.
func isOfFieldsAlone(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "_") || slices.Contains([]string{"auth", "openai-organization", "openai-project", "anthropic-organization-id"}, name) || strings.HasSuffix(name, "-pin") || strings.HasSuffix(name, "-256")
}
