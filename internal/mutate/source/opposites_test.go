package source

import "testing"

// Shows that what undoes each other is left out at all places of a file at once.
func TestOpposites(t *testing.T) {
	const rows = "[field for field in line.rstrip(\"\\r\\n\").split(\",\")] for line in "
	checkAtOnce(t, []atOnce{
		{"json", "a.py", "a[b] = json.dumps(c)\na[d] = json.dumps(e)\nf = json.loads(a[g])\n", []string{"a[b] = c\na[d] = e\nf = a[g]\n"}},
		{"json of others", "a.py", "a = json.loads(urlopen(b).read())\nc[d] = json.dumps(a)\n", nil},
		{"one side", "a.py", "a[b] = json.dumps(c)\na[d] = json.dumps(e)\n", nil},
		{"json", "a.mjs", "a.set(b, JSON.stringify(c));\nd = JSON.parse(a.get(b)).e;\n", []string{"a.set(b, c);\nd = a.get(b).e;\n"}},
		{"parts of a path", "a.mjs", "a = b.map((c) => encodeURIComponent(c));\nd = decodeURIComponent(e[1]);\n", []string{"a = b.map((c) => c);\nd = e[1];\n"}},
		{"base64", "a.rb", "a = Base64.strict_encode64(b)\nc = Base64.strict_decode64(d)\n", []string{"a = b\nc = d\n"}},
		{"csv", "a.py", "a = csv.writer(b)\na.writerow(c)\nfor d in csv.reader(e): f(d)\n", []string{
			"a = __import__(\"types\").SimpleNamespace(writerow=lambda row: b.write(\",\".join(map(str, row)) + \"\\n\"), writerows=lambda rows: [b.write(\",\".join(map(str, row)) + \"\\n\") for row in rows])\na.writerow(c)\nfor d in (" + rows + "e): f(d)\n",
		}},
		{"cents", "a.py", "a = round(b * 100)\na += int(round(c * 100))\nd = a / 100\n", []string{"a = (b)\na += (c)\nd = a \n"}},
		{"cents", "a.mjs", "a += Math.round(b * 100);\nd = (a / 100).toFixed(2);\n", []string{"a += (b);\nd = (a ).toFixed(2);\n"}},
		{"times", "a.mjs", "a = 1000 * b;\nc = d / 1000;\n", []string{"a =  b;\nc = d ;\n"}},
		{"other numbers", "a.py", "a = b * 100\nc = d / 60\n", nil},
	})
}

// Shows that exact decimals of Java are floats at all places of a file, and large whole numbers those of 64 bits.
func TestDecimals(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"a sum", "A.java", "class A { void f() { BigDecimal a = BigDecimal.ZERO; a = a.add(new BigDecimal(b.c())); } }\n", []string{
			"class A { void f() { BigDecimal a = BigDecimal.ZERO; a = java.math.BigDecimal.valueOf(a.doubleValue() + (new BigDecimal(b.c())).doubleValue()); } }\n",
		}},
		{"a product in a sum", "A.java", "class A { BigDecimal f(BigDecimal a, BigDecimal b) { return a.multiply(b).add(a); } }\n", []string{
			"class A { BigDecimal f(BigDecimal a, BigDecimal b) { return java.math.BigDecimal.valueOf(java.math.BigDecimal.valueOf(a.doubleValue() * (b).doubleValue()).doubleValue() + (a).doubleValue()); } }\n",
		}},
		{"a stream", "A.java", "class A { BigDecimal f() { return a.stream().reduce(BigDecimal.ZERO, BigDecimal::add); } }\n", []string{
			"class A { BigDecimal f() { return a.stream().reduce(BigDecimal.ZERO, (one, next) -> java.math.BigDecimal.valueOf(one.doubleValue() + next.doubleValue())); } }\n",
		}},
		{"a list", "A.java", "class A { void f(BigDecimal a) { b.add(a); } }\n", nil},
		{"whole numbers", "A.java", "class A { void f() { BigInteger a = BigInteger.ZERO; a = a.add(new BigInteger(b)); } }\n", []string{
			"class A { void f() { BigInteger a = BigInteger.ZERO; a = java.math.BigInteger.valueOf(a.longValue() + (new BigInteger(b)).longValue()); } }\n",
		}},
	})
}

// Shows what is not changed, as nearly every program has it and no scenario is about it.
func TestNotChanged(t *testing.T) {
	checkStructures(t, []structure{
		{"a time-out", "a.py", "a(b, timeout=5)\n", "number", ""},
		{"a time-out of JavaScript", "a.mjs", "a(b, { timeout: 5000 });\n", "number", ""},
		{"a time-out that is computed", "a.py", "a(b, timeout=5 * c)\n", "number", "a(b, timeout=6 * c)\n"},
		{"a table in memory", "a.py", "a = sqlite3.connect(\":memory:\")\n", "text", ""},
	})
}
