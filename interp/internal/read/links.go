package read

import (
	"slices"
	"strings"
)

// IsLink reports whether a member of an answer of this name is there to be sent with a later request: the
// cursor of the next page, a token, the id of an upload.
func IsLink(name string) bool { return IsToken(name) || slices.Contains(pages, bare(name)) }

// IsToken reports whether it is one that all later requests carry, whatever they ask.
func IsToken(name string) bool { return slices.Contains(tokens, bare(name)) }

var (
	pages  = []string{"next", "cursor", "nextcursor", "nextpage", "nextpagetoken", "pagetoken", "nexttoken", "continuationtoken", "etag"}
	tokens = []string{"accesstoken", "uploadid"}
)

func bare(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "") }
