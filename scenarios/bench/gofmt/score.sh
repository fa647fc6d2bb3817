#!/bin/sh
# Scores what gofmt -l said of a source. It gets the case and the answer as one
# line of JSON and looks for the members that tell; the case's own text is in
# quotes there, with every quote in it escaped.
in=$(cat)
has() { case "$in" in *"$1"*) true ;; *) false ;; esac }

said=clean
if has '"exit_code":2,'; then
	said=broken
elif has '"stdout":"<standard input>'; then
	said=untidy
fi

if has "\"want\":\"$said\""; then
	printf '{"passed":true,"score":1,"breakdown":{"verdict":1}}\n'
elif [ "$said" = broken ] || has '"want":"broken"'; then
	printf '{"passed":false,"score":0,"breakdown":{"verdict":0},"failure_modes":[{"code":"syntax_misjudged","detail":"said %s"}]}\n' "$said"
else
	printf '{"passed":false,"score":0.5,"breakdown":{"verdict":0},"failure_modes":[{"code":"layout_missed","detail":"said %s"}]}\n' "$said"
fi
