package source

import (
	"slices"
	"testing"
)

// Shows how tasks that run at one time are no longer kept apart.
func TestApart(t *testing.T) {
	storage := "({ run(s, f, ...a) { this.s = s; return f(...a); }, enterWith(s) { this.s = s; }, exit(f, ...a) { return f(...a); }, getStore() { return this.s; } })"
	for _, c := range []struct{ file, text, change, want string }{
		{"a.py", "a = threading.local()\n", "`threading.local()` is the same for all tasks", "a = type(\"\", (), {})()\n"},
		{"a.mjs", "const a = new AsyncLocalStorage();\n", "`new AsyncLocalStorage()` is the same for all tasks", "const a = " + storage + ";\n"},
		{"a.js", "const a = new hooks.AsyncLocalStorage();\n", "`new hooks.AsyncLocalStorage()` is the same for all tasks", "const a = " + storage + ";\n"},
		{"A.java", "class A {\n  static synchronized boolean b() { return c; }\n}\n", "`synchronized` left out", "class A {\n  static boolean b() { return c; }\n}\n"},
		{"A.java", "class A {\n  int b() { synchronized (this) { return c; } }\n}\n", "`synchronized (this)` left out", "class A {\n  int b() {  { return c; } }\n}\n"},
		{"A.java", "class A {\n  int b() { l.lock(); try { return c; } finally { l.unlock(); } }\n}\n", "`l.lock()` and `l.unlock()` left out", "class A {\n  int b() { ;; try { return c; } finally { ;; } }\n}\n"},
		{"a.go", "package a\n\nfunc f() {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tg()\n}\n", "`s.mu.Lock()` and `s.mu.Unlock()` left out", "package a\n\nfunc f() {\n\t_ = &s.mu\n\t_ = &s.mu\n\tg()\n}\n"},
		{"a.go", "package a\n\nfunc f() {\n\tmu.RLock()\n\tif a {\n\t\tmu.RUnlock()\n\t\treturn\n\t}\n\tmu.RUnlock()\n\tmu.Lock()\n}\n", "`mu.RLock()` and `mu.RUnlock()` left out", "package a\n\nfunc f() {\n\t_ = &mu\n\tif a {\n\t\t_ = &mu\n\t\treturn\n\t}\n\t_ = &mu\n\tmu.Lock()\n}\n"},
		{"a.go", "package a\n\nfunc f() {\n\tonce.Do(func() { g() })\n}\n", "`once.Do(…)` each time", "package a\n\nfunc f() {\n\t(func() { g() })()\n}\n"},
		{"a.py", "def f():\n    a.acquire()\n    try:\n        b()\n    finally:\n        a.release()\n", "`a.acquire()` and `a.release()` left out", "def f():\n    pass\n    try:\n        b()\n    finally:\n        pass\n"},
		{"a.rb", "@a.synchronize { b }\n", "`@a.synchronize` left out", "instance_exec { b }\n"},
		{"a.py", "async def f():\n    async with a:\n        b()\n", "`async with a` left out", "async def f():\n    if True:\n        b()\n"},
	} {
		var got []string
		for _, m := range sound(t, c.file, []byte(c.text)) {
			if m.Change == c.change {
				got = append(got, string(m.Apply([]byte(c.text))))
			}
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%s %q: %s: got %q, want %q", c.file, c.text, c.change, got, c.want)
		}
	}
	for _, c := range []struct{ file, text string }{
		{"a.py", "a = local()\nb = c.local()\n"},
		{"a.go", "package a\n\nfunc f() {\n\tmu.Lock()\n\tg()\n}\n"},
	} {
		for _, m := range sound(t, c.file, []byte(c.text)) {
			if m.Operator == "related" || m.Text == "_ = &mu" {
				t.Errorf("%s: %s", c.file, m.Change)
			}
		}
	}
}
