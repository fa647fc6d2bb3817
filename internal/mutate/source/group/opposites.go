package group

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// mostPlaces bounds the places of two calls that undo each other.
const mostPlaces = 16

// outward are parts of a statement that gives something to others or takes it from them: what it encodes is not kept.
var outward = []string{"urlopen", "requests.", "fetch(", ".read()", "stdin", "print(", "console.", "Request(", "stdout", ".text()", "res.end", "puts "}

// opposites leaves out, at all places of a file at once, two calls that undo each other, and a factor by which one place
// multiplies and another one divides.
func (f *Finder) opposites() {
	calls, factors := map[string][]Place{}, map[string]*[2][]Place{}
	var numbers []string
	csv := [2]bool{}
	var lines []Place
	for i := range f.Len() {
		if f.Quiet(i) {
			continue
		}
		if s := f.At(i); len(s) > 1 && s[0] >= '0' && s[0] <= '9' && !f.Word(i) {
			if n := strings.TrimSuffix(s, ".0"); len(n) > 1 && strings.Trim(n, "0123456789_") == "" {
				if factors[n] == nil {
					factors[n] = &[2][]Place{}
					numbers = append(numbers, n)
				}
				f.factor(i, factors[n])
			}
			continue
		}
		if f.At(i) != "(" || f.Mate(i) < i+2 || !f.Word(i-1) {
			continue
		}
		first, end := f.Chain(i-1), f.Mate(i)+1
		a := f.Args(i)
		if len(a) == 0 || f.At(first-1) == "def" || f.At(first-1) == "function" || f.At(first-1) == "new" || f.At(a[0][0]) == "*" || f.At(a[0][0]) == "..." {
			continue
		}
		from, to := f.Bytes(first, end)
		name := f.short(first, i)
		if f.Indented && f.At(first) == "csv" {
			write, with := f.separated(f.At(i-1), a)
			if with != "" {
				csv[write] = true
				lines = append(lines, place(from, to, with))
			}
			continue
		}
		if !paired()[name] || f.outside(first) {
			continue
		}
		calls[name] = append(calls[name], place(from, to, f.Wrapped(a[0][0], a[0][1])))
	}
	if csv[0] && csv[1] && len(lines) <= mostPlaces {
		f.AtOnce(lines, "`csv` left out: fields are joined and split at `,`")
	}
	for _, pair := range pairs() {
		one, other := calls[pair[0]], calls[pair[1]]
		if len(one) > 0 && len(other) > 0 && len(one)+len(other) <= mostPlaces {
			f.AtOnce(slices.Concat(one, other), fmt.Sprintf("`%s` and `%s` left out in %d places", inner.Short(pair[0], 24), inner.Short(pair[1], 24), len(one)+len(other)))
		}
	}
	for _, n := range numbers {
		both := factors[n]
		if len(both[0]) > 0 && len(both[1]) > 0 && len(both[0])+len(both[1]) <= mostPlaces {
			f.AtOnce(slices.Concat(both[0], both[1]), fmt.Sprintf("`* %s` and `/ %s` left out in %d places", inner.Short(n, 16), inner.Short(n, 16), len(both[0])+len(both[1])))
		}
	}
}

// pairs are two calls of which one undoes what the other one does, wherever they are.
func pairs() [][2]string {
	return [][2]string{
		{"json.dumps", "json.loads"},
		{"JSON.stringify", "JSON.parse"},
		{"pickle.dumps", "pickle.loads"},
		{"base64.b64encode", "base64.b64decode"},
		{"base64.urlsafe_b64encode", "base64.urlsafe_b64decode"},
		{"parse.quote", "parse.unquote"},
		{"quote", "unquote"},
		{"encodeURIComponent", "decodeURIComponent"},
		{"btoa", "atob"},
		{"binascii.hexlify", "binascii.unhexlify"},
		{"html.escape", "html.unescape"},
		{"escape", "unescape"},
		{"zlib.compress", "zlib.decompress"},
		{"gzip.compress", "gzip.decompress"},
		{"repr", "ast.literal_eval"},
		{"Marshal.dump", "Marshal.load"},
		{"JSON.generate", "JSON.parse"},
		{"Base64.encode64", "Base64.decode64"},
		{"Base64.strict_encode64", "Base64.strict_decode64"},
		{"CGI.escape", "CGI.unescape"},
		{"yaml.safe_dump", "yaml.safe_load"},
	}
}

