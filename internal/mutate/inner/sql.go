package inner

import (
	"strings"
	"sync"
)

// A dialect is what is known of the words of SQL.
type dialect struct {
	grammar
	// clauses are words that begin one, tables what stands before JOIN, and kinds the
	// types with a number in brackets.
	clauses, tables, kinds map[string]bool
	// functions are those of which the first argument can stand for them, and taken
	// those that are taken for each other.
	functions       map[string]bool
	taken, compared map[string]string
}

var dialectOfSQL = sync.OnceValue(func() *dialect {
	return &dialect{
		grammar: grammar{
			comment: "--", block: true, quotes: "'\"`", names: "\"`", double: true, fold: true, values: true,
			opens: map[string]string{"case": "end"},
			signs: []string{"->>", "->", "||", "<>", "<=", ">=", "!=", "==", "::", "~*", "!~"},
			keywords: names(`select from where and or not in is like ilike glob between on using having group order by limit offset union intersect except all
				distinct as set values into insert update delete join left right inner outer full cross natural when then else exists any some
				returning conflict do nothing key default check unique primary references foreign constraint with recursive for of escape desc asc interval`),
		},
		clauses:   names("select from where having limit offset set values returning window when then else do"),
		tables:    names("left right full inner cross natural outer"),
		kinds:     names("varchar char character varying numeric decimal float double bit binary varbinary nvarchar nchar timestamp time datetime datetime2 int integer tinyint smallint bigint text vector"),
		functions: names("coalesce ifnull nvl round abs lower upper trim ltrim rtrim floor ceil ceiling"),
		taken:     swaps("sum max avg sum min max max min ceil floor ceiling floor floor ceil"),
		compared:  swaps("< <= <= < > >= >= > = <> == <> <> = != ="),
	}
})

// A clause is a part of a statement: from its first word to the next one.
type clause struct {
	key string
	// first is its first word, body what stands behind its words, end the part behind
	// it. All are parts of a level.
	first, body, end int
}

// sql makes the changes of statements of SQL.
func (p *program) sql() {
	d := dialectOfSQL()
	if !p.read(&d.grammar, 0, len(p.text)) {
		return
	}
	p.formattedTexts()
	tables := p.tables()
	p.groups(func(open int, own []int) {
		statements := split(own, func(i int) bool { return p.isSign(i, ";") })
		for _, s := range statements {
			p.statement(d, own[s[0]:s[1]], open, tables[open])
			if open < 0 && len(statements) > 1 {
				p.withoutStatement(own, s)
			}
		}
	})
}

// tables are the brackets that hold the columns of a table that is created.
func (p *program) tables() map[int]bool {
	all := map[int]bool{}
	for i := range p.tokens {
		if !p.is(i, "create") {
			continue
		}
		table := false
		for n := i + 1; n < len(p.tokens) && n < i+12; n++ {
			table = table || p.is(n, "table")
			if p.is(n, "as") || p.isSign(n, ";") {
				break
			}
			if p.kindAt(n) == opening {
				if table {
					all[n] = true
				}
				break
			}
		}
	}
	return all
}

// withoutStatement leaves out one of several statements: not one that makes a table.
func (p *program) withoutStatement(own level, s [2]int) {
	first := own[s[0]]
	if !p.is(first, "insert") && !p.is(first, "update") && !p.is(first, "delete") && !(p.is(first, "create") && !p.is(first+1, "table") && !p.is(first+1, "view") && !p.is(first+1, "schema") && !p.is(first+2, "table")) {
		return
	}
	from, to := p.bytes(own, s[0], s[1])
	if p.has(first, p.end(own, s[1]-1), given) {
		return
	}
	shown := p.text[from:to]
	if s[1] < len(own) {
		to = p.tokens[own[s[1]]].To
	}
	p.leave("statement", from, to, shown)
}

