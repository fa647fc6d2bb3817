package source

import "strings"

// apart takes away what keeps tasks apart that run at one time: values that each thread
// has for itself are the same for all, and a lock is not taken.
func (f *file) apart() {
	for i := range f.tokens {
		if f.quiet[i] || f.kindAt(i) != word {
			continue
		}
		switch f.at(i) {
		case "local":
			if f.lang.indented && f.isMember(i) && f.at(i-2) == "threading" && f.at(i+1) == "(" && f.tokens[i+1].Mate == i+2 {
				f.common(f.chain(i), i+3, `type("", (), {})()`)
			}
		case "ContextVar":
			if f.lang.indented && f.at(i+1) == "(" && f.tokens[i+1].Mate > i+1 {
				first := f.chain(i)
				f.common(first, i+1, commonVar)
			}
		case "AsyncLocalStorage":
			if f.lang.tick == 't' {
				f.commonStorage(i)
			}
		case "synchronized":
			if f.lang.ended {
				f.unsynchronized(i)
			}
		case "synchronize":
			if f.lang.worded && f.isMember(i) && (f.at(i+1) == "{" || f.isWord(i+1, "do")) {
				from, to := f.bytes(f.chain(i), i+1)
				f.add("statement", from, to, "instance_exec", without(f.source[from:to]))
			}
		case "Do":
			if f.lang.bare && f.isMember(i) && strings.Contains(strings.ToLower(f.at(i-2)), "once") && f.at(i+1) == "(" {
				f.eachTime(i)
			}
		}
	}
	f.unlocked()
}

// eachTime lets Go's once.Do(f) call f each time.
func (f *file) eachTime(i int) {
	first, mate := f.chain(i), f.tokens[i+1].Mate
	if mate <= i+2 {
		return
	}
	if from, to := f.bytes(first, mate+1); to-from <= span {
		f.add("related", from, to, "("+f.slice(i+2, mate)+")()", "`"+short(f.slice(first, i+1), 60)+"(…)` each time")
	}
}

// What stands in the place of a ContextVar and of an AsyncLocalStorage: the same methods, with one value for all tasks.
const (
	commonVar = `(lambda name, **kept: type("", (), {` +
		`"get": lambda s, *d: s.__dict__.get("v", d[0] if d else kept.get("default")), ` +
		`"set": lambda s, v: (s.__dict__.get("v"), s.__dict__.update(v=v))[0], ` +
		`"reset": lambda s, v: s.__dict__.pop("v", None) if v is None else s.__dict__.update(v=v)})())`
	commonStorageJS = "({ run(s, f, ...a) { this.s = s; return f(...a); }, enterWith(s) { this.s = s; }, " +
		"exit(f, ...a) { return f(...a); }, getStore() { return this.s; } })"
	commonStorageTS = "({ s: undefined as any, run(s: any, f: any, ...a: any[]) { this.s = s; return f(...a); }, " +
		"enterWith(s: any) { this.s = s; }, exit(f: any, ...a: any[]) { return f(...a); }, getStore() { return this.s; } } as any)"
)

// common puts one value for all threads in the place of one for each.
func (f *file) common(first, last int, with string) {
	if f.isMember(first) || !f.used(first, last) {
		return
	}
	from, to := f.bytes(first, last)
	f.add("related", from, to, with, "`"+short(f.source[from:to], 40)+"` is the same for all tasks")
}

// commonStorage does so for new AsyncLocalStorage() of Node.
func (f *file) commonStorage(i int) {
	first, open := f.chain(i), i+1
	for n := 0; n < 20 && open < len(f.tokens) && f.at(open) != "(" && f.tokens[open].Up == f.tokens[i].Up && f.lang.name == "typescript"; n++ {
		open++ // its type
	}
	if !f.isWord(first-1, "new") || open >= len(f.tokens) || f.at(open) != "(" || f.tokens[open].Mate < 0 {
		return
	}
	with := commonStorageJS
	if f.lang.name == "typescript" {
		with = commonStorageTS
	}
	f.common(first-1, f.tokens[open].Mate+1, with)
}

// unsynchronized leaves out Java's word before a method, or before a block with the
// bracket behind it.
func (f *file) unsynchronized(i int) {
	from, to := f.bytes(i, i+1)
	if f.at(i+1) != "(" {
		if f.kindAt(i+1) == word {
			f.add("statement", from, f.tokens[i+1].From, "", without(f.source[from:to]))
		}
		return
	}
	if mate := f.tokens[i+1].Mate; mate > i && f.at(mate+1) == "{" {
		_, to = f.bytes(i, mate+1)
		f.add("statement", from, to, "", without(f.source[from:to]))
	}
}

// locks are calls that take a lock, with those that give it back.
var locks = pairs("Lock Unlock RLock RUnlock lock unlock acquire release")

// locked are the name of a lock and of the method that a statement calls: mu.Lock().
func (f *file) locked(s statement) (name, method string) {
	first := s.first
	if f.isWord(first, "defer") || f.isWord(first, "await") {
		first++
	}
	last := s.last
	if s.head || last-first < 4 || f.at(last-1) != ")" || f.at(last-2) != "(" || !f.isMember(last-3) {
		return "", ""
	}
	if !f.path(first, last-4) {
		return "", ""
	}
	return f.slice(first, last-4), f.at(last - 3)
}

// unlocked leaves out that a lock is taken, and with it that it is given back: one
// without the other fails at once.
func (f *file) unlocked() {
	for n, s := range f.statements {
		if f.quiet[s.first] {
			continue
		}
		name, method := f.locked(s)
		back := locks()[method]
		if name == "" || back == "" {
			continue
		}
		var b strings.Builder
		from, at := f.tokens[s.first].From, 0
		found := false
		for m := n; m < len(f.statements) && m < n+60; m++ {
			other := f.statements[m]
			same, what := f.locked(other)
			if m > n && same == name && what == method {
				break
			}
			if m > n && (same != name || what != back) {
				continue
			}
			a, to := f.bytes(other.first, other.last)
			if to-from > span {
				break
			}
			if m > n {
				b.WriteString(f.source[at:a])
				found = true
			}
			b.WriteString(f.unused(name))
			at = to
		}
		if found {
			f.add("statement", from, at, b.String(), "`"+short(f.slice(s.first, s.last), 30)+"` and `"+short(name+"."+back+"()", 30)+"` left out")
		}
	}
}

// unused is a statement that does nothing, and with which a name is still used in Go.
func (f *file) unused(name string) string {
	if f.lang.bare {
		return "_ = &" + name
	}
	return f.lang.empty
}
