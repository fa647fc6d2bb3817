package lsp

import (
	"bytes"
	"context"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// mendBudget bounds how many bytes are parsed to understand one file that is
// being written; a file of usual size gets hundreds of attempts, the greatest
// a few.
const mendBudget = 16 << 20

// mostMends bounds the attempts whatever the size is.
const mostMends = 24

// mend is a text without its syntax errors: brackets that are open are closed,
// and lines that the parser does not understand are blank. Nothing is said of
// where things stand then. It is nil where that does not succeed, or where the
// line with the placeholder would be lost.
func mend(ctx context.Context, src []byte) ([]byte, *hclsyntax.Body) {
	src = closeAll(src)
	for tries, budget := 0, mendBudget; tries < mostMends && (tries == 0 || budget > len(src)) && ctx.Err() == nil; tries++ {
		budget -= len(src)
		body, diags := dsl.Syntax("", src)
		if body == nil {
			return nil, nil
		}
		if !diags.HasErrors() {
			return src, body
		}
		from, to, ok := wrongLine(src, diags)
		if !ok || bytes.Contains(src[from:to], []byte(placeholder)) {
			return nil, nil
		}
		src = closeAll(append(bytes.Clone(src[:from]), src[to:]...))
	}
	return nil, nil
}

// closeAll closes what is open: at the end, and before a block that begins
// without indentation.
func closeAll(src []byte) []byte {
	if balanced(src) {
		return src
	}
	s := scanner{src: src, outdented: true}
	open := closers(s.run(len(src))[1:])
	var out []byte
	done := 0
	for _, r := range s.repaired {
		// At the end of the line before.
		at := bytes.LastIndexByte(src[:r.at], '\n')
		at = max(at, done)
		out = append(append(out, src[done:at]...), r.closed...)
		done = at
	}
	out = append(append(out, src[done:]...), open...)
	return append(out, '\n')
}

// wrongLine is where the line of the first error begins and ends that still
// has anything on it.
func wrongLine(src []byte, diags hcl.Diagnostics) (from, to int, ok bool) {
	for _, d := range diags {
		if d.Severity != hcl.DiagError || d.Subject == nil {
			continue
		}
		at := min(d.Subject.Start.Byte, len(src))
		from = bytes.LastIndexByte(src[:at], '\n') + 1
		to = len(src)
		if n := bytes.IndexByte(src[at:], '\n'); n >= 0 {
			to = at + n
		}
		if len(bytes.TrimSpace(src[from:to])) > 0 {
			return from, to, true
		}
	}
	return 0, 0, false
}