// clauseAt is the clause that begins at a part of a level, and how many words it has.
func (p *program) clauseAt(d *dialect, own level, k int) (string, int) {
	i := own[k]
	if p.kindAt(i) != word || p.isSign(i-1, ".") {
		return "", 0
	}
	next := func(n int, w string) bool { return k+n < len(own) && p.is(own[k+n], w) }
	switch w := p.tokens[i].Name; {
	case (w == "group" || w == "order" || w == "partition") && next(1, "by"):
		return w, 2
	case w == "union" || w == "intersect" || w == "except":
		if next(1, "all") {
			return w, 2
		}
		return w, 1
	case d.tables[w]:
		for n := 1; n < 4; n++ {
			if next(n, "join") {
				return "join", n + 1
			}
		}
		return "", 0
	case w == "join":
		return w, 1
	case w == "on" && (next(1, "conflict") || next(1, "duplicate")):
		return "conflict", 2
	case w == "on" && (next(1, "delete") || next(1, "update")):
		if next(2, "set") || next(2, "no") {
			return "reference", 3 // ON DELETE SET NULL
		}
		return "reference", 2
	case w == "on" || w == "using":
		return "on", 1
	case w == "for" && (next(1, "update") || next(1, "share") || next(1, "no")):
		return "for", 2
	case w == "values" && p.kindAt(i-1) == sign && p.at(i-1) != ";":
		return "", 0 // b = VALUES(b)
	case d.clauses[w]:
		return w, 1
	}
	return "", 0
}

// statement makes the changes of one statement, or of what stands in one bracket.
func (p *program) statement(d *dialect, own level, open int, table bool) {
	if len(own) == 0 {
		return
	}
	clauses := []clause{{"", 0, 0, len(own)}}
	for k := 0; k < len(own); k++ {
		key, n := p.clauseAt(d, own, k)
		if key == "" {
			continue
		}
		clauses[len(clauses)-1].end = k
		clauses = append(clauses, clause{key, k, min(k+n, len(own)), len(own)})
		k += n - 1
	}
	begins := map[int]bool{}
	for _, c := range clauses[1:] {
		for k := c.first; k < c.body; k++ {
			begins[own[k]] = true
		}
	}
	bound := func(i int) bool {
		return begins[i] || p.isSign(i, ",") || p.is(i, "as") || p.is(i, "check") || p.is(i, "filter")
	}
	l := logic{
		and:   func(i int) bool { return p.is(i, "and") },
		or:    func(i int) bool { return p.is(i, "or") && !p.is(i-1, "insert") && !p.is(i-1, "update") },
		bound: bound, always: " OR 1 = 1", never: " AND 1 = 0",
	}
	p.sides(own, l)
	stop := func(i int) bool { return bound(i) || l.and(i) || l.or(i) }
	for n, c := range clauses {
		var after string
		if n+1 < len(clauses) {
			after = clauses[n+1].key
		}
		p.clause(own, c, after)
		p.words(d, own, c, open, stop)
	}
	if table {
		p.columns(own)
	}
	p.conflict(own, clauses)
}

// reach are the bytes of parts of a level, with the space before them or, at the very
// beginning, behind them.
func (p *program) reach(own level, a, b int) (from, to int) {
	from, to = p.bytes(own, a, b)
	if a > 0 {
		_, from = p.bytes(own, a-1, a)
	} else if b < len(own) {
		to, _ = p.bytes(own, b, b+1)
	}
	return from, to
}

// without leaves out parts of a level.
func (p *program) without(operator string, own level, a, b int) {
	if a >= b || p.has(own[a], p.end(own, b-1), given) {
		return
	}
	from, to := p.reach(own, a, b)
	x, y := p.bytes(own, a, b)
	p.leave(operator, from, to, p.text[x:y])
}

