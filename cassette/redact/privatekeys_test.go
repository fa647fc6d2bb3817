package redact

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// madeKeys are private keys that nobody uses, as files have them.
func madeKeys(t *testing.T) map[string]string {
	t.Helper()
	long, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, _ := x509.MarshalPKCS8PrivateKey(long)
	_, short, _ := ed25519.GenerateKey(rand.Reader)
	small, _ := x509.MarshalPKCS8PrivateKey(short)
	write := func(kind string, der []byte, headers map[string]string) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der, Headers: headers}))
	}
	return map[string]string{
		"PKCS 1": write("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(long), nil), "PKCS 8": write("PRIVATE KEY", pkcs8, nil),
		"of 32 bytes": write("PRIVATE KEY", small, nil), "of SSH": write("OPENSSH PRIVATE KEY", pkcs8, nil),
		"with a header": write("RSA PRIVATE KEY", pkcs8, map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-128-CBC,00FF"}),
		"of PGP":        write("PGP PRIVATE KEY BLOCK", pkcs8, nil),
	}
}

// keyBody is what stands between the first and the last line, and the headers.
func keyBody(key string) string {
	_, body, _ := strings.Cut(key, "-----\n")
	body, _, _ = strings.Cut(body, "-----END")
	if _, rest, has := strings.Cut(body, "\n\n"); has {
		body = rest
	}
	return strings.TrimSpace(body)
}

// heldForms are how a variable holds a key.
var heldForms = map[string]func(key string) string{
	"a file":               func(k string) string { return k },
	"without its last end": strings.TrimSpace,
	"lines of Windows":     func(k string) string { return strings.ReplaceAll(k, "\n", "\r\n") },
	"one line":             func(k string) string { return strings.ReplaceAll(k, "\n", `\n`) },
	"Base64":               func(k string) string { return base64.StdEncoding.EncodeToString([]byte(k)) },
	"beside a certificate": func(k string) string {
		return "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n" + k + "trusted by all\n"
	},
	"a member": func(k string) string { text, _ := json.Marshal(map[string]any{"x": k}); return string(text) },
}

// printedForms are what a program makes of a key.
var printedForms = map[string]func(key string) string{
	"as it is": func(k string) string { return k }, "quoted": strconv.Quote, "a query": url.QueryEscape, "a path": url.PathEscape,
	"twice a query": func(k string) string { return url.QueryEscape(url.QueryEscape(k)) },
	"%20":           func(k string) string { return strings.ReplaceAll(url.QueryEscape(k), "+", "%20") },
	"a member":      func(k string) string { text, _ := json.Marshal(map[string]any{"x": k}); return string(text) },
	"its body":      keyBody, "the escaped body": func(k string) string { return url.QueryEscape(keyBody(k)) },
	"joined": func(k string) string { return strings.ReplaceAll(keyBody(k), "\n", "") },
	"lines": func(k string) string {
		return "line " + strings.ReplaceAll(keyBody(k), "\n", "\nline ")
	},
	"Base64": func(k string) string { return base64.StdEncoding.EncodeToString([]byte(k)) },
	"digits": func(k string) string { return hex.EncodeToString([]byte(keyBody(k))) },
}

// shows reports whether a text has a part of the body of a key, in the alphabet of a URL
// or not, in Base64 or in digits.
func shows(text, key string) bool {
	for line := range strings.SplitSeq(keyBody(key), "\n") {
		if len(line) < 24 {
			continue
		}
		part := line[4:22]
		for _, form := range []string{
			part, url.QueryEscape(part), url.QueryEscape(url.QueryEscape(part)), hex.EncodeToString([]byte(part)),
			base64.StdEncoding.EncodeToString([]byte(line[3:21])), base64.StdEncoding.EncodeToString([]byte(line[4:22])), base64.StdEncoding.EncodeToString([]byte(line[5:23])),
		} {
			if strings.Contains(text, form) {
				return true
			}
		}
	}
	return false
}

// Shows that a private key of the environment is hidden under any name of a variable,
// however that holds it and however a program writes it, also without its first line.
func TestPrivateKeysOfTheEnvironment(t *testing.T) {
	for kind, key := range madeKeys(t) {
		for _, name := range []string{"PEM_KEY", "TLS_KEY", "SSH_KEY", "PEM", "CONFIG", "PRIVATE_KEY"} {
			for held, hold := range heldForms {
				if name != "PEM_KEY" && held != "a file" || held != "a file" && kind != "PKCS 8" && kind != "with a header" {
					continue
				}
				h := NewReceived()
				h.Keep(EnvironmentCredentials([]string{name + "=" + hold(key)}))
				r := (*Redactor)(nil).Recording().Receiving(h)
				for printed, form := range printedForms {
					text := "it is " + form(key) + "\nand more"
					if !shows(text, key) {
						t.Fatalf("%s shows nothing of the key: %s", printed, text)
					}
					for where, got := range map[string]string{"text": r.Text(text), "URL": r.URL("https://a.test/x/" + form(key)), "body": r.Body("text/plain", text)} {
						if shows(got, key) {
							t.Errorf("%s, %s %s, printed as %s, in a %s: %s", kind, name, held, printed, where, got)
						}
					}
				}
			}
		}
	}
	const words = "CONFIG=-----BEGIN PRIVATE KEY----- is how a key in that form begins, which nobody should send"
	if got := EnvironmentCredentials([]string{words}); got != nil {
		t.Errorf("a sentence is %q", got)
	}
}

// Shows that a variable in which a key has spaces in the place of its lines, or none at
// all, hides the lines that a program makes of it.
func TestPrivateKeysWithoutLines(t *testing.T) {
	key := madeKeys(t)["PKCS 8"]
	for _, between := range []string{" ", ""} {
		h := NewReceived()
		h.Keep(EnvironmentCredentials([]string{"PEM=" + strings.ReplaceAll(strings.TrimSpace(key), "\n", between)}))
		if got := (*Redactor)(nil).Receiving(h).Text(keyBody(key)); shows(got, key) {
			t.Errorf("with %q: %s", between, got)
		}
	}
}

// Shows that a private key which a program sends, and nobody knew of, is hidden where it is
// escaped, and is known from then on.
func TestPrivateKeysThatAreSent(t *testing.T) {
	for kind, key := range madeKeys(t) {
		for _, printed := range []string{"a query", "%20", "as it is", "a member"} {
			if got := (*Redactor)(nil).Recording().Text("x=" + printedForms[printed](key) + "&y=1"); shows(got, key) {
				t.Errorf("%s, %s: %s", kind, printed, got)
			}
		}
		for name, list := range map[string][]string{
			"query":  AddressCredentials(nil, "https://a.test/q?x="+url.QueryEscape(key)),
			"form":   BodyCredentials(nil, "application/x-www-form-urlencoded", []byte("x="+url.QueryEscape(key))),
			"member": BodyCredentials(nil, "application/json", []byte(heldForms["a member"](key))),
			"text":   BodyCredentials(nil, "text/plain", []byte(key)),
		} {
			h := NewReceived()
			h.Receive(list)
			if got := (*Redactor)(nil).Receiving(h).Text(keyBody(key)); shows(got, key) {
				t.Errorf("%s, a %s: %s", kind, name, got)
			}
		}
	}
}
