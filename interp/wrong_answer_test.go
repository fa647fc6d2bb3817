package interp

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/providers/wrong"
)

// A wrong answer is what a script with it is, byte for byte but for where it stands: no
// fault strikes, the call gets it, and the next one gets what comes after the answer in
// whose place it was played.
func TestWrongIsScripted(t *testing.T) {
	for family, said := range map[string][4]string{ // right, next; wrong: empty, half
		"llm":  {`content = "abcd"`, `content = "next"`, `content = ""`, `content = "ab"`},
		"http": {`json = { a = 1, b = 2 }`, `json = { c = 3 }`, `json = {}`, `json = { a = 1 }`},
		"mcp":  {`content = "abcd"`, `content = "next"`, `content = ""`, `content = "ab"`},
		"sql":  {`affected = 4`, `affected = 3`, `affected = 0`, `affected = 2`},
	} {
		p := services()[slices.IndexFunc(services(), func(p service) bool { return p.family == family })]
		reply := func(says string) string { return "reply {\n" + says + "\n}\n" }
		for _, c := range []struct {
			n       int
			way     wrong.Way
			entries string
		}{
			{1, wrong.Empty, reply(said[2]) + reply(said[1])},
			{1, wrong.Half, reply(said[3]) + reply(said[1])},
		} {
			injected := Run(mustCompile(t, asksTwice(p, false, reply(said[0])+reply(said[1])))[0], RunOptions{Inject: func(at Point) *Injection {
				if at.N != c.n {
					return nil
				}
				return &Injection{Wrong: c.way}
			}})
			if injected.Injected.Strikes != 1 || injected.Injected.Reply == nil {
				t.Errorf("%s, %s: %+v", family, c.way, injected.Injected)
				continue
			}
			scripted := Run(mustCompile(t, asksTwice(p, false, c.entries))[0], RunOptions{})
			if diff := cmp.Diff(placeless(t, scripted), placeless(t, injected)); diff != "" {
				t.Errorf("%s, %s (- scripted, + injected):\n%s", family, c.way, diff)
			}
		}
	}
}

// An answer is not wrong where nothing is right: before a first answer, in the place of
// a fault, and where it would say the same.
func TestWrongThatCannotBe(t *testing.T) {
	p := services()[slices.IndexFunc(services(), func(p service) bool { return p.family == "llm" })]
	const same = "reply { content = \"a\" }\n"
	for name, c := range map[string]struct {
		entries string
		n       int
		way     wrong.Way
	}{
		"half of a character":  {same + same, 1, wrong.Half},
		"in place of a fault":  {"fault \"connection_reset\" {}\n" + same + same, 1, wrong.Empty},
		"in place of an error": {"fault \"http_error\" { status_code = 503 }\n" + same + same, 1, wrong.Retyped},
	} {
		r := Run(mustCompile(t, asksTwice(p, false, c.entries))[0], RunOptions{Inject: func(at Point) *Injection {
			if at.N != c.n {
				return nil
			}
			return &Injection{Wrong: c.way}
		}})
		if r.Injected.Unfit == "" {
			t.Errorf("%s: %+v: %s", name, r.Injected, told(r))
		}
	}
}

// A wrong answer with a value that must not be shown is played, and not told.
func TestWrongTellsNoSecret(t *testing.T) {
	for text, shown := range map[string]bool{"words that anybody may read": true, "${var.token} in a long text": false} {
		src := asksTwice(services()[0], false, "reply { content = \""+text+"\" }\nreply { content = \"b\" }\n") + `
variable "token" {
  default   = "correct-horse"
  sensitive = true
}`
		r := Run(mustCompile(t, src)[0], RunOptions{Inject: func(at Point) *Injection {
			if at.N != 1 {
				return nil
			}
			return &Injection{Wrong: wrong.Half}
		}})
		if r.Injected.Reply == nil || (r.Injected.Reply.Values != nil) != shown {
			t.Errorf("%s: %+v", text, r.Injected)
		}
	}
}