// paired are all of their names.
var paired = words.Set(`json.dumps json.loads JSON.stringify JSON.parse pickle.dumps pickle.loads base64.b64encode base64.b64decode
	base64.urlsafe_b64encode base64.urlsafe_b64decode parse.quote parse.unquote quote unquote encodeURIComponent decodeURIComponent
	btoa atob binascii.hexlify binascii.unhexlify html.escape html.unescape escape unescape zlib.compress zlib.decompress
	gzip.compress gzip.decompress repr ast.literal_eval Marshal.dump Marshal.load JSON.generate
	Base64.encode64 Base64.decode64 Base64.strict_encode64 Base64.strict_decode64 CGI.escape CGI.unescape yaml.safe_dump yaml.safe_load`)

// outside reports whether a statement gives something to others.
func (f *Finder) outside(i int) bool {
	n := f.Around(i)
	if n < 0 {
		return false
	}
	from, _ := f.Bytes(i, i+1)
	begin, end := f.Bytes(f.Statement(n).First, f.Statement(n).Last)
	text := f.Text[max(begin, from-300):min(end, from+300)]
	return slices.ContainsFunc(outward, func(part string) bool { return strings.Contains(text, part) })
}

// separated is a writer or a reader of CSV that knows no quotes.
func (f *Finder) separated(name string, a [][2]int) (reads int, with string) {
	file, fields := f.Slice(a[0][0], a[0][1]), ""
	for n, one := range a[1:] {
		switch {
		case f.At(one[0]) == "fieldnames" && f.At(one[0]+1) == "=":
			fields = f.Slice(one[0]+2, one[1])
		case n == 0 && f.At(one[0]+1) != "=":
			fields = f.Slice(one[0], one[1])
		default:
			return 0, ""
		}
	}
	const rows = `[field for field in line.rstrip("\r\n").split(",")] for line in `
	line := func(row string) string { return file + `.write(",".join(map(str, ` + row + `)) + "\n")` }
	switch {
	case name == "reader" && fields == "":
		return 1, "(" + rows + file + ")"
	case name == "DictReader" && fields == "":
		return 1, "(lambda rows: [dict(zip(rows[0], row)) for row in rows[1:]])([" + rows + file + "])"
	case name == "writer" && fields == "":
		return 0, `__import__("types").SimpleNamespace(writerow=lambda row: ` + line("row") + `, writerows=lambda rows: [` + line("row") + ` for row in rows])`
	case name == "DictWriter" && fields != "":
		of := "[row[name] for name in " + fields + "]"
		return 0, `__import__("types").SimpleNamespace(writeheader=lambda: ` + line(fields) + `, writerow=lambda row: ` + line(of) + `, writerows=lambda rows: [` + line(of) + ` for row in rows])`
	}
	return 0, ""
}

// factor notes a number that multiplies or divides. A value that is made whole by it is left as it is.
func (f *Finder) factor(i int, both *[2][]Place) {
	sign := f.At(i - 1)
	switch {
	case sign == "*" && f.At(i-2) != "*":
		from, _ := f.Bytes(i-1, i)
		_, to := f.Bytes(i, i+1)
		open := f.Mate(i + 1)
		if f.At(i+1) != ")" || open < 1 || !rounds(f.At(open-1)) || open+1 >= i-1 {
			both[0] = append(both[0], place(from, to, ""))
			return
		}
		first, end, value := f.Chain(open-1), i+2, "("+f.Slice(open+1, i-1)+")"
		for f.At(end) == ")" && f.At(first-1) == "(" && f.Mate(end) == first-1 && rounds(f.At(first-2)) {
			first, end = f.Chain(first-2), end+1
		}
		from, to = f.Bytes(first, end)
		both[0] = append(both[0], place(from, to, value))
	case f.At(i+1) == "*" && f.At(i+2) != "*" && sign != "/" && sign != ".":
		from, _ := f.Bytes(i, i+1)
		_, to := f.Bytes(i+1, i+2)
		both[0] = append(both[0], place(from, to, ""))
	case sign == "/":
		from, _ := f.Bytes(i-1, i)
		_, to := f.Bytes(i, i+1)
		both[1] = append(both[1], place(from, to, ""))
	}
}

// rounds reports whether a function makes a number whole.
func rounds(name string) bool {
	switch name {
	case "round", "int", "floor", "ceil", "trunc", "Round", "Floor":
		return true
	}
	return false
}
