package stdlib

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/scenario-lang/scenario/failure"
)

func stringFuncs() []Func {
	return []Func{
		describe("upper(text)", "The text in upper case.", ctystdlib.UpperFunc, aString, Example{`upper("ok")`, `"OK"`}).ofWords(),
		describe("lower(text)", "The text in lower case.", ctystdlib.LowerFunc, aString, Example{`lower("OK")`, `"ok"`}).ofWords(),
		describe("title(text)", "The text with the first letter of each word in upper case.", ctystdlib.TitleFunc, aString, Example{`title("two words")`, `"Two Words"`}).ofWords(),
		describe("trim(text, characters)", "The text without any of the characters at its start and end.", ctystdlib.TrimFunc, aString, Example{`trim("--ok-", "-")`, `"ok"`}).ofWords(),
		describe("trimspace(text)", "The text without white space at its start and end.", ctystdlib.TrimSpaceFunc, aString, Example{`trimspace(" ok\n")`, `"ok"`}).ofWords(),
		describe("trimprefix(text, prefix)", "The text without the prefix, if it starts with it.", ctystdlib.TrimPrefixFunc, aString, Example{`trimprefix("gpt-4o", "gpt-")`, `"4o"`}).ofWords(),
		describe("trimsuffix(text, suffix)", "The text without the suffix, if it ends with it.", ctystdlib.TrimSuffixFunc, aString, Example{`trimsuffix("a.json", ".json")`, `"a"`}).ofWords(),
		describe("chomp(text)", "The text without newlines at its end.", ctystdlib.ChompFunc, aString, Example{`chomp("ok\n")`, `"ok"`}).ofWords(),
		describe("indent(spaces, text)", "The text with every line but the first moved to the right, by at most 1,000 spaces.", boundedIndent(ctystdlib.IndentFunc), aString, Example{`indent(2, "a\nb")`, `"a\n  b"`}).bounds([]int{0}, cty.Zero, aText),
		describe("split(separator, text)", "The parts of the text between the separators.", plainly(boundedSplit(ctystdlib.SplitFunc)), someTexts, Example{`split(",", "a,b")`, `["a", "b"]`}),
		describe("join(separator, texts, …)", "The strings of one or more lists with the separator between them.", plainly(boundedJoin(ofTexts(ctystdlib.JoinFunc))), joined, Example{`join("-", ["a", "b"])`, `"a-b"`}).between(2, Unlimited),
		describe("replace(text, part, replacement)", "The text with every occurrence of a part replaced. A part between slashes, such as `/[0-9]+/`, is a regular expression, and $1 in the replacement its first group.", native(replace, text("text"), text("part"), text("replacement")), aString, Example{`replace("a-b-c", "-", "+")`, `"a+b+c"`}, Example{`replace("run 12", "/[0-9]+/", "N")`, `"run N"`}).ofWords().reads(1, readPart),
		describe("regex(pattern, text)", "The first match of a regular expression (RE2): the text of it, or a list of its groups, or an object of its named groups. It is an error where there is none.", plainly(ctystdlib.RegexFunc), nil, Example{`regex("[0-9]+", "retry in 30 s")`, `"30"`}).meets(aPattern).reads(0, readPattern),
		describe("regexall(pattern, text)", "A list of all matches of a regular expression, each like the result of regex.", plainly(boundedMatches(ctystdlib.RegexAllFunc)), aTuple, Example{`regexall("[a-z]", "a1b")`, `["a", "b"]`}).meets(aPattern).reads(0, readPattern),
		describe("regexmatch(pattern, text)", "Whether a regular expression (RE2) matches somewhere in the text.", native(regexMatch, text("pattern"), text("text")), aBool, Example{`regexmatch("^Ray", "Rayleigh scattering")`, "true"}).meets(aPattern).reads(0, readPattern),
		describe("startswith(text, prefix)", "Whether the text starts with the prefix.", native(twoTexts(strings.HasPrefix), text("text"), text("prefix")), aBool, Example{`startswith("gpt-4o", "gpt")`, "true"}).meets(aWord(strings.HasPrefix, "begins with")),
		describe("endswith(text, suffix)", "Whether the text ends with the suffix.", native(twoTexts(strings.HasSuffix), text("text"), text("suffix")), aBool, Example{`endswith("a.json", ".json")`, "true"}).meets(aWord(strings.HasSuffix, "ends with")),
		describe("strcontains(text, part)", "Whether the text contains the part, letter by letter.", native(twoTexts(strings.Contains), text("text"), text("part")), aBool, Example{`strcontains("scattering", "cat")`, "true"}).meets(aWord(strings.Contains, "contains")),
		describe("word(text, phrase, …)", "Whether the text contains one of the phrases as whole words, ignoring case. Unlike strcontains it does not find `cat` in `scattering`.", nativeRest(word, restOfTexts("phrase"), text("text")), aBool, Example{`word("Rate limit reached", "rate limit")`, "true"}, Example{`word("scattering", "cat")`, "false"}).between(2, Unlimited).meets(aPhrase),
		describe("substr(text, offset, length)", "The part of the text from an offset; a negative offset counts from the end, the length -1 means all the rest.", ctystdlib.SubstrFunc, aString, Example{`substr("rayleigh", 0, 3)`, `"ray"`}).bounds([]int{1}, aText, cty.Zero, cty.Zero).bounds([]int{2}, aText, cty.Zero, cty.Zero),
		describe("format(pattern, value, …)", "The values written by a pattern such as `%s took %d ms` or `%.2f`.", boundedFormat(ctystdlib.FormatFunc, false), written, Example{`format("%s took %d ms", "answer", 12)`, `"answer took 12 ms"`}).reads(0, readFormat),
		describe("formatlist(pattern, values, …)", "A list of strings, one for each element of the lists among the values.", plainly(boundedFormat(ctystdlib.FormatListFunc, true)), someTexts, Example{`formatlist("step-%s", ["a", "b"])`, `["step-a", "step-b"]`}).reads(0, readFormat),
		describe("strrev(text)", "The text backwards.", ctystdlib.ReverseFunc, aString, Example{`strrev("abc")`, `"cba"`}).ofWords(),
	}
}

