package faults

import (
	"bytes"
	"slices"

	"github.com/scenario-lang/scenario/wire"
)

const badGzipName = "bad_gzip"

var badGzip = &Kind{
	Name:       badGzipName,
	Summary:    "An answer that claims to be compressed with gzip and is not.",
	For:        overHTTP,
	Groups:     []Group{GroupGarbled},
	Fails:      fails,
	Compressed: true,
	Script:     strikeBadGzip,
}

func strikeBadGzip(s Strike) (wire.WireScript, error) {
	resp, err := s.withBody(0)
	if err != nil {
		return wire.WireScript{}, err
	}
	if !plainlyNoGzip(resp.Body()) {
		resp.Parts = []wire.Part{{Data: []byte(brokenText)}}
	}
	resp.Header = slices.Clone(resp.Header)
	setHeaders(&resp, map[string]string{"Content-Encoding": "gzip"})
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(badGzipName)), nil
}

// plainlyNoGzip reports whether a body is seen to be no gzip by its header of
// ten bytes (RFC 1952 §2.3). A shorter one would be seen as cut.
func plainlyNoGzip(body []byte) bool {
	return len(body) >= 10 && !bytes.HasPrefix(body, []byte{0x1f, 0x8b})
}