// clause changes a clause as a whole, and its parts between commas.
func (p *program) clause(own level, c clause, after string) {
	if c.body >= c.end && c.key != "union" && c.key != "for" && c.key != "join" {
		return
	}
	from, to := p.bytes(own, c.first, max(c.body, c.end))
	shown := p.text[from:to]
	values := p.has(own[c.first], p.end(own, c.end-1), given)
	switch c.key {
	case "where", "having":
		if values {
			p.add("condition", to, to, " OR 1 = 1", Without(shown))
		} else {
			p.without("condition", own, c.first, c.end)
		}
	case "when":
		if c.end < len(own) && p.is(own[c.end], "then") && !values {
			p.force(own, c)
		}
	case "order", "group":
		if c.key == "order" {
			p.without("order", own, c.first, c.end)
			p.oneRow(own, c)
		}
		p.keys(own, c)
	case "limit":
		end := c.end
		if after == "offset" {
			for end++; end < len(own) && p.kindAt(own[end]) != word; end++ {
			}
		}
		p.without("argument", own, c.first, end)
		if p.kindAt(own[c.body]) == given && c.end == c.body+1 {
			p.add("number", to, to, " + 1", Instead(shown, shown+" + 1"))
		}
	case "offset":
		p.without("argument", own, c.first, c.end)
	case "set":
		p.assignments(own, c)
	case "union":
		if c.body-c.first == 2 {
			a, b := p.bytes(own, c.first, c.body)
			p.add("related", a, b, p.text[a:a+5], Instead(p.text[a:b], p.text[a:a+5]))
		} else {
			_, b := p.bytes(own, c.first, c.body)
			p.add("related", b, b, " ALL", Instead("UNION", "UNION ALL"))
		}
	case "join":
		p.join(own, c)
	case "for":
		p.without("argument", own, c.first, c.end)
		for k := c.body; k < c.end; k++ {
			if p.is(own[k], "skip") || p.is(own[k], "nowait") {
				p.without("argument", own, k, c.end)
				break
			}
		}
	case "reference":
		p.without("argument", own, c.first, min(c.body+1, c.end))
	}
}

// force lets the condition of a WHEN never hold.
func (p *program) force(own level, c clause) {
	from, to := p.bytes(own, c.body, c.end)
	if p.has(own[c.body], p.end(own, c.end-1), sign) {
		p.add("condition", from, to, "("+p.text[from:to]+") AND 1 = 0", "`"+Short("WHEN "+p.text[from:to], 68)+"` never")
	}
}

// commas are the parts of a clause.
func (p *program) commas(own level, first, end int) [][2]int {
	var parts [][2]int
	start := first
	for k := first; k <= end; k++ {
		if k == end || p.isSign(own[k], ",") {
			if start >= k {
				return nil
			}
			parts = append(parts, [2]int{start, k})
			start = k + 1
		}
	}
	return parts
}

// element leaves out one of several parts between commas.
func (p *program) element(operator string, own level, parts [][2]int, n int) {
	a, b := parts[n][0], parts[n][1]
	if len(parts) < 2 || p.has(own[a], p.end(own, b-1), given) {
		return
	}
	from, to := p.bytes(own, a, b)
	shown := p.text[from:to]
	if n+1 < len(parts) {
		to, _ = p.bytes(own, parts[n+1][0], parts[n+1][1])
	} else {
		_, from = p.bytes(own, parts[n-1][0], parts[n-1][1])
	}
	p.leave(operator, from, to, shown)
}

// oneRow takes the first or the last row of a table, and not that of an order.
func (p *program) oneRow(own level, c clause) {
	if c.end+1 >= len(own) || !p.is(own[c.end], "limit") || p.at(own[c.end+1]) != "1" || c.end+2 < len(own) && p.isSign(own[c.end+2], ",") {
		return
	}
	from, to := p.bytes(own, c.body, c.end)
	for _, with := range [2]string{"rowid", "rowid DESC"} {
		p.add("together", from, to, with, Instead("ORDER BY "+p.text[from:to], with))
	}
}

