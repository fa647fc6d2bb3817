// Package spelling finds the name that a misspelt one was meant to be.
//
//	spelling.Nearest("max_retry", []string{"max_delay", "max_retries"}) // max_retries
//	spelling.DidYouMean("sleep", []string{"llm", "wait"})                // ` Did you mean "wait"?`
package spelling
