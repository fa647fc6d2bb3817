package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/words"
	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	// models and commands are what reads annotations of classes, and of functions, when a program runs.
	models   = pattern.New(`\b(?:BaseModel|BaseSettings|TypeAdapter|get_type_hints|__annotations__|msgspec|cattrs|pydantic|fields\()`)
	commands = pattern.New(`\b(?:typer|fastapi|FastAPI|validate_call)\b`)
	// taken are types with those that are taken for them.
	taken = words.Pairs(`int str float int Decimal float date str datetime str bool str UUID str EmailStr str HttpUrl str PositiveInt int NonNegativeInt int
		StrictInt int StrictStr str StrictBool bool PositiveFloat float`)
)

// annotations changes the types that something reads when the program runs.
func (f *finder) annotations() {
	ofClass, ofFunction := models().MatchString(f.Text), commands().MatchString(f.Text)
	if !ofClass && !ofFunction {
		return
	}
	for n := 0; n < f.statements() && !f.full(); n++ {
		s := f.Statement(n)
		switch {
		case s.Head && ofFunction && (f.At(s.First) == "def" || f.At(s.First) == "async"):
			for i := s.First; i < s.Last; i++ {
				if f.At(i) != "(" || f.Mate(i) < i {
					continue
				}
				for _, a := range f.Args(i) {
					if f.Word(a[0]) && f.At(a[0]+1) == ":" {
						f.annotation(a[0]+2, f.sign(a[0]+2, a[1]))
					}
				}
				break
			}
		case !s.Head && ofClass && s.Scope == 0 && s.First+2 < s.Last && f.Word(s.First) && f.At(s.First+1) == ":" && f.margin(s.First):
			f.annotation(s.First+2, f.sign(s.First+2, s.Last))
		}
	}
}

// sign is the = among tokens, or their end.
func (f *finder) sign(first, last int) int {
	for i := first; i < last; i++ {
		if m := f.Mate(i); m > i {
			i = m
		} else if f.At(i) == "=" {
			return i
		}
	}
	return last
}

// margin reports whether a statement is indented.
func (f *finder) margin(i int) bool {
	from, _ := f.Bytes(i, i+1)
	return from > 0 && (f.Text[from-1] == ' ' || f.Text[from-1] == '\t')
}

// annotation changes a type.
func (f *finder) annotation(first, last int) {
	if first >= last {
		return
	}
	from, to := f.Bytes(first-2, last)
	for i := first; i < last; i++ {
		a, b := f.Bytes(i, i+1)
		switch {
		case f.Word(i) && taken()[f.At(i)] != "" && f.At(i+1) != "." && f.At(i-1) != ".":
			f.put(a, b, taken()[f.At(i)], from, to)
			if f.At(i) == "int" {
				f.put(a, b, "float", from, to)
			}
			return
		case (f.At(i) == "Optional" || f.At(i) == "Annotated") && f.At(i+1) == "[" && len(f.Args(i+1)) > 0:
			one := f.Args(i + 1)[0]
			a, b = f.Bytes(i, f.Mate(i+1)+1)
			f.put(a, b, f.Slice(one[0], one[1]), from, to)
			return
		case f.At(i) == "Literal" && f.At(i+1) == "[":
			a, b = f.Bytes(i, f.Mate(i+1)+1)
			f.put(a, b, "str", from, to)
			return
		}
		if f.At(i+1) == "|" && f.At(i+2) == "None" {
			a, _ = f.Bytes(i+1, i+2)
			_, b = f.Bytes(i+2, i+3)
			f.put(a, b, "", from, to)
		}
	}
}

// scopes leaves out global and nonlocal: what is assigned is a name of the function.
func (f *finder) scopes() {
	for n := 0; n < f.statements() && !f.full(); n++ {
		if s := f.Statement(n); !s.Head && s.First+1 < s.Last && (f.word(s.First, "global") || f.word(s.First, "nonlocal")) {
			from, to := f.Bytes(s.First, s.Last)
			f.Add(from, to, "pass", inner.Without(f.Text[from:to]))
		}
	}
}

// suppressed lets nothing be suppressed, or one kind less.
func (f *finder) suppressed() {
	for i := 0; i+1 < f.Len() && !f.full(); i++ {
		if f.At(i) != "suppress" || !f.Word(i) || f.At(i+1) != "(" || f.Declares(i) {
			continue
		}
		list := f.Args(i + 1)
		if len(list) == 1 {
			from, to := f.Bytes(list[0][0], list[0][1])
			f.put(from, to, "", from, to)
			continue
		}
		for n := range list {
			f.member(i+1, list, n)
		}
	}
}

