package redact

import (
	"slices"
	"strings"
	"sync"
)

// A nameKind says what the name of a member or a parameter tells of its value.
type nameKind int

const (
	// plain tells nothing.
	plain nameKind = iota
	// credential is a secret whatever it is.
	credential
	// The others are secrets where the value looks like one, as the name is used
	// for other things, too.
	secretToken
	// methodOrToken is of names that tell a method as often: authentication.
	methodOrToken
	secretKey
	signature
	shortCode
	shortPass
	pluralSecret
	wholePass
	drawnID
	oneTime
	secretCode
	cardCode
	phrase
	hookURL
	basicPair
)

// secretNames are the names whose values are hidden whatever they are, in lower
// case without underscores and hyphens.
var secretNames = []string{
	"accesskey", "accesskeyid", "accesstoken", "accountkey", "apikey", "apisecret", "apitoken", "authkey", "authorization", "authtoken",
	"awsaccesskeyid", "awssecretaccesskey", "awssessiontoken", "bearer", "bearertoken", "clientsecret", "connectionstring",
	"cookie", "credential", "credentials", "cleapi", "claveapi", "contrasena", "csrftoken", "encryptionkey", "haslo", "idtoken", "jwt", "kennwort", "losenord", "masterkey", "mdp", "motdepasse", "passcode", "passphrase", "passwd",
	"password", "passord", "passwort", "privatekey", "proxyauthorization", "pwd", "refreshtoken", "secret", "senha", "secretaccesskey", "secretanswer", "secretkey", "secretstring", "securityanswer", "serviceaccountkey",
	"sessiontoken", "setcookie", "sharedsecret", "signingkey", "signingsecret", "subscriptionkey", "wachtwoord", "webhooksecret", "xsrftoken",
}

// secretEnds are the ends of names whose values are hidden whatever they are.
var secretEnds = []string{"secret", "password", "passwort", "passwd", "passphrase", "passcode", "apikey", "accesskey", "privatekey", "secretkey", "connectionstring", "accesstoken", "refreshtoken", "cookie", "motdepasse", "passord", "kennwort", "wachtwoord"}

// harmless are names that end like those of secrets, for what a client sends back
// or looks up: cursors, and keys that are the names of things.
var harmless = []string{
	"bostoken", "endtoken", "eostoken", "continuationtoken", "nextpagetoken", "nexttoken", "padtoken", "pagetoken", "prevpagetoken",
	"previouspagetoken", "resumetoken", "starttoken", "stoptoken", "synctoken", "progresstoken", "thoughtsignature",
	"cachekey", "promptcachekey", "foreignkey", "idempotencykey", "objectkey", "partitionkey", "primarykey", "publickey", "routingkey",
	"sortkey", "surrogatekey", "groupkey", "messagekey", "i18nkey",
}

// wholeNames are the names that tell something as a whole.
var wholeNames = sync.OnceValue(func() map[string]nameKind {
	kinds := weighedNames()
	for _, n := range secretNames {
		kinds[n] = credential
	}
	for _, n := range harmless {
		kinds[n] = plain
	}
	return kinds
})

// nameMax is how long a name is at most that tells something.
const nameMax = 64

// kindOf is what a name tells, in any case and with or without underscores and
// hyphens, or the last part of one with dots.
func kindOf(name string) nameKind {
	kind := kindOfPart(name)
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && kind == plain {
		return kindOfPart(name[dot+1:])
	}
	if kind == plain && len(name) > 2 && name[1] == '-' && name[0]|0x20 == 'x' && isVariableField(name) {
		return drawnID
	}
	return kind
}

