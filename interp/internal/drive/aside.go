package drive

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// phrases are how the runtimes begin what they say of an exception that nobody caught and that did
// not end the program: of a thread (Python, Java, Ruby, Rust), of a task or a future (asyncio), of a
// promise (Node before 15, or with --unhandled-rejections=warn).
var phrases = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:Exception in thread .|Task exception was never retrieved$|Future exception was never retrieved$|\(node:\d+\) UnhandledPromiseRejectionWarning: |#<Thread:.* terminated with exception |thread '.*' panicked at )`)
})

// aside is what standard error says of an exception that nobody caught although the program went
// on, in the words of its runtime; "" for none.
func aside(stderr string) string {
	lines := strings.Split(stderr, "\n")
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		if !phrases().MatchString(line) {
			continue
		}
		for k := i + 1; k < min(len(lines), i+3); k++ { // of Python, behind which the traceback comes
			if raised := raisedAt(lines, k); raised != "" {
				return strings.TrimSuffix(line, ":") + ": " + raised
			}
		}
		return line
	}
	return ""
}

// traceback is how Python begins to tell of an exception.
const traceback = "Traceback (most recent call last):"

// raisedAt is the exception of a traceback that begins at a line, "" where none does.
func raisedAt(lines []string, at int) string {
	if at >= len(lines) || strings.TrimSuffix(lines[at], "\r") != traceback {
		return ""
	}
	for _, line := range lines[at+1:] {
		if line = strings.TrimSuffix(line, "\r"); line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			return line
		}
	}
	return ""
}

// shells are programs that start others and may end well although these did not.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish"}

// isShell reports whether a command is a shell, or a script of one by its name.
func isShell(command []string) bool {
	return len(command) > 0 && (slices.Contains(shells, path.Base(command[0])) || strings.HasSuffix(command[0], ".sh"))
}

// among is what standard error says of a program that ended by an exception which it did not catch,
// wherever that stands among what others wrote; "" for none. A traceback behind a line of a log was
// caught, and logged.
func among(stderr string) string {
	lines := strings.Split(stderr, "\n")
	for i, line := range lines {
		before := ""
		if i > 0 {
			before = lines[i-1]
		}
		if raised := raisedAt(lines, i); raised != "" && !isLogged(before) {
			return raised
		}
		if strings.HasPrefix(line, "Node.js v") {
			if said := uncaught(strings.Join(lines[:i+1], "\n")); said != "" {
				return said
			}
		}
	}
	return ""
}

// isLogged reports whether a line has the level of a log.
func isLogged(line string) bool {
	return slices.ContainsFunc([]string{"DEBUG", "INFO", "WARN", "ERROR", "CRITICAL", "FATAL"}, func(level string) bool { return strings.Contains(line, level) })
}
