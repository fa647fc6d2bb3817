//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
)

// Shows that no piece of a secret stands in a report that an expression cut out of what a program said or
// sent, wherever the secret is from: the environment of the command, env of sut, or a header field. What
// else the expressions came to stays.
func TestPiecesOfSecretsStandNowhere(t *testing.T) {
	const inherited, given, sent = "Vq7x-tRz9kLm2-Wp5cHd8", "Jb4w-gNc8yQe3-Xf6vTs7", "Zk7d-qTx9mRb2-Hn5pLw4"
	t.Chdir(t.TempDir())
	t.Setenv("SHOP_PASSWORD", inherited)
	var tell telling
	for _, s := range []string{inherited, given, sent} {
		h := http.Header{"Authorization": {"Bearer " + sent}, "X-Note": {"order-20177 " + s}}
		tell.Requests = append(tell.Requests, toldRequest{Header: h, ContentType: "application/json", Body: `{"note":"` + s + `"}`})
		tell.Say = append(tell.Say, s)
	}
	data, err := json.Marshal(tell)
	if err != nil {
		t.Fatal(err)
	}
	writeIn(t, ".", "tell.json", string(data))
	writeIn(t, ".", "a.scenario.hcl", `provider "http" "shop" { base_url = "https://shop.test" }
scenario "s" {
  sut {
    command = ["tellsecrets", "tell.json", provider.shop.url]
    env     = { APP_SECRET = "`+given+`" }
  }
  on "shop" {
    reply {
      body  = "ok"
      times = 3
    }
  }
  assert "words" { condition = split("-", sut.stdout) == ["login"] }
  assert "begins" { condition = [for w in split(" ", sut.stdout) : substr(w, 0, 12)] == ["login"] }
  assert "body" { condition = [for a in endpoint.shop.attempts : split("-", a.request.json.note)] == [] }
  assert "header" { condition = [for a in endpoint.shop.attempts : regexall("[A-Za-z0-9]{5,}", a.request.headers["x-note"])] == [] }
}
`)
	var out, errs bytes.Buffer
	if code := run([]string{"exec", "--report", "json=r.json", "--report", "html=r.html", "--report", "junit=r.xml", "a.scenario.hcl"}, strings.NewReader(""), &out, &errs, os.LookupEnv); code != 1 {
		t.Fatalf("exit %d: %s%s", code, &out, &errs)
	}
	shown := map[string]string{"the terminal": out.String() + errs.String()}
	for _, name := range []string{"r.json", "r.html", "r.xml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		shown[name] = string(text)
	}
	for name, text := range shown {
		for _, secret := range []string{inherited, given, sent} {
			for at := range len(secret) - 5 {
				if piece := secret[at : at+6]; strings.Contains(text, piece) {
					t.Errorf("%s shows %s of %s", name, piece, secret)
				}
			}
		}
		for _, plain := range []string{"said", "order", "20177"} {
			if !strings.Contains(text, plain) {
				t.Errorf("%s does not show %s", name, plain)
			}
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}
