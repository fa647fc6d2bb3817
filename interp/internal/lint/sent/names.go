package sent

import (
	"slices"
	"strings"
)

// isLink reports whether a member of an answer of this name is there to be sent with a later request: the
// cursor of the next page, a token, the id of an upload.
func isLink(name string) bool { return isToken(name) || slices.Contains(pages, bare(name)) }

// isToken reports whether it is one that all later requests carry, whatever they ask.
func isToken(name string) bool { return slices.Contains(tokens, bare(name)) }

var (
	pages  = []string{"next", "cursor", "nextcursor", "nextpage", "nextpagetoken", "pagetoken", "nexttoken", "continuationtoken", "etag"}
	tokens = []string{"accesstoken", "uploadid"}
)

func bare(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }
