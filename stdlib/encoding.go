package stdlib

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

func encodingFuncs() []Func {
	return []Func{
		describe("jsonencode(value)", "The value as JSON, with sorted keys.", ctystdlib.JSONEncodeFunc, aString, Example{"jsonencode({ b = 1, a = [true] })", `"{\"a\":[true],\"b\":1}"`}),
		describe("jsondecode(text)", "The value of a JSON text.", plainly(boundedJSON(ctystdlib.JSONDecodeFunc)), nil, Example{`jsondecode("{\"a\": [1, null]}")`, "{ a = [1, null] }"}).parses(0, aText),
		describe("yamldecode(text)", "The value of a YAML text of one document.", native(yamlDecode, text("text")), nil, Example{`yamldecode("a: [1, two]")`, `{ a = [1, "two"] }`}).parses(0, aText),
		describe("csvdecode(text)", "A list with an object for each line of a CSV text after the first, which names the attributes.", plainly(boundedCSV(ctystdlib.CSVDecodeFunc)), aTuple, Example{`csvdecode("id,score\na,1")`, `[{ id = "a", score = "1" }]`}).parses(0, aText),
		describe("base64encode(text)", "The text in standard base64.", native(base64Encode, text("text")), aString, Example{`base64encode("ok")`, `"b2s="`}),
		describe("base64decode(text)", "The text that was encoded, which must be UTF-8.", native(base64Decode, text("text")), aString, Example{`base64decode("b2s=")`, `"ok"`}).parses(0, aText),
		describe("urlencode(text)", "The text as part of a query string.", native(urlEncode, text("text")), aString, Example{`urlencode("a b&c")`, `"a+b%26c"`}),
		describe("sha256(text)", "The SHA-256 digest of the text, in hexadecimal.", native(sha256Hex, text("text")), aString, Example{`sha256("")`, `"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"`}),
		describe("sha256canonical(value)", "The SHA-256 digest of the value's canonical JSON: keys sorted, no white space, numbers by value.", native(sha256Canonical, anything("value")), aString, Example{"sha256canonical({ b = 1.0, a = 2 })", `"d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"`}),
		describe("uuidv5(namespace, name)", `The version 5 UUID of a name (RFC 9562) in a namespace: "dns", "url", "oid", "x500" or a UUID.`, native(uuidV5, text("namespace"), text("name")), aString, Example{`uuidv5("dns", "www.example.com")`, `"2ed6657d-e927-568b-95e1-2665a8aea6a2"`}).parses(0, aText, aText),
		describe("jq(value, program)", "The one result of a jq program for the value. Wrap a program that gives several in [ ].", native(runJQ, anything("value"), text("program")), nil, Example{`jq({ a = [{ n = 1 }, { n = 2 }] }, "[.a[].n]")`, "[1, 2]"}).reads(1, readJQ),
	}
}

func base64Encode(args []cty.Value) (cty.Value, error) {
	return cty.StringVal(base64.StdEncoding.EncodeToString([]byte(args[0].AsString()))), nil
}

func base64Decode(args []cty.Value) (cty.Value, error) {
	decoded, err := base64.StdEncoding.DecodeString(args[0].AsString())
	if err != nil {
		return cty.NilVal, function.NewArgErrorf(0, "is no base64: %s", err)
	}
	if !utf8.Valid(decoded) {
		return cty.NilVal, function.NewArgErrorf(0, "decodes to bytes that are no UTF-8 text")
	}
	return cty.StringVal(string(decoded)), nil
}

func urlEncode(args []cty.Value) (cty.Value, error) {
	return cty.StringVal(url.QueryEscape(args[0].AsString())), nil
}

func sha256Hex(args []cty.Value) (cty.Value, error) {
	sum := sha256.Sum256([]byte(args[0].AsString()))
	return cty.StringVal(hex.EncodeToString(sum[:])), nil
}

func sha256Canonical(args []cty.Value) (cty.Value, error) {
	sum := sha256.Sum256(CanonicalJSON(args[0]))
	return cty.StringVal(hex.EncodeToString(sum[:])), nil
}

// The namespaces of RFC 9562, section 6.6.
var namespaces = map[string]string{
	"dns":  "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
	"url":  "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
	"oid":  "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
	"x500": "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
}

func uuidV5(args []cty.Value) (cty.Value, error) {
	given := args[0].AsString()
	if known, ok := namespaces[given]; ok {
		given = known
	}
	space, err := hex.DecodeString(strings.ReplaceAll(given, "-", ""))
	if err != nil || len(space) != 16 {
		return cty.NilVal, function.NewArgErrorf(0, `must be "dns", "url", "oid", "x500" or a UUID`)
	}
	sum := sha1.Sum(append(space, args[1].AsString()...))
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	x := hex.EncodeToString(id)
	return cty.StringVal(x[:8] + "-" + x[8:12] + "-" + x[12:16] + "-" + x[16:20] + "-" + x[20:]), nil
}
