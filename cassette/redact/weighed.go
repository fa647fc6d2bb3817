package redact

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"
)

// weighedNames are the names that tell something as a whole, and of which values are
// secrets that look like one: without underscores and hyphens.
func weighedNames() map[string]nameKind {
	return map[string]nameKind{
		"sig": signature, "pin": shortCode, "pass": wholePass, "sessionid": drawnID, "jsessionid": drawnID, "phpsessid": drawnID, "aspnetsessionid": drawnID, "connectsid": drawnID, "sessid": drawnID, "otp": oneTime, "totp": oneTime,
		"authcode": secretCode, "authorizationcode": secretCode, "mfacode": secretCode, "otpcode": secretCode, "totpcode": secretCode,
		"recoverycode": secretCode, "backupcode": secretCode, "verificationcode": secretCode, "pw": shortPass,
		"cvv": cardCode, "cvc": cardCode, "mnemonic": phrase, "seedphrase": phrase, "recoveryphrase": phrase, "webhookurl": hookURL, "auth": basicPair,
		"codeverifier": drawnID, "devicecode": drawnID, "assertion": drawnID, "clientassertion": drawnID, "hmac": drawnID, "signing": drawnID, "encryption": drawnID,
		"magic": drawnID, "magiclink": hookURL, "session": drawnID, "refresh": drawnID, "invite": drawnID, "invitecode": secretCode, "license": drawnID, "licence": drawnID, "unlock": drawnID, "unlockcode": secretCode, "master": drawnID,
		"psk": shortPass, "hmackey": shortPass, "sessionkey": shortPass, "webhookkey": shortPass, "licensekey": shortPass, "licencekey": shortPass, "appkey": shortPass, "applicationkey": shortPass,
		"privatekeypem": shortPass, "oauthverifier": shortPass, "pincode": shortPass, "passwordhash": shortPass,
	}
}

// isCode reports whether values of the kind may be digits alone.
func (k nameKind) isCode() bool {
	return k == shortCode || k == oneTime || k == secretCode || k == cardCode
}

// isCut reports whether the beginning of a value, of which a message leaves out the
// rest, is taken for that of a secret.
func (k nameKind) isCut() bool {
	return k == secretToken || k == methodOrToken || k == secretKey || k == signature
}

// weighs is [nameKind.fits] for the kinds that are weighed by what the value is made of.
func (k nameKind) weighs(value string) bool {
	switch k {
	case wholePass:
		return isBareSecret(value) && !isTally(value) && !startsFolded(value, "test")
	case drawnID:
		return isDrawn(value)
	case oneTime:
		return shortCode.fits(value) || isBareSecret(value) && !isNumbered(value)
	case secretCode:
		return shortCode.fits(value) || isBareSecret(value)
	case cardCode:
		return digits(value) == len(value) && (len(value) == 3 || len(value) == 4) || isDrawn(value)
	case hookURL:
		return isDrawn(value) || hasDrawnPart(value)
	case basicPair:
		return isBasicPair(value)
	}
	return false
}

func startsFolded(text, start string) bool {
	return len(text) >= len(start) && strings.EqualFold(text[:len(start)], start)
}

// isDrawn reports whether a value is one that a program drew: long, of letters and
// digits, and neither an id as RFC 9562 has it nor words with numbers behind them.
func isDrawn(value string) bool {
	return len(value) >= longSecret && isBareSecret(value) && !strings.ContainsAny(value, " \t\r\n") && !strings.Contains(value, "://") && !isUUID(value) &&
		(isRandom(value) || !isNumbered(value))
}

// isNumbered reports whether in a value no letter follows a digit: order-2024-17.
func isNumbered(value string) bool {
	for i := 1; i < len(value); i++ {
		if isDigit(value[i-1]) && isLetter(value[i]) {
			return false
		}
	}
	return true
}

// tallied are what is counted and measured where something passes.
var tallied = []string{"ns", "us", "ms", "s", "m", "h", "sec", "min", "passed", "failed", "tests"}

// isTally reports whether a value is a number, with dots or a slash in it, and what it
// counts: 12.5ms, 12/14passed.
func isTally(value string) bool {
	rest := strings.TrimLeft(value, "0123456789./%")
	return rest != value && slices.Contains(tallied, strings.ToLower(rest))
}

// isSeedPhrase reports whether a value has as many words as the phrases of wallets, and
// of the length that those have (BIP-39).
func isSeedPhrase(value string) bool {
	n := 0
	for word := range strings.FieldsSeq(value) {
		if len(word) < 3 || len(word) > 8 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" {
			return false
		}
		n++
	}
	return n >= 12 && n <= 24 && n%3 == 0
}

// hasDrawnPart reports whether a part of the path or the query of a URL is drawn.
func hasDrawnPart(raw string) bool {
	_, rest, ok := strings.Cut(raw, "://")
	if !ok {
		return false
	}
	_, rest, _ = strings.Cut(rest, "/")
	return slices.ContainsFunc(strings.FieldsFunc(rest, func(c rune) bool { return strings.ContainsRune("/?&=#", c) }), isDrawn)
}

// isBasicPair reports whether a value is user:password in Base64, as Docker keeps them.
func isBasicPair(value string) bool {
	plain, err := base64.StdEncoding.DecodeString(value)
	if err != nil || len(plain) < shortestBare || !utf8.Valid(plain) || slices.ContainsFunc(plain, func(c byte) bool { return c < ' ' || c == 0x7f }) {
		return false
	}
	user, password, ok := strings.Cut(string(plain), ":")
	return ok && user != "" && password != ""
}

// technical are words with digits that name a type, a form or a method. A token of a model or
// of a grammar may be one, and no token of an account is.
var technical = []string{"base32", "base58", "base64", "ed25519", "float16", "float32", "float64", "oauth1", "oauth2", "sha224", "sha256", "sha384", "sha512", "uint16", "uint32", "uint64", "aes128", "aes256"}

func isTechnical(value string) bool {
	return len(value) < 8 && slices.Contains(technical, strings.ToLower(value))
}