// generated makes all at once what is made when it is asked for: (page(n) for n in …), and functions with a yield.
func (f *finder) generated() {
	yields := f.yielding("def")
	for open := 0; open < f.Len() && !f.full(); open++ {
		mate := f.Mate(open)
		if f.At(open) != "(" || mate < open || mate > open+mostTokens || f.Quiet(open) {
			continue
		}
		from, to := f.Bytes(open, mate+1)
		if f.Word(open-1) && f.joined(open) {
			if first := f.Chain(open - 1); yields[f.At(open-1)] && !f.Declares(open-1) && f.At(first-1) != "await" && f.At(first-1) != "from" {
				from, _ = f.Bytes(first, open)
				f.Add(from, to, "iter(list("+f.Text[from:to]+"))", "`"+inner.Short(f.Text[from:to], 50)+"` all at once")
			}
			continue
		}
		if s := f.At(open - 1); s == ")" || s == "]" {
			continue
		}
		loop, calls := false, false
		for i := open + 1; i < mate; i++ {
			calls = calls || f.At(i) == "(" && f.Word(i-1)
			if m := f.Mate(i); m > i {
				for k := i + 1; k < m; k++ {
					calls = calls || f.At(k) == "(" && f.Word(k-1)
				}
				i = m
			} else if f.word(i, "for") {
				loop = !f.word(i-1, "async")
			}
		}
		if !loop || !calls && !f.sources(open, mate, yields) {
			continue
		}
		f.AtOnce([]group.Place{{From: from, To: from + 1, Text: "iter(["}, {From: to - 1, To: to, Text: "])"}}, "`"+inner.Short(f.Text[from:to], 50)+"` all at once")
	}
}

// sources reports whether one of some functions is called among tokens.
func (f *finder) sources(first, last int, names map[string]bool) bool {
	for i := first; i < last; i++ {
		if f.Word(i) && names[f.At(i)] {
			return true
		}
	}
	return false
}

// yielding are the functions of the file that yield.
func (f *finder) yielding(word string) map[string]bool {
	names := map[string]bool{}
	scope := map[int]string{}
	for n := range f.statements() {
		s := f.Statement(n)
		if s.Head && f.word(s.First, word) && n+1 < f.statements() {
			scope[f.Statement(n+1).Scope] = f.At(s.First + 1)
		}
		for i := s.First; i < s.Last; i++ {
			if f.word(i, "yield") {
				if name := scope[s.Scope]; name != "" {
					names[name] = true
				}
			}
		}
	}
	return names
}

// spread gives a list where its elements were given.
func (f *finder) spread() {
	sign := "..."
	if f.Indented {
		sign = "*"
	}
	for i := 1; i+1 < f.Len() && !f.full(); i++ {
		if f.At(i) != sign || f.At(i-1) != "(" && f.At(i-1) != "," || !f.Word(i+1) && f.At(i+1) != "[" && f.At(i+1) != "(" || f.Quiet(i) {
			continue
		}
		if open := f.around(i); open < 1 || f.At(open) != "(" || !f.Word(open-1) || f.Declares(open-1) || f.At(f.Mate(open)+1) == "=>" || f.At(f.Mate(open)+1) == "{" {
			continue
		} else {
			from, to := f.Bytes(i, i+1)
			_, end := f.Bytes(open, f.Mate(open)+1)
			begin, _ := f.Bytes(open-1, open)
			f.put(from, to, "", begin, end)
		}
	}
}

// around is the bracket around a token, -1 for none.
func (f *finder) around(i int) int {
	if f.ups == nil {
		f.ups = make([]int, f.Len())
		up := -1
		for n := range f.ups {
			if m := f.Mate(n); m >= 0 && m < n && up >= 0 {
				up = f.ups[up]
			}
			if f.ups[n] = up; f.Mate(n) > n {
				up = n
			}
		}
	}
	return f.ups[i]
}

// conversions leaves out that of a value that is put into a text: {name!r}.
func (f *finder) conversions() {
	for i := 1; i+1 < f.Len() && !f.full(); i++ {
		if s := f.At(i); len(s) >= 2 && s[0] == '!' && strings.IndexByte("rsa", s[1]) >= 0 && (len(s) == 2 || s[2] == ':') {
			from, _ := f.Bytes(i, i+1)
			begin, end := from-1, from+len(s)
			if open := f.around(i); open >= 0 {
				begin, _ = f.Bytes(open, open+1)
				_, end = f.Bytes(f.Mate(open), f.Mate(open)+1)
			}
			f.put(from, from+2, "", begin, end)
		}
	}
}
