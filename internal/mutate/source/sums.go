package source

import "strings"

// roundings are the functions that round their first argument.
var roundings = set("round math.floor math.ceil math.trunc floor ceil int Math.round Math.floor Math.ceil Math.trunc math.Round math.Floor math.Ceil math.Trunc")

// A rounded value is an expression that rounds another one.
type rounded struct {
	// shown is the part of it that rounds, and value what it rounds.
	shown, value string
	// before and after make any other value a rounded one.
	before, after string
	// own says that a function of the file rounds.
	own bool
	// by is the function of the file that rounds the value which it gives.
	by string
	// names are the plain names that after reads.
	names []string
}

// rounds tells what an expression rounds: round(x, 2), x.quantize(CENT), Number(x.toFixed(2)), Math.round(x * 100) / 100.
func (f *file) rounds(first, last int) (rounded, bool) {
	if last-first > reach {
		return rounded{}, false
	}
	open := first
	for open < last && open < first+reach && (f.kindAt(open) == word || f.isOperator(open, ".")) {
		open++
	}
	if open == first || open >= last || f.at(open) != "(" || f.tokens[open].Mate < 0 || f.tokens[open].Mate >= last {
		return f.quantized(first, last)
	}
	mate := f.tokens[open].Mate
	name := f.slice(first, open)
	end := mate + 1
	if (f.isOperator(end, "/") || f.isOperator(end, "*") || f.isOperator(end, "//")) && end+2 == last && (f.kindAt(end+1) == number || f.kindAt(end+1) == word) {
		end += 2
	}
	if end != last || mate == open+1 {
		return f.quantized(first, last)
	}
	comma := open + 1
	for comma < mate && !(f.isOperator(comma, ",") && f.tokens[comma].Up == open) {
		comma++
	}
	r := rounded{shown: f.slice(first, mate+1), before: name + "(", after: f.source[f.tokens[comma-1].To:f.tokens[last-1].To], names: f.names(comma, last)}
	if end == mate+1 && !roundings()[name] && !(comma == mate && f.rounder(name)) {
		if by, ok := f.returnedBy(name, r.shown); ok {
			return by, true
		}
	}
	switch {
	case comma == mate && end == mate+1 && !roundings()[name] && f.rounder(name):
		r.value, r.own = f.slice(open+1, comma), true
		return r, true
	case roundings()[name]:
		r.value = f.slice(open+1, comma)
		// Of a name alone int makes a number, and rounds none. In Go what it gives has another type.
		return r, name != "int" || f.lang.indented && strings.ContainsAny(r.value, "*/")
	case (name == "Number" || name == "parseFloat") && comma == mate && f.at(mate-1) == ")":
		if point := f.tokens[mate-1].Mate - 2; point > open+1 && f.at(point) == "." && f.at(point+1) == "toFixed" {
			r.value = f.slice(open+1, point)
			r.after = f.source[f.tokens[point].From:f.tokens[last-1].To]
			return r, true
		}
	}
	return f.quantized(first, last)
}

// quantized tells what the method of a decimal rounds.
func (f *file) quantized(first, last int) (rounded, bool) {
	if last-first < 5 || f.at(last-1) != ")" || f.tokens[last-1].Mate < first+3 {
		return rounded{}, false
	}
	point := f.tokens[last-1].Mate - 2
	if !f.isOperator(point, ".") || f.at(point+1) != "quantize" || f.chain(point-1) != first {
		return rounded{}, false
	}
	return rounded{shown: f.slice(first, last), value: f.slice(first, point), after: f.slice(point, last), names: f.names(point+2, last)}, true
}

// names are the plain names in some tokens.
func (f *file) names(first, last int) (list []string) {
	for i := first; i < last; i++ {
		if f.kindAt(i) == word && !f.isMember(i) {
			list = append(list, f.at(i))
		}
	}
	return list
}

// reads reports whether what rounds a value reads one of some names.
func (r rounded) reads(names []string) bool {
	for _, n := range r.names {
		for _, other := range names {
			if n == other {
				return true
			}
		}
	}
	return false
}

// roundWhole puts an expression in the place of another one in which a value is rounded: the value is not, and the whole is.
// The value stands between the tokens first and last of the whole, from and to.
func (f *file) roundWhole(r rounded, first, last, from, to int, bound []string) {
	if r.reads(bound) || !f.used(from, to) {
		return
	}
	start, end := f.bytes(from, to)
	a, b := f.bytes(first, last)
	if end-start > span {
		return
	}
	f.roundLater(r, start, end, r.before+f.source[start:a]+"("+r.value+")"+f.source[b:end]+r.after)
}

// sums round a sum in the place of what is added, and leave out the weights of a mean.
func (f *file) sums() {
	for i := range f.tokens {
		if f.kindAt(i) != word || f.at(i+1) != "(" || f.tokens[i+1].Mate < 0 || f.quiet[i] {
			continue
		}
		switch {
		case f.lang.indented && f.isWord(i, "sum"):
			f.sumOf(i)
		case f.lang.tick == 't' && f.isMember(i) && (f.at(i) == "map" || f.at(i) == "reduce"):
			f.reduced(i)
		}
	}
}

