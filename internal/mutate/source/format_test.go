package source

import (
	"slices"
	"testing"
)

// Shows what of a format is left out, in each language: each row has all changed texts of the operator, in their order.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"computed", "a.py", "x = f\"{a * b:.2f}\"\n", []string{"x = f\"{a * b}\"\n", "x = f\"{a * b:.4g}\"\n"}},
		{"printed", "a.py", "print(a, f'{b:,.1f}')\n", []string{
			"print(a, f'{b:.1f}')\n", "print(a, f'{b:,}')\n", "print(a, f'{b:,.3g}')\n",
		}},
		{"widths", "a.py", "x = f\"{a!r:>8}|{b:05d}|{c:*^+9.3}\"\n", []string{
			"x = f\"{a!r}|{b:05d}|{c:*^+9.3}\"\n", "x = f\"{a!r:>8}|{b:d}|{c:*^+9.3}\"\n",
			"x = f\"{a!r:>8}|{b:05d}|{c:+.3}\"\n", "x = f\"{a!r:>8}|{b:05d}|{c:*^9.3}\"\n", "x = f\"{a!r:>8}|{b:05d}|{c:*^+9}\"\n",
		}},
		{"computed formats", "a.py", "x = f\"{a:>{b}}\"\n", []string{"x = f\"{a}\"\n"}},
		{"dates in texts", "a.py", "x = f\"{a:%Y-%m-%d}\"\n", []string{
			"x = f\"{a:%m-%d}\"\n", "x = f\"{a:%Y-%d}\"\n", "x = f\"{a:%Y-%m}\"\n",
		}},
		{"braces", "a.py", "x = \"{{:3}}{:.2f} {b!s:<4}\".format(a, b=c)\n", []string{
			"x = \"{{:3}}{} {b!s:<4}\".format(a, b=c)\n", "x = \"{{:3}}{:.4g} {b!s:<4}\".format(a, b=c)\n", "x = \"{{:3}}{:.2f} {b!s}\".format(a, b=c)\n",
		}},
		{"the function", "a.py", "x = format(a, \".2f\")\n", []string{"x = format(a, \"\")\n", "x = format(a, \".4g\")\n"}},
		{"signs", "a.py", "x = \"%.2f\" % a + '%(b)-5s %%05d' % c\n", []string{
			"x = \"%.4g\" % a + '%(b)-5s %%05d' % c\n", "x = \"%s\" % a + '%(b)-5s %%05d' % c\n", "x = \"%.2f\" % a + '%(b)s %%05d' % c\n",
		}},
		{"no formats", "a.py", "x = a % 2\ny = '%.2f'\nz = {b: '.2f'}\nlogging.info('%.2f', w)\nraise A(f'{b:.2f}')\n", nil},
		{"dates", "a.py", "x = a.strftime('%F %H:%M')\ny = b.strptime(c, '%H:%M')\n", []string{
			"x = a.strftime('%H:%M')\ny = b.strptime(c, '%H:%M')\n", "x = a.strftime('%Y-%m %H:%M')\ny = b.strptime(c, '%H:%M')\n",
			"x = a.strftime('%F:%M')\ny = b.strptime(c, '%H:%M')\n", "x = a.strftime('%F %H')\ny = b.strptime(c, '%H:%M')\n",
		}},
		{"Go", "a.go", "package a\n\nvar b = fmt.Sprintf(\"%.2f %05d %+[1]d\", c, d)\n", []string{
			"package a\n\nvar b = fmt.Sprintf(\"%.4g %05d %+[1]d\", c, d)\n", "package a\n\nvar b = fmt.Sprintf(\"%v %05d %+[1]d\", c, d)\n",
			"package a\n\nvar b = fmt.Sprintf(\"%.2f %d %+[1]d\", c, d)\n", "package a\n\nvar b = fmt.Sprintf(\"%.2f %05d %[1]d\", c, d)\n",
		}},
		{"what Go prints", "a.go", "package a\n\nfunc f() { fmt.Fprintf(w, \"%-8s|\\n\", c); fmt.Printf(\"%x\", d); log.Printf(\"%5d\", e) }\n", []string{
			"package a\n\nfunc f() { fmt.Fprintf(w, \"%s|\\n\", c); fmt.Printf(\"%x\", d); log.Printf(\"%5d\", e) }\n",
		}},
		{"errors of Go", "a.go", "package a\n\nfunc f() error { return fmt.Errorf(\"%.1f\", c) }\n", []string{
			"package a\n\nfunc f() error { return fmt.Errorf(\"%.3g\", c) }\n", "package a\n\nfunc f() error { return fmt.Errorf(\"%v\", c) }\n",
		}},
		{"numbers of Go", "a.go", "package a\n\nvar b = strconv.FormatFloat(c, 'f', 2, 64)\n", []string{
			"package a\n\nvar b = strconv.FormatFloat(c, 'f', -1, 64)\n", "package a\n\nvar b = strconv.FormatFloat(c, 'g', 4, 64)\n",
		}},
		{"dates of Go", "a.go", "package a\n\nvar b, c = d.Format(\"2006-01-02\"), d.Format(time.RFC3339)\nvar e = time.Parse(\"15:04\", f)\n", []string{
			"package a\n\nvar b, c = d.Format(\"01-02\"), d.Format(time.RFC3339)\nvar e = time.Parse(\"15:04\", f)\n",
			"package a\n\nvar b, c = d.Format(\"2006-02\"), d.Format(time.RFC3339)\nvar e = time.Parse(\"15:04\", f)\n",
			"package a\n\nvar b, c = d.Format(\"2006-01\"), d.Format(time.RFC3339)\nvar e = time.Parse(\"15:04\", f)\n",
			"package a\n\nvar b, c = d.Format(\"2006-01-02\"), d.Format(time.RFC3339[:19])\nvar e = time.Parse(\"15:04\", f)\n",
			"package a\n\nvar b, c = d.Format(\"2006-01-02\"), d.Format(time.RFC3339[:10])\nvar e = time.Parse(\"15:04\", f)\n",
		}},
		{"Java", "A.java", "class A { String b = String.format(\"%,.2f\", c) + \"%-4d\".formatted(d); }\n", []string{
			"class A { String b = String.format(\"%.2f\", c) + \"%-4d\".formatted(d); }\n", "class A { String b = String.format(\"%,.4g\", c) + \"%-4d\".formatted(d); }\n",
			"class A { String b = String.format(\"%s\", c) + \"%-4d\".formatted(d); }\n", "class A { String b = String.format(\"%,.2f\", c) + \"%d\".formatted(d); }\n",
		}},
		{"what Java prints", "A.java", "class A { void b() { System.out.printf(Locale.US, \"%8.1f%n\", c); } }\n", []string{
			"class A { void b() { System.out.printf(Locale.US, \"%.1f%n\", c); } }\n", "class A { void b() { System.out.printf(Locale.US, \"%8.3g%n\", c); } }\n",
			"class A { void b() { System.out.printf(Locale.US, \"%8s%n\", c); } }\n",
		}},
		{"numbers of Java", "A.java", "class A { B b = new DecimalFormat(\"#,##0.00\"); }\n", []string{
			"class A { B b = new DecimalFormat(\"###0.00\"); }\n", "class A { B b = new DecimalFormat(\"#,##0\"); }\n", "class A { B b = new DecimalFormat(\"#,##0.##\"); }\n",
		}},
		{"dates of Java", "A.java", "class A { B b = B.ofPattern(\"yyyy-MM'T'HH\"); }\n", []string{
			"class A { B b = B.ofPattern(\"MM'T'HH\"); }\n", "class A { B b = B.ofPattern(\"yyyy'T'HH\"); }\n", "class A { B b = B.ofPattern(\"yyyy-MM\"); }\n",
		}},
		{"JavaScript", "a.mjs", "x = `${a.toFixed(2)}`; y = b.toFixed(c);\n", []string{"x = `${a.toPrecision(4)}`; y = b.toFixed(c);\n"}},
		{"dates of JavaScript", "a.ts", "x = a.format('YYYY-MM-DD'); y = a.format('It is YYYY');\n", []string{
			"x = a.format('MM-DD'); y = a.format('It is YYYY');\n", "x = a.format('YYYY-DD'); y = a.format('It is YYYY');\n", "x = a.format('YYYY-MM'); y = a.format('It is YYYY');\n",
		}},
		{"Ruby", "a.rb", "x = format(\"%.2f#{a}%05d\", b, c)\ny = '%-3s' % d\nputs format '%+d', e\n", []string{
			"x = format(\"%.4g#{a}%05d\", b, c)\ny = '%-3s' % d\nputs format '%+d', e\n", "x = format(\"%s#{a}%05d\", b, c)\ny = '%-3s' % d\nputs format '%+d', e\n",
			"x = format(\"%.2f#{a}%d\", b, c)\ny = '%-3s' % d\nputs format '%+d', e\n", "x = format(\"%.2f#{a}%05d\", b, c)\ny = '%s' % d\nputs format '%+d', e\n",
			"x = format(\"%.2f#{a}%05d\", b, c)\ny = '%-3s' % d\nputs format '%d', e\n",
		}},
		{"dates of Ruby", "a.rb", "x = a.strftime(\"%H:%M\")\n", []string{"x = a.strftime(\"%M\")\n", "x = a.strftime(\"%H\")\n"}},
		{"the shell", "a.sh", "printf '%s %.2f\\n' a \"$b\"\nprintf -v c \"%03d\" 7\nprintf %5d \"${d%.2f}\" >&2\n", []string{
			"printf '%s %.4g\\n' a \"$b\"\nprintf -v c \"%03d\" 7\nprintf %5d \"${d%.2f}\" >&2\n", "printf '%s %s\\n' a \"$b\"\nprintf -v c \"%03d\" 7\nprintf %5d \"${d%.2f}\" >&2\n",
			"printf '%s %.2f\\n' a \"$b\"\nprintf -v c \"%d\" 7\nprintf %5d \"${d%.2f}\" >&2\n",
		}},
		{"dates of the shell", "a.sh", "x=$(date -u \"+%F %T\")\ny=$(date -d '%Y-%m' +%s)\n", []string{
			"x=$(date -u \"+%T\")\ny=$(date -d '%Y-%m' +%s)\n", "x=$(date -u \"+%Y-%m %T\")\ny=$(date -d '%Y-%m' +%s)\n",
			"x=$(date -u \"+%F\")\ny=$(date -d '%Y-%m' +%s)\n", "x=$(date -u \"+%F %H:%M\")\ny=$(date -d '%Y-%m' +%s)\n",
		}},
		{"awk in the shell", "a.sh", "awk '{ printf \"%.1f %s\\n\", $1, strftime(\"%H:%M\") }' a\n", []string{
			"awk '{ printf \"%.3g %s\\n\", $1, strftime(\"%H:%M\") }' a\n", "awk '{ printf \"%s %s\\n\", $1, strftime(\"%H:%M\") }' a\n",
			"awk '{ printf \"%.1f %s\\n\", $1, strftime(\"%M\") }' a\n", "awk '{ printf \"%.1f %s\\n\", $1, strftime(\"%H\") }' a\n",
		}},
		{"SQL in a text", "a.py", "x = a(\"SELECT printf('%.2f', b), strftime('%Y-%m', c) FROM d\")\n", []string{
			"x = a(\"SELECT printf('%.4g', b), strftime('%Y-%m', c) FROM d\")\n", "x = a(\"SELECT printf('%s', b), strftime('%Y-%m', c) FROM d\")\n",
			"x = a(\"SELECT printf('%.2f', b), strftime('%m', c) FROM d\")\n", "x = a(\"SELECT printf('%.2f', b), strftime('%Y', c) FROM d\")\n",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := applied(t, c.file, c.text, "format")
			want := slices.Clone(c.want)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%q\nwant\n%q", got, want)
			}
		})
	}
}

