package scenariotest

import (
	"bytes"
	"runtime"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// bubbleOf is the bubble in the first line of a goroutine's stack.
var bubbleOf = pattern.New(`synctest bubble [0-9]+`)

// leftInBubble are the stacks of the goroutines of the caller's bubble, but for the
// caller and those of the testing package, "" where there are none. The runtime tells
// of bubbles in its stacks alone.
func leftInBubble() string {
	buf := make([]byte, 1<<20)
	stacks := strings.Split(strings.TrimSpace(string(bytes.TrimSpace(buf[:runtime.Stack(buf, true)]))), "\n\n")
	mine := bubbleOf().FindString(firstLine(stacks[0])) // the caller's stack comes first
	if mine == "" {
		return ""
	}
	var left []string
	for _, s := range stacks[1:] {
		head := firstLine(s)
		if bubbleOf().FindString(head) == mine && !strings.Contains(s, ".testingSynctestTest(") && !strings.Contains(head, "[synctest.Run") {
			left = append(left, s)
		}
	}
	return strings.Join(left, "\n\n")
}

// inBubble reports whether the caller is in a bubble.
func inBubble() bool {
	buf := make([]byte, 1<<10)
	return bubbleOf().FindString(firstLine(string(buf[:runtime.Stack(buf, false)]))) != ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