func restOfTexts(name string) *function.Parameter {
	p := text(name)
	return &p
}

//go:noinline
func twoTexts(f func(a, b string) bool) func([]cty.Value) (cty.Value, error) {
	return func(args []cty.Value) (cty.Value, error) {
		return cty.BoolVal(f(args[0].AsString(), args[1].AsString())), nil
	}
}

func word(args []cty.Value) (cty.Value, error) {
	phrases := make([]string, 0, len(args)-1)
	for _, p := range args[1:] {
		phrases = append(phrases, p.AsString())
	}
	return cty.BoolVal(failure.Word(args[0].AsString(), phrases...)), nil
}

func regexMatch(args []cty.Value) (cty.Value, error) {
	re, err := compileRegexp(args[0].AsString(), 0)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.BoolVal(re.MatchString(args[1].AsString())), nil
}

func compileRegexp(pattern string, arg int) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, function.NewArgErrorf(arg, "is no regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	return re, nil
}

// maxText bounds a text that a function builds out of a smaller one.
const maxText = 16 << 20

func replace(args []cty.Value) (cty.Value, error) {
	text, part, replacement := args[0].AsString(), args[1].AsString(), args[2].AsString()
	places := strings.Count(text, part)
	isPattern := len(part) > 1 && strings.HasPrefix(part, "/") && strings.HasSuffix(part, "/")
	if isPattern {
		places = utf8.RuneCountInString(text) + 1
	}
	if len(replacement) > 0 && places > maxText/len(replacement) {
		return cty.NilVal, function.NewArgErrorf(2, "makes the result longer than 16 MiB")
	}
	if !isPattern {
		return cty.StringVal(strings.ReplaceAll(text, part, replacement)), nil
	}
	re, err := compileRegexp(part[1:len(part)-1], 1)
	if err != nil {
		return cty.NilVal, err
	}
	return cty.StringVal(re.ReplaceAllString(text, replacement)), nil
}

const maxIndent = 1000

// guarded checks the arguments of f before it is called.
func guarded(f function.Function, check func(args []cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := check(unmarked(args)); err != nil {
				return cty.NilType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

func unmarked(args []cty.Value) []cty.Value {
	bare := make([]cty.Value, len(args))
	for i, a := range args {
		bare[i], _ = a.UnmarkDeep()
	}
	return bare
}