// keys changes what is sorted by, and leaves out keys.
func (p *program) keys(own level, c clause) {
	parts := p.commas(own, c.body, c.end)
	operator := map[string]string{"order": "order", "group": "argument"}[c.key]
	for n, part := range parts {
		p.element(operator, own, parts, n)
		if c.key != "order" {
			continue
		}
		from, to := p.bytes(own, part[0], part[1])
		way := -1
		for k := part[0]; k < part[1]; k++ {
			if p.is(own[k], "desc") || p.is(own[k], "asc") {
				way = k
			}
		}
		if way < 0 {
			if part[1]-part[0] < 6 && !p.is(own[part[1]-1], "last") && !p.is(own[part[1]-1], "first") {
				p.add("order", to, to, " DESC", Instead(p.text[from:to], p.text[from:to]+" DESC"))
			}
			continue
		}
		with := "ASC"
		if p.is(own[way], "asc") {
			with = "DESC"
		}
		a, b := p.tokens[own[way]].From, p.tokens[own[way]].To
		p.add("order", a, b, with, Within(p.text, from, to, a, b, with))
	}
}

// assignments leaves out each of several that SET has.
func (p *program) assignments(own level, c clause) {
	parts := p.commas(own, c.body, c.end)
	for n, part := range parts {
		p.element("argument", own, parts, n)
		a, b := part[0], part[1]
		if len(parts) < 2 || b-a < 3 || p.kindAt(own[a]) != word || !p.isSign(own[a+1], "=") || !p.has(own[a], p.end(own, b-1), given) {
			continue
		}
		from, to := p.bytes(own, a+2, b)
		whole, _ := p.bytes(own, a, b)
		if to-from < copied {
			p.add("argument", from, to, "CASE WHEN 1 = 1 THEN "+p.at(own[a])+" ELSE "+p.text[from:to]+" END", Without(p.text[whole:to]))
		}
	}
}

// join makes a LEFT JOIN an inner one, and the other way round.
func (p *program) join(own level, c clause) {
	from, to := p.bytes(own, c.first, c.body)
	before := p.text[from:to]
	with := ""
	switch {
	case p.is(own[c.first], "left"):
		with = "JOIN"
	case p.is(own[c.first], "inner"), c.body-c.first == 1:
		with = "LEFT JOIN"
	default:
		return
	}
	if c.end < len(own) && (p.is(own[c.end], "on") || p.is(own[c.end], "using")) {
		p.add("related", from, to, with, Instead(before, with))
	}
}

// conflict leaves out what is done about a row that is there.
func (p *program) conflict(own level, clauses []clause) {
	for n, c := range clauses {
		switch {
		case c.key == "conflict":
			end := len(own)
			for _, other := range clauses[n:] {
				if other.key == "returning" {
					end = other.first
				}
			}
			p.without("argument", own, c.first, end)
		case c.key == "":
			for k := c.first; k+2 < c.end && k < c.first+2; k++ {
				if p.is(own[k], "insert") && p.is(own[k+1], "or") {
					p.without("argument", own, k+1, k+3)
				} else if p.is(own[k], "insert") && p.is(own[k+1], "ignore") {
					p.without("argument", own, k+1, k+2)
				}
			}
			if p.is(own[c.first], "create") && c.end > c.first+2 && p.is(own[c.first+1], "unique") {
				p.without("argument", own, c.first+1, c.first+2)
			}
		}
	}
}

// columns leaves out what the columns of a table refuse.
func (p *program) columns(own level) {
	parts := p.commas(own, 0, len(own))
	for n, part := range parts {
		switch first := own[part[0]]; {
		case p.is(first, "unique"), p.is(first, "primary"), p.is(first, "foreign"), p.is(first, "check"), p.is(first, "constraint"):
			p.element("argument", own, parts, n)
			continue
		}
		for k := part[0] + 1; k < part[1]; k++ {
			i := own[k]
			next := func(n int, w string) bool { return k+n < part[1] && p.is(own[k+n], w) }
			end := 0
			switch {
			case p.is(i, "unique"):
				end = k + 1
			case p.is(i, "not") && next(1, "null"), p.is(i, "primary") && next(1, "key"):
				end = k + 2
				if next(2, "autoincrement") || next(2, "asc") || next(2, "desc") {
					end++
				}
			case p.is(i, "default") && k+1 < part[1], p.is(i, "check") && k+1 < part[1], p.is(i, "collate") && k+1 < part[1]:
				end = k + 2
				for end < part[1] && p.touching(own, end) {
					end++
				}
			case p.is(i, "references") && k+1 < part[1]:
				end = k + 2
				if end < part[1] && p.kindAt(own[end]) == opening {
					end++
				}
				for end < part[1] && p.is(own[end], "on") {
					if end += 3; end <= part[1] && (p.is(own[end-1], "set") || p.is(own[end-1], "no")) {
						end++
					}
					end = min(end, part[1])
				}
			}
			if end > 0 {
				p.without("argument", own, k, end)
				k = end - 1
			}
		}
	}
}

