package redact

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"unicode"

	"github.com/scenario-lang/scenario/internal/names"
)

// The words of the names of variables, in capitals.
var (
	// secretWords say of a variable that it is a secret, wherever they stand in its name.
	secretWords = []string{
		"SECRET", "SECRETS", "PASSWORD", "PASSWORDS", "PASSWD", "PASSPHRASE", "PASSPHRASES", "PASSCODE", "PASSWORT", "TOKEN", "TOKENS", "CREDENTIAL", "CREDENTIALS", "CREDS", "CRED",
		"PAT", "PATS", "AUTH", "AUTHORIZATION", "BEARER", "JWT", "COOKIE", "COOKIES", "MNEMONIC", "APIKEY", "APIKEYS",
		"UNSEAL",
	}
	// secretKeys say so in front of KEY and KEYS.
	secretKeys = []string{"API", "ACCESS", "PRIVATE", "SECRET", "SIGNING", "ENCRYPTION", "MASTER", "ACCOUNT", "SUBSCRIPTION"}
	// secretPhrases say so in front of PHRASE, CODE and WORDS.
	secretPhrases = []string{"SEED", "RECOVERY", "PASS", "BACKUP"}
	// firstOrLast say so at either end of a name, and lastWords where it ends.
	firstOrLast = []string{"PASS", "PWD", "PW", "PSK"}
	lastWords   = []string{"KEY", "KEYS", "SK", "PIN", "SALT", "PEPPER", "PASSE"}
	// drawnWords say so where they end a name and the value is one that a program drew.
	drawnWords = []string{"FERNET", "SIGNING", "BOT"}
	// seedWords say so in front of SEED.
	seedWords = []string{"OTP", "TOTP", "HOTP", "MFA"}
	// thingKeys stand in front of KEY where it names a thing, beside those of harmless.
	thingKeys = []string{"PROJECT", "ISSUE", "FEATURE", "FLAG", "INDEX", "SHARD", "RECORD", "S3"}
	// aboutWords end the names of what is said about a secret: where it is, what it is
	// called, of which kind it is.
	aboutWords = []string{
		"FILE", "PATH", "DIR", "DIRECTORY", "SOCK", "SOCKET", "URL", "URI", "ENDPOINT", "HOST", "HOSTNAME", "PORT", "ADDR", "DOMAIN", "ISSUER", "AUDIENCE", "REALM", "SCOPE", "SCOPES", "REGION",
		"NAME", "USERNAME", "EMAIL", "TYPE", "KIND", "METHOD", "METHODS", "MODE", "PROVIDER", "BACKEND", "BACKENDS", "ENGINE", "MANAGER", "POLICY", "HASHER", "ENCODER", "ALGORITHM", "ALG", "VERSION",
		"TTL", "EXPIRY", "LIFETIME", "TIMEOUT", "LENGTH", "SIZE", "LIMIT", "COUNT", "ENABLED", "REQUIRED", "PARALLELISM",
	}
	// methods are values that say how somebody shows who he is.
	methods = []string{"oauth1", "oauth2", "oauth2.0", "sha256", "sha512", "scram-sha-256", "aes256", "argon2", "argon2i", "argon2id", "pbkdf2"}
)

