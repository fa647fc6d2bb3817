package layout

import (
	"bytes"
	"testing"
)

// White space becomes that of the one style, and nothing else changes.
func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"indentation", "on \"a\" {\nreply {\ncontent=\"x\"\n}\n}\n", "on \"a\" {\n  reply {\n    content = \"x\"\n  }\n}\n"},
		{"alignment", "a = 1\nlonger = 2 # why\n\nb = 3\n", "a      = 1\nlonger = 2 # why\n\nb = 3\n"},
		{"the end", "a = 1\n\n\n", "a = 1\n"},
		{"no newline", "a = 1", "a = 1\n"},
		{"comment at the end", "a = 1 # c", "a = 1 # c\n"},
		{"carriage returns", "a = 1\r\nbc = 2\r\n", "a  = 1\r\nbc = 2\r\n"},
		{"some carriage returns", "a = 1\r\nbc = 2\n", "a  = 1\nbc = 2\n"},
		{"empty", "", ""},
		{"only white space", " \n\n", ""},
		{"heredoc", "a = <<EOT\n  keep   \n\nEOT\n\n", "a = <<EOT\n  keep   \n\nEOT\n"},
		{"template", "a=\"${ b }  %{if c}x%{endif}\"\n", "a = \"${b}  %{if c}x%{endif}\"\n"},
		{"unfinished heredoc", "a = <<EOT\nkeep\n\n", "a = <<EOT\nkeep\n\n"},
	} {
		got := Format([]byte(c.src))
		if string(got) != c.want {
			t.Errorf("%s: Format(%q) =\n%q, want\n%q", c.name, c.src, got, c.want)
		}
	}
}

// Format of its own result changes nothing, and it never changes, adds or
// takes away anything but white space.
func FuzzFormat(f *testing.F) {
	f.Add([]byte("on \"a\" {\nreply { content=\"x\" }\n}\n"))
	f.Add([]byte("a = [\n1,2\n] # c\n/* d */ b = f(\n x...)\r\n"))
	f.Add([]byte("a = <<-EOT\n  ${b}\n  EOT\n"))
	f.Add([]byte("a = { b : 1, \"c\" = [for x in y : x if !z] }\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4000 {
			return
		}
		once := Format(src)
		if twice := Format(once); !bytes.Equal(once, twice) {
			t.Fatalf("%q\nbecomes %q\nand then %q", src, once, twice)
		}
		if !sameTokens(src, once) {
			t.Fatalf("%q becomes %q", src, once)
		}
	})
}