// Shows the parts of formats that other operators change: what takes the place of a method, an option, or a bound.
func TestFormatsOfMethods(t *testing.T) {
	for _, c := range []struct{ file, operator, text, want string }{
		{"a.mjs", "call", "x = a.padStart(5, '0');\n", "x = a;\n"},
		{"a.mjs", "call", "x = a.padEnd(5);\n", "x = a;\n"},
		{"a.mjs", "call", "x = a.toFixed(2);\n", "x = a;\n"},
		{"a.mjs", "call", "x = a.toPrecision(2);\n", "x = a;\n"},
		{"a.mjs", "call", "x = a.toLocaleString('en');\n", "x = a;\n"},
		{"a.mjs", "call", "x = a.toISOString().slice(0, 10);\n", "x = a.toISOString();\n"},
		{"a.mjs", "argument", "x = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2 }).format(a);\n", "x = new Intl.NumberFormat('en', { style: 'percent' }).format(a);\n"},
		{"a.mjs", "argument", "x = a.toLocaleString('en', { minimumFractionDigits: 2, style: 'percent' });\n", "x = a.toLocaleString('en', { style: 'percent' });\n"},
		{"a.rb", "call", "x = a.rjust(5)\n", "x = a\n"},
		{"a.rb", "call", "x = a.ljust(5)\n", "x = a\n"},
		{"a.py", "call", "x = a.zfill(5)\n", "x = a\n"},
		{"a.py", "call", "x = a.center(5)\n", "x = a\n"},
		{"a.py", "call", "x = a(\"SELECT ROUND(b, 2) FROM c\")\n", "x = a(\"SELECT b FROM c\")\n"},
	} {
		if got := applied(t, c.file, c.text, c.operator); !slices.Contains(got, c.want) {
			t.Errorf("missing of %s:\n%s\n%q", c.text, c.want, got)
		}
	}
}

// applied are the texts that one operator makes.
func applied(t *testing.T, file, text, operator string) (all []string) {
	t.Helper()
	for _, m := range sound(t, file, []byte(text)) {
		if m.Operator == operator {
			all = append(all, string(m.Apply([]byte(text))))
		}
	}
	return all
}