// isNamedSecret reports whether one of the words of the name of a variable says that it is
// a secret, and its value does not say that it is none: that of a setting. The name of a
// variable is chosen with care, so that one word of it tells what no word of the name of a
// member does.
func isNamedSecret(name, value string) bool {
	words := wordsOf(name)
	for len(words) > 1 && isQualifier(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	if len(words) == 0 || isHarmlessEnd(words) || slices.Contains(aboutWords, words[len(words)-1]) || isSetting(value) {
		return false
	}
	first, last := words[0], words[len(words)-1]
	switch {
	case last == "KEY" || last == "KEYS":
		return !isWord(value) && !isNameOfThing(words)
	case last == "SEED": // of codes, and not of what is drawn at random
		return len(words) > 1 && slices.Contains(seedWords, words[len(words)-2])
	case last == "LOGIN" || last == "BASIC":
		return isLogin(value)
	case last == "PRIVATE" && len(words) > 1:
		return isBareSecret(value)
	case slices.Contains(drawnWords, last):
		return isDrawn(value)
	case slices.Contains(firstOrLast, first), slices.Contains(firstOrLast, last), slices.Contains(lastWords, last):
		return true
	}
	for i, word := range words {
		switch {
		case word == "AUTH":
			if !isWord(value) {
				return true
			}
		case word == "TOKEN" || word == "TOKENS": // of which there may also be a number
			if strings.ContainsFunc(value, unicode.IsLetter) {
				return true
			}
		case slices.Contains(secretWords, word), endsSecret(word):
			return true
		case i > 0 && (word == "KEY" || word == "KEYS"):
			if slices.Contains(secretKeys, words[i-1]) || secretKey.fits(value) {
				return true
			}
		case i > 0 && (word == "PHRASE" || word == "CODE" || word == "CODES" || word == "WORDS"):
			if slices.Contains(secretPhrases, words[i-1]) {
				return true
			}
		}
	}
	return false
}

// isLogin reports whether a value is a user and a password that nobody takes for the name
// of a thing.
func isLogin(value string) bool {
	user, password, ok := strings.Cut(value, ":")
	return ok && user != "" && isBareSecret(password) && !isNumbered(password) && !strings.ContainsAny(password, "/:")
}

// isNameOfThing reports whether the words of a name that ends with KEY say that it names
// a thing.
func isNameOfThing(words []string) bool {
	return isHarmlessEnd(words) || len(words) > 1 && slices.Contains(thingKeys, words[len(words)-2])
}

// endsSecret reports whether a word is put together of two, of which the second says that
// it is a secret: PGPASSWORD.
func endsSecret(word string) bool {
	if owner, is := strings.CutSuffix(word, "PASS"); is && slices.Contains(passOwners, strings.ToLower(owner)) {
		return true
	}
	return slices.ContainsFunc([]string{"SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY"}, func(end string) bool { return strings.HasSuffix(word, end) })
}

// wordsOf are the words of a name in capitals.
func wordsOf(name string) []string {
	words := names.Words(name)
	for i, word := range words {
		words[i] = strings.ToUpper(word)
	}
	return words
}

// isQualifier reports whether a word stands behind the name of one variable of several.
func isQualifier(word string) bool {
	return slices.Contains(followers, strings.ToLower(word)) || digits(word) == len(word)
}

// isHarmlessEnd reports whether the last words of a name are those of a cursor, or of a
// key that names a thing.
func isHarmlessEnd(words []string) bool {
	for n := 2; n <= min(3, len(words)); n++ {
		if end := strings.ToLower(strings.Join(words[len(words)-n:], "")); slices.Contains(harmless, end) || slices.Contains(harmless, strings.TrimSuffix(end, "s")) {
			return true
		}
	}
	return false
}

// isSetting reports whether a value is what settings are and secrets are not: an address,
// a path, a measure, or the name of a method.
func isSetting(value string) bool {
	value = strings.TrimSpace(value)
	if strings.Contains(value, "://") || slices.Contains(methods, strings.ToLower(value)) || isPath(value) || isMeasure(value) {
		return true
	}
	_, err := netip.ParseAddr(value)
	_, withPort := netip.ParseAddrPort(value)
	return err == nil || withPort == nil
}

// isPath reports whether a value is the path of a file: it says where it begins, and has
// more of what parts its names than letters at random do.
func isPath(value string) bool {
	for _, start := range []string{"/", "./", "../", "~/"} {
		if strings.HasPrefix(value, start) {
			return strings.Count(value, "/") > 1+len(value)/longSecret
		}
	}
	return len(value) > 3 && isLetter(value[0]) && value[1:3] == `:\`
}

// isMeasure reports whether a value is a number with its unit: 86400s.
func isMeasure(value string) bool {
	n := digits(value)
	return n > 0 && slices.Contains([]string{"ns", "us", "ms", "s", "m", "h", "d", "w", "y", "sec", "min", "hours", "days", "b", "k", "kb", "mb", "gb", "kib", "mib", "gib", "bytes", "tokens"}, strings.ToLower(strings.TrimSpace(value[n:])))
}

// variable adds what a variable that is a secret gives away: its value, the one behind a
// scheme such as Bearer, the password of user:password, and those of a list one by one.
func variable(list []string, value string) []string {
	list = worthwhile(list, value)
	value = strings.TrimSpace(value)
	list = worthwhile(list, value)
	if scheme, _, has := strings.Cut(value, " "); has && slices.Contains(schemes, strings.ToLower(scheme)) {
		return field(list, "authorization", value)
	}
	var parsed any
	if strings.ContainsAny(value, "[{") && json.Unmarshal([]byte(value), &parsed) == nil {
		return everyText(list, parsed)
	}
	if _, password, ok := strings.Cut(value, ":"); ok && !strings.Contains(value, "://") && !strings.ContainsAny(value, " \t\n") {
		list = worthwhile(list, password)
	}
	if parts := strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ';' }); len(parts) > 1 {
		for _, part := range parts {
			if part = strings.TrimSpace(part); isBareSecret(part) {
				list = worthwhile(list, part)
			}
		}
	}
	return list
}

// everyText adds the texts of a value of JSON that are no names.
func everyText(list []string, value any) []string {
	switch v := value.(type) {
	case string:
		return worthwhile(list, v)
	case []any:
		for _, e := range v {
			list = everyText(list, e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = everyText(list, v[name])
		}
	}
	return list
}