func kindOfPart(name string) nameKind {
	var buffer [nameMax]byte
	n := 0
	for i := range len(name) {
		c := name[i]
		if c == '_' || c == '-' {
			continue
		}
		if n == nameMax {
			return plain
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buffer[n] = c
		n++
	}
	folded := buffer[:n]
	if n < 2 {
		return plain
	}
	if isDigit(folded[n-1]) {
		digits := 1
		for digits < n && isDigit(folded[n-1-digits]) {
			digits++
		}
		return followed(name, digits)
	}
	switch string(folded[n-2:]) {
	case "ac", "al", "ck", "de", "em", "en", "er", "et", "ey", "ic", "id", "ie", "ig", "in", "ls", "ng", "nk", "on", "pw", "rd", "re", "rl", "rt", "se", "sh", "sk", "ss", "te", "th", "tp", "vc", "vv", "wd", "wt":
	case "at", "ed":
		if isVariableWord(name) {
			return drawnID
		}
		return followed(name, followerOf(folded))
	case "dp", "ha", "lo", "na", "pi": // of names in other languages alone
		if kind := wholeNames()[string(folded)]; kind != plain || !hasGap(name, "senha") && !hasGap(name, "contrasena") {
			return kind
		}
		if hasFoldedSuffix(name, "senha") || hasFoldedSuffix(name, "contrasena") {
			return credential
		}
		return plain
	case "ve":
		if hasFoldedSuffix(name, "clave") && (n == len("clave") || hasGap(name, "clave")) { // of Spanish
			return shortPass
		}
		return followed(name, followerOf(folded))
	case "ev", "ew", "fy", "ld", "lt", "nt", "od", "ox", "pe", "rm", "ro", "rw", "ry", "st", "us":
		return followed(name, followerOf(folded))
	case "ds", "es", "ns", "rs", "ts", "ys":
		switch kindOfPart(name[:len(name)-1]) {
		case credential, secretToken, methodOrToken, secretKey:
			return pluralSecret
		case secretCode:
			return secretCode
		case drawnID:
			if isVariableWord(name[:len(name)-1]) {
				return drawnID
			}
		}
		return plain
	default:
		return plain // no name that tells something ends so
	}
	if kind, known := wholeNames()[string(folded)]; known {
		return kind
	}
	last := folded[n-1]
	ends := func(end string) bool {
		return n >= len(end) && end[len(end)-1] == last && string(folded[n-len(end):]) == end
	}
	switch {
	case slices.ContainsFunc(secretEnds, ends):
		return credential
	case ends("token"), ends("jwt"):
		return secretToken
	case ends("authentication"):
		return methodOrToken
	case ends("idempotencykey"):
		return plain
	case ends("key") && n > len("key"):
		return secretKey
	case hasFoldedSuffix(name, "-sig"), hasFoldedSuffix(name, "-session"), hasFoldedSuffix(name, "-session-id"): // as fields are called
		return drawnID
	case hasFoldedSuffix(name, "-auth"), hasFoldedSuffix(name, "-authorization"):
		return methodOrToken
	case hasFoldedSuffix(name, "-credential"), hasFoldedSuffix(name, "-credentials"), hasFoldedSuffix(name, "-pwd"):
		return secretToken
	case ends("signature"):
		return signature
	case ends("pass") && (hasGap(name, "pass") || slices.Contains(passOwners, string(folded[:n-len("pass")]))), ends("pw") && hasGap(name, "pw"), ends("pwd") && hasGap(name, "pwd"):
		return shortPass
	case ends("otp") && hasGap(name, "otp"), ends("totp") && hasGap(name, "totp"):
		return oneTime
	case ends("pin") && hasGap(name, "pin"):
		return shortCode
	case isVariableWord(name):
		return drawnID
	}
	return followed(name, followerOf(folded))
}

// variableWords are the words that hide a variable of the environment, and other names that
// are or end with them if the value is one that a program drew.
var variableWords = []string{"pat", "cred", "unseal", "passe"}

func isVariableWord(name string) bool {
	if c := name[len(name)-1] | 0x20; c != 't' && c != 'd' && c != 'l' && c != 'e' {
		return false
	}
	for _, w := range variableWords {
		if at := len(name) - len(w); at >= 0 && name[at]|0x20 == w[0] && strings.EqualFold(name[at:], w) && (at == 0 || hasGap(name, w)) {
			return true
		}
	}
	return false
}

// passOwners are what stands before pass in a name without a gap: SSHPASS.
var passOwners = []string{"db", "pg", "ssh", "mysql", "redis", "smtp", "ftp", "mail", "ldap", "root", "admin", "user", "key", "store"}

// followers are the words behind the name of one secret of several, or of one that is
// given again: password_confirmation, api_key_old.
var followers = []string{
	"confirmation", "production", "confirm", "confirmed", "repeated", "repeat", "retype", "again", "verify", "prod", "dev", "development", "current", "staging", "test", "live", "sandbox", "base", "old", "new", "previous",
	"primary", "secondary", "default", "ro", "rw",
}

// followerOf is how long such a word is at the end of a name without underscores and
// hyphens, 0 for none.
func followerOf(folded []byte) int {
	switch string(folded[len(folded)-2:]) {
	case "at", "ed", "ev", "ew", "fy", "in", "ld", "lt", "ng", "nt", "od", "on", "ox", "pe", "rm", "ro", "rw", "ry", "se", "st", "us", "ve":
	default:
		return 0
	}
	if len(folded) < len("pwro") {
		return 0
	}
	for _, word := range followers {
		if at := len(folded) - len(word); at > 0 && folded[at] == word[0] && string(folded[at:]) == word {
			return len(word)
		}
	}
	return 0
}

// followed is what a name tells without so many letters or digits at its end, where that
// is the same for each of several.
func followed(name string, letters int) nameKind {
	end := len(name)
	for ; letters > 0; end-- {
		if c := name[end-1]; c != '_' && c != '-' {
			letters--
		}
	}
	if end == len(name) {
		return plain
	}
	switch kind := kindOfPart(strings.TrimRight(name[:end], "_-")); kind {
	case credential, secretToken, methodOrToken, secretKey, shortPass, wholePass, pluralSecret, secretCode:
		return kind
	}
	return plain
}

// hasGap reports whether a name ends with a word of its own.
func hasGap(name, word string) bool {
	at := len(name) - len(word)
	return at > 0 && (name[at-1] == '_' || name[at-1] == '-' || 'A' <= name[at] && name[at] <= 'Z' && name[at-1] >= 'a')
}

// IsSecretName reports whether values of this name are hidden whatever they are:
// access_token, client_secret, api_key, password and the like, in any case and
// with or without underscores.
func IsSecretName(name string) bool { return kindOf(name) == credential }

// IsSecretMember reports whether a text under this name is hidden: under one that
// [IsSecretName] knows any, under token, api_key_2, signature or pin one that looks
// like it.
func IsSecretMember(name, value string) bool { return kindOf(name).hides(value) }

// hides reports whether a text under a name of this kind is hidden.
func (k nameKind) hides(value string) bool {
	return k == credential || k != plain && k.fits(value)
}

// hidesNumber is [nameKind.hides] for a number.
func (k nameKind) hidesNumber(number string) bool {
	return k == credential || k.isCode() && k.fits(number)
}

// fits reports whether a value looks like the secret that its name may be of.
func (k nameKind) fits(value string) bool {
	if k == phrase {
		return isSeedPhrase(value) || isDrawn(value)
	}
	if strings.ContainsAny(value, " \t\r\n") || IsPlaceholder(value) {
		return false
	}
	switch k {
	case credential:
		return value != ""
	case secretToken:
		return isBareSecret(value) && !isTechnical(value) || methodOrToken.fits(value)
	case methodOrToken:
		return len(value) >= 12 && !isWord(value)
	case secretKey:
		return len(value) >= 16 && !isWord(value) && !isUUID(value) && bits(value) >= 3.3
	case signature:
		// Longer ones are what models sign their thoughts with: no credential, and
		// asked for again with the next request.
		return len(value) >= 20 && len(value) <= 128 && !isWord(value) && bits(value) >= 3
	case shortPass:
		return isBareSecret(value)
	case pluralSecret:
		return len(value) >= 12 && isBareSecret(value) && isRandom(value)
	case shortCode:
		return len(value) >= ShortestSecret && digits(value) == len(value)
	}
	return k.weighs(value)
}

// isWord reports whether a value has only letters of one case, with signs between
// them: an identifier that somebody thought of.
func isWord(value string) bool {
	upper, lower := false, false
	for i := range len(value) {
		c := value[i]
		switch {
		case isDigit(c):
			return false
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z':
			lower = true
		}
	}
	return !(upper && lower) && len(value) < 40
}

// isUUID reports whether a value is written as RFC 9562 writes ids.
func isUUID(value string) bool {
	if len(value) != 36 {
		return false
	}
	for i := range len(value) {
		if c := value[i]; (i == 8 || i == 13 || i == 18 || i == 23) != (c == '-') || c != '-' && !isHex(strings.ToLower(value[i:i+1])) {
			return false
		}
	}
	return true
}
