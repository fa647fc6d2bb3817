package program

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/data"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// dataOperator is the name of the operator that changes what the program reads beside its source.
const dataOperator = "data"

// Operators are all kinds of changes of a program: those of package source, and that of data, behind the one that
// leaves out members of literals.
func Operators() []source.Operator {
	list := source.Operators()
	at := 1 + slices.IndexFunc(list, func(o source.Operator) bool { return o.Name == "argument" })
	return slices.Insert(list, at, source.Operator{Name: dataOperator, Summary: "a part of a file that the program reads is left out, or a value in it is another one"})
}

// dataValues stands for the changes of values in data, which are tried late: files of data have many.
const dataValues = "data: values"

// order is in which order mutants are tried: that of their operators, with the values of data before texts.
func order() (names []string) {
	for _, o := range Operators() {
		if o.Name == "text" {
			names = append(names, dataValues)
		}
		names = append(names, o.Name)
	}
	return names
}

// mostNamed bounds the files of data that are looked at.
const mostNamed = 200

// named are those of some files of data that code or some words name. Whether the program reads them is another
// question, which a run answers.
func named(files, code []Source, words []string) (list []Source) {
	var texts, others [][]byte
	for _, c := range code {
		if len(c.Text) <= data.Limit { // what is longer was generated
			texts = append(texts, c.Text)
		}
	}
	for _, w := range words {
		others = append(others, []byte(w))
	}
	inCode, inWords, inAny := newNaming(texts), newNaming(others), newNaming(slices.Concat(texts, others))
	var quiet []Source
	for _, f := range files {
		switch {
		case inCode.has(path.Base(f.Path)):
			list = append(list, f)
		case inWords.has(path.Base(f.Path)) || hinted(inAny, f.Path):
			f.Quiet = true
			quiet = append(quiet, f)
		}
	}
	return append(list, quiet...)
}

// A naming is some texts, with the words in them: most names are not there, which no text has to be searched for.
type naming struct {
	texts [][]byte
	words map[string]bool
}

func newNaming(texts [][]byte) *naming {
	n := &naming{texts: texts, words: map[string]bool{}}
	for _, text := range texts {
		for word := range bytes.FieldsFuncSeq(text, isBetweenNames) {
			n.words[string(word)] = true
		}
	}
	return n
}

// has reports whether one of the texts has a name that is no part of a longer one.
func (n *naming) has(name string) bool {
	for word := range strings.FieldsFuncSeq(name, isBetweenNames) {
		if !n.words[word] {
			return false
		}
	}
	return mentions(n.texts, name)
}

func isBetweenNames(r rune) bool { return r < 0x80 && !nameByte(byte(r)) }

// mentions reports whether one of some texts has a name that is no part of a longer one.
func mentions(texts [][]byte, name string) bool {
	for _, text := range texts {
		for at := 0; ; {
			i := bytes.Index(text[at:], []byte(name))
			if i < 0 {
				break
			}
			at += i + len(name)
			if (at == len(text) || !nameByte(text[at])) && (at == len(name) || !nameByte(text[at-len(name)-1])) {
				return true
			}
		}
	}
	return false
}

func nameByte(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// hinted reports whether texts name the directory of a file, or its name without the end, which they put behind it.
func hinted(in *naming, rel string) bool {
	end := path.Ext(rel)
	stem := strings.TrimSuffix(path.Base(rel), end)
	if strings.HasPrefix(path.Base(rel), ".env") {
		return in.has("dotenv") || in.has(".env")
	}
	if stem != "" && in.has(stem) && (end == "" || in.has(end) || in.has(end[1:]) || in.has("./"+stem)) {
		return true
	}
	dir := path.Base(path.Dir(rel))
	return dir != "." && in.has(dir)
}

// dataMutants are the changes of a file of data. Those that leave something out are first.
func dataMutants(of *Source) (out, other []*Mutant) {
	for _, c := range data.Changes(of.Path, of.Text) {
		m := &Mutant{Mutant: source.Mutant{Operator: dataOperator, Line: c.Line, From: c.From, To: c.To, Text: c.Text, Change: c.Change}, Of: of}
		if c.Operator == data.LeftOut {
			out = append(out, m)
		} else {
			other = append(other, m)
		}
	}
	return out, other
}
