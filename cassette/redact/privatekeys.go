package redact

import (
	"regexp"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/internal/packing"
)

// privateKeyForm is a private key as RFC 7468 and PGP write it, with its last line or
// without: lines of Base64, whose ends may be those of a string, or spaces.
var privateKeyForm = sync.OnceValue(func() *regexp.Regexp {
	const lineEnd = `(?:\s|\\+[rn])`
	return regexp.MustCompile(`-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----` + lineEnd + `*` +
		`(?:[A-Za-z-]{1,40}: [^\r\n\\]{0,100}` + lineEnd + `+){0,8}` +
		`[A-Za-z0-9+/=]{16,}(?:` + lineEnd + `*[A-Za-z0-9+/=]+)*` +
		`(?:` + lineEnd + `*-----END[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----)?`)
})

// privateKeys adds the private keys that stand in a text, under whatever name: as they
// stand there, and as files have them, so that each line is known alone.
func privateKeys(list []string, text string) []string {
	if !strings.Contains(text, "PRIVATE KEY-----") && !strings.Contains(text, "PRIVATE KEY BLOCK-----") {
		return list
	}
	for _, key := range privateKeyForm().FindAllString(text, -1) {
		list = worthwhile(worthwhile(list, key), inLines(key))
	}
	return list
}

// packedPrivateKeys is privateKeys for a text that may be Base64 as a whole.
func packedPrivateKeys(list []string, text string) []string {
	packed := strings.TrimRight(strings.Join(strings.Fields(text), ""), "=")
	if len(packed) < packing.Base64Min || len(packed) > packedMax || strings.ContainsFunc(packed, func(c rune) bool { return c > 0x7f || !isBase64Byte(byte(c)) }) {
		return list
	}
	plain := packing.FromBase64(packed)
	known := len(list)
	if list = privateKeys(list, plain); len(list) > known {
		list = worthwhile(list, strings.TrimSpace(text))
	}
	return list
}

// lineEnds are the ends of lines as strings of many languages write them.
var lineEnds = strings.NewReplacer(`\\r\\n`, "\n", `\\n`, "\n", `\r\n`, "\n", `\n`, "\n", "\r\n", "\n")

// keyLine is how long a line of Base64 is by RFC 7468.
const keyLine = 64

// inLines is a private key as a file has it: one whose lines end as in a string, with
// spaces or not at all gets lines.
func inLines(key string) string {
	key = lineEnds.Replace(key)
	if strings.Count(key, "\n") > 2 {
		return key
	}
	head := strings.Index(key, "KEY")
	head += strings.Index(key[head:], "-----") + len("-----")
	body, end, _ := strings.Cut(key[head:], "-----END")
	var b strings.Builder
	b.WriteString(key[:head] + "\n")
	for _, run := range strings.Fields(body) {
		for len(run) > keyLine {
			b.WriteString(run[:keyLine] + "\n")
			run = run[keyLine:]
		}
		b.WriteString(run + "\n")
	}
	if end != "" {
		b.WriteString("-----END" + end)
	}
	return b.String()
}
