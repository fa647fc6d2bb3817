# Reads `go test -v ./...`, prints each package's closing line and, of a package
# that failed, all it said, and ends with the counts.

function flush_failed(   i) {
	for (i = 0; i < n; i++)
		if (held[i] !~ /^=== / && held[i] !~ /^ *--- PASS/) print held[i]
}

/^ *--- PASS/ { passed++ }
/^ *--- FAIL/ { failed++ }
/^ *--- SKIP/ {
	skipped++
	if (n > 0 && held[n - 1] ~ /_test\.go:[0-9]+:/) print held[n - 1]
	print
}

/^ok  / || /^\?   / { print; n = 0; next }
/^FAIL\t/ {
	flush_failed(); print; n = 0
	if (/\[(build|setup) failed\]/) failed++
	next
}
{ held[n++] = $0 }

END {
	flush_failed()
	printf "go tests: %d passed, %d failed, %d skipped\n", passed, failed, skipped
}
