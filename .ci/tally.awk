# Reads `go test -v ./...`, prints each package's closing line and, of a package
# that failed, what its failed and its unfinished tests said. It ends with the
# counts. The last lines of each failure go to the file `again`, too, for those
# who see only the end of a long log.

function said(test, line) {
	if (!(test in logged)) { tests[++begun] = test; logged[test] = 0 }
	log_of[test, ++logged[test]] = line
}

function forget(test,   i) {
	for (i = 1; i <= logged[test]; i++) delete log_of[test, i]
	logged[test] = 0
}

function failures(   i, k, test, from) {
	for (i = 1; i <= begun; i++) {
		test = tests[i]
		for (k = 1; k <= logged[test]; k++) print log_of[test, k]
		from = logged[test] > 40 ? logged[test] - 39 : 1
		for (k = from; k <= logged[test]; k++) last_words[++repeated] = log_of[test, k]
	}
}

function next_package(   i) {
	for (i = 1; i <= begun; i++) { forget(tests[i]); delete logged[tests[i]] }
	begun = 0
	current = "(package)"
}

BEGIN { current = "(package)" }

/^=== (RUN|CONT|NAME) / { current = $3; next }
/^=== / { next }
/^ *--- PASS: / { passed++; forget($3); next }
/^ *--- SKIP: / {
	skipped++
	if (logged[$3] > 0 && log_of[$3, logged[$3]] ~ /_test\.go:[0-9]+:/) print log_of[$3, logged[$3]]
	print
	forget($3)
	next
}
/^ *--- FAIL: / { failed++; said($3, $0); next }

/^ok  / || /^\?   / { print; next_package(); next }
/^FAIL\t/ {
	failures(); print; last_words[++repeated] = $0
	next_package()
	if (/\[(build|setup) failed\]/) failed++
	next
}
{ said(current, $0) }

END {
	failures()
	for (k = 1; k <= repeated; k++) print last_words[k] > again
	printf "go tests: %d passed, %d failed, %d skipped\n", passed, failed, skipped
}