// words changes single words, signs, numbers and texts of a clause.
func (p *program) words(d *dialect, own level, c clause, open int, stop func(int) bool) {
	first := own[0]
	made := p.is(first, "create") && c.key == "" && open < 0
	for k := c.first; k < c.end; k++ {
		i := own[k]
		next := func(n int, w string) bool { return k+n < c.end && p.is(own[k+n], w) }
		switch t := p.tokens[i]; t.Kind {
		case sign:
			s := p.at(i)
			with := d.compared[s]
			switch {
			case with != "" && !made && c.key != "set" && c.key != "values" && c.key != "do" && k > c.first && !p.same(own, k):
				p.another("compare", own, k, with, stop)
			case !made && (s != "*" || k > c.body):
				p.arithmetic(own, k)
			}
		case number:
			p.numberOfSQL(d, own, c, k, open, stop)
		case text:
			p.textOfSQL(own, k, stop)
		case word:
			switch t.Name {
			case "is":
				if next(1, "null") {
					p.put("compare", own, k, k+2, "IS NOT NULL", stop)
				} else if next(1, "not") && next(2, "null") {
					p.put("compare", own, k, k+3, "IS NULL", stop)
				}
			case "not":
				if !next(1, "null") && !next(1, "materialized") && !next(1, "valid") && !p.is(i-1, "if") && !p.is(i-1, "is") && k+1 < len(own) && !made {
					p.without("compare", own, k, k+1)
				}
			case "distinct":
				if !next(1, "on") && !next(1, "from") && k+1 < len(own) {
					p.without("call", own, k, k+1)
				}
			case "true", "false":
				with := map[string]string{"true": "FALSE", "false": "TRUE"}[t.Name]
				p.another("boolean", own, k, with, stop)
			case "between":
				p.between(own, k, c.end)
			default:
				p.function(d, own, k, c.end)
			}
		case opening:
			if p.is(i-1, "in") {
				p.list(i)
			}
		}
	}
}

// put writes something else in the place of parts of a level.
func (p *program) put(operator string, own level, a, b int, with string, stop func(int) bool) {
	from, to := p.phrase(own, a, stop)
	x, y := p.bytes(own, a, b)
	p.add(operator, x, y, with, Within(p.text, min(from, x), max(to, y), x, y, with))
}

// same reports whether two numbers are compared, as in 1 = 1.
func (p *program) same(own level, k int) bool {
	return k+1 < len(own) && p.kindAt(own[k-1]) == number && p.kindAt(own[k+1]) == number
}

func (p *program) numberOfSQL(d *dialect, own level, c clause, k, open int, stop func(int) bool) {
	i := own[k]
	switch {
	case c.key == "order" || c.key == "group":
		return
	case c.key == "select" && c.end == c.body+1 && k == c.body: // EXISTS (SELECT 1 …
		return
	case k > 1 && p.kindAt(own[k-1]) == sign && d.compared[p.at(own[k-1])] != "" && p.kindAt(own[k-2]) == number:
		return
	case k+2 < len(own) && d.compared[p.at(own[k+1])] != "" && p.kindAt(own[k+2]) == number:
		return
	case open > 0 && (p.isAny(open-1, d.kinds) || p.is(open-1, "count")):
		return
	}
	if with := increased(p.at(i)); with != "" {
		p.another("number", own, k, with, stop)
	}
}

