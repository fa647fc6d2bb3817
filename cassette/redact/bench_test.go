package redact

import (
	"io"
	"strings"
	"testing"
)

// ordinary are texts as programs write them, without secrets.
var ordinary = map[string]string{
	"log":       strings.Repeat("2024-05-01T10:00:00.123Z INFO request handled method=GET path=/orders/4711 status=200 took=12.5ms (worker 3, attempt 1 of 2) user='ann'\n", 700),
	"prose":     strings.Repeat("The password policy is strict, and the word \"token\" is said with a reason: it's what we count. Find it (and more) in the docs.\n", 700),
	"code":      strings.Repeat("for (let i = 0; i < users.length; i++) { show(users[i].name, '<div class=\"row\">' + w[i] + '</div>'); }\n", 900),
	"statement": strings.Repeat("INSERT INTO orders (id, name, city) VALUES (1, 'shoes', 'Bern'), (2, 'hats', 'Basel');\nSELECT id FROM orders WHERE city = 'Bern';\n", 700),
	"colours":   strings.Repeat("\x1b[2m10:00:00\x1b[0m [\x1b[32minfo\x1b[0m] handled \x1b[36mpath\x1b[0m=\x1b[35m/orders\x1b[0m \x1b[36mstatus\x1b[0m=\x1b[35m200\x1b[0m\n", 700),
	"urls":      strings.Repeat("GET https://shop.example/cb?next=https%3A%2F%2Fa.example%2Fcart%3Fitem%3D12%26page%3D2&state=on 200\n", 900),
}

func BenchmarkOrdinary(b *testing.B) {
	for name, text := range ordinary {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if (*Redactor)(nil).Text(text) != text {
					b.Fatal("something is hidden")
				}
			}
		})
		b.Run(name+" written", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				w := (*Redactor)(nil).Writer(io.Discard)
				_, _ = io.WriteString(w, text)
				_ = w.Close()
			}
		})
	}
}
