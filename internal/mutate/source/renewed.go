package source

// nows are what gives the time.
var nows = set("Date.now() performance.now() time.time() time.monotonic() now")

// renewed sets the time of an entry anew where its age is asked for, so that what is read
// often is never too old: Date.now() - kept.at < limit.
func (f *file) renewed(i int) bool {
	if !f.isOperator(i, "-") || f.lang.tick != 't' && !f.lang.indented || !f.binary(i) {
		return false
	}
	first := i - 1
	if f.kindAt(first) == closing {
		first = f.tokens[first].Mate - 1
	}
	if first = f.chain(first); first < 0 {
		return false
	}
	now := f.slice(first, i)
	if !nows()[now] {
		return false
	}
	end := i + 2
	for end < i+8 && f.isOperator(end, ".") {
		end += 2
	}
	key := ""
	if f.lang.indented && end == i+2 && f.at(end) == "[" && f.tokens[end].Mate == end+2 && f.kindAt(end+1) == text {
		key = f.at(end + 1)
		end += 3
	}
	if key == "" && (end < i+4 || !f.path(i+1, end)) || f.kindAt(i+1) != word || !f.isOperator(end, "<") && !f.isOperator(end, "<=") {
		return false
	}
	last := f.right(end, func(n int) bool {
		and, or := f.logic(n)
		return and || or || n > end && f.bound(n)
	})
	if last <= end+1 || last > len(f.tokens) {
		return false
	}
	entry := f.slice(i+1, end)
	from, to := f.bytes(first, last)
	with := "(" + entry + " = " + now + ")"
	switch {
	case key != "":
		with = "not " + f.at(i+1) + ".update({" + key + ": " + now + "})"
	case f.lang.indented:
		with = "not setattr(" + f.slice(i+1, end-2) + ", \"" + f.at(end-1) + "\", " + now + ")"
	}
	if f.inHead(i) {
		return false
	}
	f.add("related", from, to, "("+f.source[from:to]+" "+f.lang.and+" "+with+")", "`"+short(entry, 30)+"` is set anew where `"+short(f.slice(first, last), 36)+"`")
	return true
}
