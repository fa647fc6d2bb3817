package drive

import "testing"

// Shows that what Python, Node and Java say last of an exception that nobody caught is told from
// what programs say that end otherwise, also behind a traceback that they logged.
func TestUncaught(t *testing.T) {
	const python = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in <module>\n    o = json.load(x)\n        ^^^^^^^^^\n"
	for _, c := range []struct{ stderr, want string }{
		{python + "urllib.error.HTTPError: HTTP Error 402: Payment Required\n", "urllib.error.HTTPError: HTTP Error 402: Payment Required"},
		{"begins\n" + python + "KeyError: 'id'\n\nDuring handling of the above exception, another exception occurred:\n\n" + python + "ValueError\n", "ValueError"},
		{"/a.mjs:3\n  throw new Error('failed');\n        ^\n\nError: failed\n    at file:///a.mjs:3:9\n    at async main (file:///a.mjs:9:1)\n\nNode.js v22.1.0\n", "Error: failed"},
		{"TypeError: fetch failed\n    at node:internal/deps/undici:1 {\n  [cause]: Error: connect ECONNREFUSED\n      at x\n}\n\nNode.js v22.1.0\n", "TypeError: fetch failed"},
		{"Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat A.main(A.java:3)\nCaused by: java.io.IOException: x\n\t... 1 more\n", "Exception in thread \"main\" java.lang.IllegalStateException: no"},
		{python + "KeyError: 'id'\ngave up\n", ""},
		{"declined: card_declined\n", ""},
		{"Error: declined\n", ""},
		{"", ""},
		{"usage: pay [--key KEY]\npay: error: the following arguments are required: --key\n", ""},
	} {
		if got := uncaught(c.stderr); got != c.want {
			t.Errorf("%q: %q, want %q", c.stderr, got, c.want)
		}
	}
}