func (p *program) textOfSQL(own level, k int, stop func(int) bool) {
	i := own[k]
	s := p.at(i)
	if k > 0 && (p.is(own[k-1], "like") || p.is(own[k-1], "ilike")) {
		inner := s[1 : len(s)-1]
		starts, ends := strings.HasPrefix(inner, "%"), strings.HasSuffix(inner, "%")
		switch {
		case len(inner) > 1 && ends && !starts:
			p.another("related", own, k, "'%"+inner+"'", stop)
		case len(inner) > 1 && starts:
			p.another("related", own, k, "'"+inner[1:]+"'", stop)
		}
		return
	}
	if k > 0 && p.is(own[k-1], "interval") || p.holed(p.tokens[i].From, p.tokens[i].To) || strings.Contains(s, "%") {
		return
	}
	if with := emptied(s); with != "" {
		p.another("text", own, k, with, stop)
	}
}

// list leaves out each of the values of IN.
func (p *program) list(open int) {
	var own level
	for i := open + 1; i < p.tokens[open].Mate; i = p.jump(i) {
		own = append(own, i)
	}
	if len(own) == 0 || p.is(own[0], "select") || p.is(own[0], "with") {
		return
	}
	parts := p.commas(own, 0, len(own))
	for n := range parts {
		p.element("argument", own, parts, n)
	}
}

// between leaves the first and the last value out of BETWEEN.
func (p *program) between(own level, k, end int) {
	if k == 0 || p.is(own[k-1], "not") {
		return
	}
	first := p.left(own, k)
	and := k + 1
	for and < end && !p.is(own[and], "and") {
		and++
	}
	last := and + 1
	for last < end && !p.is(own[last], "and") && !p.is(own[last], "or") && !p.isSign(own[last], ",") {
		last++
	}
	if first < 0 || and >= end || last <= and+1 || and == k+1 {
		return
	}
	slice := func(a, b int) string { from, to := p.bytes(own, a, b); return p.text[from:to] }
	x, low, high := slice(first, k), slice(k+1, and), slice(and+1, last)
	from, to := p.bytes(own, first, last)
	if to-from > 200 || p.has(own[first], p.end(own, k-1), given) {
		return
	}
	p.add("compare", from, to, x+" > "+low+" AND "+x+" <= "+high, Instead(p.text[from:to], x+" > "+low))
	p.add("compare", from, to, x+" >= "+low+" AND "+x+" < "+high, Instead(p.text[from:to], x+" < "+high))
}

// function changes a call.
func (p *program) function(d *dialect, own level, k, end int) {
	i := own[k]
	if k+1 >= end || p.at(own[k+1]) != "(" || !p.touching(own, k+1) {
		return
	}
	open := own[k+1]
	mate := p.tokens[open].Mate
	if mate <= open+1 {
		return
	}
	name := p.tokens[i].Name
	from, to := p.tokens[i].From, p.tokens[mate].To
	comma := open + 1
	for comma < mate && !p.isSign(comma, ",") {
		comma = p.jump(comma)
	}
	whole := p.text[from:to]
	switch {
	case name == "count":
		inner := p.slice(open+1, mate)
		a, b := p.tokens[open].To, p.tokens[mate].From
		if inner == "*" || p.kindAt(open+1) == number || p.is(open+1, "distinct") || p.has(open+1, mate, given) {
			return
		}
		p.add("related", a, a, "DISTINCT ", Instead(whole, p.text[from:a]+"DISTINCT "+p.text[a:to]))
		p.add("related", a, b, "*", Instead(whole, p.text[from:a]+"*)"))
	case d.functions[name] && !p.has(comma, mate, given):
		with := p.slice(open+1, comma)
		p.add("call", from, to, with, Instead(whole, with))
	case d.taken[name] != "" && comma == mate:
		a, b := p.tokens[i].From, p.tokens[i].To
		p.add("related", a, b, strings.ToUpper(d.taken[name]), Instead(whole, strings.ToUpper(d.taken[name])+p.text[b:to]))
	}
}
