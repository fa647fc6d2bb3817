package main

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
)

// libraryFiles are the files of the standard library that are made from the
// engine's own tables.
func libraryFiles() []page {
	return []page{
		{"cuga.scenario.hcl", libraryFile(failure.Cuga(), "cuga", cugaIntro) + cugaRetry},
		{"routing.scenario.hcl", libraryFile(failure.Routing(), "routing", routingIntro)},
	}
}

const (
	cugaIntro = `The default taxonomy: the modes of CUGA's failures. It extends the engine's of
the same name, whose rules say which failure has which mode.`
	routingIntro = `The classes of a failure in routing: five, by which a caller decides where to go
next. It extends the engine's taxonomy of the same name, whose rules say which
failure has which class.`
)

// cugaRetry has the values that CUGA's own policy has by default.
const cugaRetry = `
# One second, then twice as long each time up to a minute, each wait up to a tenth
# longer or shorter.
retry "exponential" "cuga" {
  base        = "1s"
  multiplier  = 2
  max_delay   = "60s"
  jitter      = 0.1
  max_retries = 3
}
`

// libraryFile declares a taxonomy of the engine with all that is true of its
// modes.
func libraryFile(t *failure.Taxonomy, name, intro string) string {
	var b strings.Builder
	for _, line := range strings.Split(intro, "\n") {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	fmt.Fprintf(&b, "# This file is generated from the code by `go generate ./...`.\ntaxonomy %q {\nextends = taxonomy.%s\n", name, name)
	for _, m := range t.Modes() {
		fmt.Fprintf(&b, "\nmode %q {\ncategory = %q\nretryable = %t\nterminal = %t\npartial = %t\nseverity = %q\n}\n", m.Code, m.Category, m.Retryable, m.Terminal, m.Partial, m.Severity)
	}
	b.WriteString("}\n")
	return string(dsl.Format([]byte(b.String())))
}