// A comprehension is what a call of sum in Python adds: an element for each of some names.
type comprehension struct {
	first, last int // the tokens of the element
	names       []string
	rest        string // what stands behind the element
}

// comprehensionIn finds the comprehension that a call is given.
func (f *file) comprehensionIn(open int) (c comprehension, ok bool) {
	c.first = open + 1
	if f.at(c.first) == "[" || f.at(c.first) == "(" {
		if mate := f.tokens[c.first].Mate; mate > 0 && (f.isOperator(mate+1, ",") || mate+1 == f.tokens[open].Mate) {
			open = c.first
			c.first++
		}
	}
	end := f.tokens[open].Mate
	if end-open > reach {
		return c, false
	}
	for i := c.first; i < end; i++ {
		if !f.isWord(i, "for") || f.tokens[i].Up != open {
			continue
		}
		c.last = i
		for n := i + 1; n < end && !f.isWord(n, "in"); n++ {
			c.names = append(c.names, f.names(n, n+1)...)
		}
		c.rest = f.slice(i, end)
		return c, i > c.first && !f.isWord(i-1, "async")
	}
	return c, false
}

// sumOf changes a call of sum in Python.
func (f *file) sumOf(i int) {
	open := i + 1
	mate := f.tokens[open].Mate
	if mate-open > reach {
		return
	}
	if f.isWord(open+1, "map") && f.at(open+2) == "(" && f.tokens[open+2].Mate == mate-1 {
		comma := open + 3
		for comma < mate && (f.kindAt(comma) == word || f.isOperator(comma, ".")) {
			comma++
		}
		if name := f.slice(open+3, comma); f.isOperator(comma, ",") && (roundings()[name] && name != "int" || f.rounder(name)) && f.used(i, mate+1) {
			from, to := f.bytes(i, mate+1)
			f.add("call", from, to, name+"(sum("+f.slice(comma+1, mate-1)+"))", "`"+short(name, 50)+"` of each → of the sum")
		}
		return
	}
	c, ok := f.comprehensionIn(open)
	if !ok {
		return
	}
	if r, ok := f.rounds(c.first, c.last); ok {
		f.roundWhole(r, c.first, c.last, i, mate+1, c.names)
	}
	if !f.isOperator(mate+1, "/") || !f.isWord(mate+2, "sum") || f.at(mate+3) != "(" {
		return
	}
	weights, ok := f.comprehensionIn(mate + 3)
	if !ok || weights.rest != c.rest {
		return
	}
	weight := f.slice(weights.first, weights.last)
	for n := c.first + 1; n < c.last-1; n++ {
		if !f.isOperator(n, "*") || f.tokens[n].Up != f.tokens[c.first].Up {
			continue
		}
		value := f.slice(c.first, n)
		switch weight {
		case f.slice(n+1, c.last):
		case value:
			value = f.slice(n+1, c.last)
		default:
			continue
		}
		from, to := f.bytes(i, f.tokens[mate+3].Mate+1)
		f.add("call", from, to, "(sum("+value+" "+c.rest+") / len(["+weight+" "+c.rest+"]))", "the weight `"+short(weight, 40)+"` left out of the mean")
		return
	}
}

// callback are the tokens of what an arrow function gives, with the names of its parameters.
func (f *file) callback(open int) (names []string, first, last int, ok bool) {
	mate := f.tokens[open].Mate
	arrow := open + 1
	if f.at(arrow) == "(" && f.tokens[arrow].Mate > 0 {
		arrow = f.tokens[arrow].Mate
	}
	arrow++
	if !f.isOperator(arrow, "=>") || f.at(arrow+1) == "{" {
		return nil, 0, 0, false
	}
	last = arrow + 1
	for last < mate && last < arrow+reach && !(f.isOperator(last, ",") && f.tokens[last].Up == open) {
		last++
	}
	if arrow-open > reach {
		return nil, 0, 0, false
	}
	return f.names(open+1, arrow), arrow + 1, last, last > arrow+1
}

// reduced changes x.map(…).reduce(…) and x.reduce(…) of JavaScript that add.
func (f *file) reduced(i int) {
	names, first, last, ok := f.callback(i + 1)
	if !ok {
		return
	}
	end := f.tokens[i+1].Mate + 1
	if f.at(i) == "map" {
		if !f.isOperator(end, ".") || f.at(end+1) != "reduce" || f.at(end+2) != "(" || last != end-1 {
			return
		}
		both, from, to, ok := f.callback(end + 2)
		if !ok || len(both) != 2 || to-from != 3 || !f.isOperator(from+1, "+") || f.at(from) != both[0] || f.at(from+2) != both[1] {
			return
		}
		end = f.tokens[end+2].Mate + 1
	} else {
		// (sum, x) => sum + …, 0
		if len(names) < 2 || f.at(first) != names[0] || !f.isOperator(first+1, "+") || f.at(last+1) != "0" || last+2 != end-1 {
			return
		}
		first += 2
	}
	if r, ok := f.rounds(first, last); ok {
		f.roundWhole(r, first, last, f.chain(i), end, names)
	}
}
