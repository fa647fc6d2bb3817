# Reads `go test -v` of the tests over recorded traffic: prints the table, what
# failed, and for each package how many tests passed and why others did not run.

/^ *\|/ { sub(/^ +/, ""); print; next }

/^=== / { current = $3; next }

/^ *--- / {
	test = $3
	if ($2 == "PASS:") passed++
	if ($2 == "SKIP:") { skipped++; why[last[test]]++ }
	if ($2 == "FAIL:") { failed++; print; printf "%s", said[test] }
	next
}

/^(ok  |FAIL\t)/ {
	sub(/.*\//, "", $2)
	printf "%s: %d passed, %d failed, %d skipped\n", $2, passed, failed, skipped
	for (w in why) print "  " why[w] "× skipped: " w | "sort"
	close("sort")
	passed = failed = skipped = 0
	split("", why); split("", said); split("", last)
	current = ""
	next
}

/^(FAIL|PASS)$/ { next }

# A line that belongs to no test is of the compiler, or of a panic.
current == "" { print; next }

{
	said[current] = said[current] $0 "\n"
	sub(/^ *[a-z_0-9]+_test\.go:[0-9]+: /, "")
	last[current] = $0
}

END { for (test in said) printf "%s", said[test] }
