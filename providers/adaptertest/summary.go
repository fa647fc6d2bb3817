package adaptertest

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// Summary writes what an answer says, for comparing: everything but its status,
// its headers and how it was timed.
func Summary(out providers.Output) string {
	var b strings.Builder
	fmt.Fprintf(&b, "content   %q\nchunks    %q\nreasoning %q\nfinish    %q\n", out.Content, out.Chunks, out.Reasoning, out.FinishReason)
	for _, c := range out.ToolCalls {
		fmt.Fprintf(&b, "tool call %+v\n", c)
	}
	for _, p := range out.Progress {
		fmt.Fprintf(&b, "progress  %+v\n", p)
	}
	if out.Structured != nil || out.IsError {
		fmt.Fprintf(&b, "structured %s\nerror     %t\n", out.Structured, out.IsError)
	}
	if out.Rows != nil {
		fmt.Fprintf(&b, "columns   %v\nrows      %q\n", out.Columns, out.Rows)
	}
	if out.Affected != nil {
		fmt.Fprintf(&b, "affected  %d\n", *out.Affected)
	}
	fmt.Fprintf(&b, "usage     %+v\nmodel     %q\nid        %q", out.Usage, out.Model, out.ID)
	return b.String()
}
