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

// Shows that what shells and their commands say of a command that is wrong is told from what programs say, and
// that it has to be the last that was written.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		stderr string
		wrong  bool
	}{
		{"jq: error: Could not open file /tmp/out.jsn: No such file or directory\n", true},
		{"jq: error (at <stdin>:1): Cannot index number with \"charge\"\n", true},
		{"grep: out.jsn: No such file or directory\n", true},
		{"p.sh: line 3: jqq: command not found\n", true},
		{"p.sh: 3: jqq: not found\n", true},
		{"p.sh: line 2: BANK: unbound variable\n", true},
		{"asking\np.sh: line 9: syntax error near unexpected token `fi'\n", true},
		{"jq: parse error: Invalid numeric literal at line 1, column 6\n", true},
		{"parse error: Invalid numeric literal at line 1, column 6\n", true},
		{"jq: error: syntax error, unexpected end of file\n.a[\njq: 1 compile error\n", true},
		{"Expecting value: line 1 column 1 (char 0)\n", true},
		{"zsh: command not found: jqq\n", true},
		{"p.sh: line 4: [: -gt: unary operator expected\n", true},
		{"p.sh: line 4: ./send: Permission denied\n", true},
		{"sort: unrecognized option '--nope'\nTry 'sort --help' for more information.\n", true},
		{"curl: option --nope: is unknown\ncurl: try 'curl --help' for more information\n", true},
		{"the answer is no JSON: parse error\n", false},
		{"refused: quota exceeded\n", false},
		{"grep: out.jsn: No such file or directory\ndeclined\n", false},
		{"curl: (22) The requested URL returned error: 402\n", false},
		{"declined: card_declined\n", false},
		{"order 7: not found here\n", false},
		{"", false},
	} {
		if got := broken(c.stderr); (got != "") != c.wrong {
			t.Errorf("%q: %q, want %v", c.stderr, got, c.wrong)
		}
	}
}

// Shows that what runtimes say of a thread, a task or a promise which ended by an exception that
// nobody caught is told from what programs log.
func TestAside(t *testing.T) {
	const python = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in <module>\n    o = json.load(x)\n        ^^^^^^^^^\n"
	for _, c := range []struct{ stderr, want string }{
		{"begins\nException in thread Thread-1 (work):\n" + python + "json.decoder.JSONDecodeError: Expecting value\nends\n", "Exception in thread Thread-1 (work): json.decoder.JSONDecodeError: Expecting value"},
		{"Task exception was never retrieved\nfuture: <Task finished coro=<f()> exception=KeyError('id')>\n" + python + "KeyError: 'id'\n", "Task exception was never retrieved: KeyError: 'id'"},
		{"Future exception was never retrieved\nfuture: <Future finished exception=ValueError()>\nValueError\n", "Future exception was never retrieved"},
		{"Exception in thread \"pool-1\" java.lang.IllegalStateException: no\n\tat A.run(A.java:3)\nbye\n", "Exception in thread \"pool-1\" java.lang.IllegalStateException: no"},
		{"(node:7) UnhandledPromiseRejectionWarning: Error: failed\n    at a.js:3\n", "(node:7) UnhandledPromiseRejectionWarning: Error: failed"},
		{"#<Thread:0x01 a.rb:1 run> terminated with exception (report_on_exception is true):\na.rb:1: failed (RuntimeError)\n", "#<Thread:0x01 a.rb:1 run> terminated with exception (report_on_exception is true):"},
		{"ERROR:root:failed\n" + python + "KeyError: 'id'\n", ""},
		{"the worker says: Exception in thread Thread-1\n", ""},
		{"(node:7) Warning: deprecated\n", ""},
		{"", ""},
	} {
		if got := aside(c.stderr); got != c.want {
			t.Errorf("%q: %q, want %q", c.stderr, got, c.want)
		}
	}
}

// Shows that what a program of a shell says of the exception that ended it is found wherever it
// stands, and that an exception that was logged is none.
func TestAmong(t *testing.T) {
	const python = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in <module>\n    o = json.load(x)\n"
	const node = "file:///a.mjs:3\n  throw new Error('failed');\n        ^\n\nError: failed\n    at file:///a.mjs:3:9\n\nNode.js v22.1.0\n"
	for _, c := range []struct{ stderr, want string }{
		{python + "KeyError: 'id'\n", "KeyError: 'id'"},
		{"begins\n" + python + "KeyError: 'id'\ndone\n", "KeyError: 'id'"},
		{node + "done\n", "Error: failed"},
		{"2026-01-01 ERROR failed\n" + python + "KeyError: 'id'\ndone\n", ""},
		{"failed: KeyError\n", ""},
		{"Traceback (most recent call last):\n", ""},
	} {
		if got := among(c.stderr); got != c.want {
			t.Errorf("%q: %q, want %q", c.stderr, got, c.want)
		}
	}
	for command, want := range map[string]bool{"/bin/sh": true, "bash": true, "./nightly.sh": true, "python3": false, "sshd": false} {
		if got := isShell([]string{command, "x"}); got != want {
			t.Errorf("%s: %t", command, got)
		}
	}
}
