package cassette

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/httptext"
	"github.com/scenario-lang/scenario/cassette/internal/readable"
)

// storedLayout and storedSidecars say of an interaction's two bodies how they
// stand in the file, and which stand beside it.
type storedLayout struct {
	Request  []string `yaml:"request,omitempty,flow"`
	Response []string `yaml:"response,omitempty,flow"`
}

type storedSidecars struct {
	Request  string `yaml:"request,omitempty"`
	Response string `yaml:"response,omitempty"`
}

// sidecarText stands for a body in the file; its sum follows. It is for people,
// and for us to know a file whose keys go-vcr has dropped.
const sidecarText = "x-scenario: this body stands beside the file as "

// storeBodies turns the bodies into what stands in the file. Where there is no
// folder all of it does.
func (v *itemV1) storeBodies(f *bodyFolder) error {
	var layout storedLayout
	var sidecars storedSidecars
	for _, b := range []struct {
		body  *string
		typ   string
		words *[]string
		sum   *string
	}{
		{&v.Request.Body, v.Request.Headers.Get("Content-Type"), &layout.Request, &sidecars.Request},
		{&v.Response.Body, httptext.CanonicalHeader(v.Response.Headers).Get("Content-Type"), &layout.Response, &sidecars.Response},
	} {
		if f != nil && needsSidecar(*b.body) {
			*b.sum = bodySum(*b.body)
			if err := f.put(*b.sum, *b.body); err != nil {
				return err
			}
			*b.body = sidecarText + *b.sum
			continue
		}
		*b.body, *b.words = readable.LayOut(b.typ, *b.body)
	}
	if len(layout.Request)+len(layout.Response) > 0 {
		v.Own.Layout = &layout
	}
	if sidecars != (storedSidecars{}) {
		v.Own.Sidecars = &sidecars
	}
	return nil
}

// restoreBodies is the reverse.
func (v *itemV1) restoreBodies(f *bodyFolder) error {
	if b := v.Own.Sidecars; b != nil {
		for sum, body := range map[string]*string{b.Request: &v.Request.Body, b.Response: &v.Response.Body} {
			if sum == "" {
				continue
			}
			text, err := f.get(sum)
			if err != nil {
				return err
			}
			*body = text
		}
	}
	if l := v.Own.Layout; l != nil {
		var err error
		if v.Request.Body, err = readable.Restored(v.Request.Body, l.Request); err != nil {
			return err
		}
		if v.Response.Body, err = readable.Restored(v.Response.Body, l.Response); err != nil {
			return err
		}
	}
	return nil
}

// isSidecarText reports whether a file of go-vcr has a body of ours whose place
// is no longer known.
func isSidecarText(body []byte) bool { return strings.HasPrefix(string(body), sidecarText) }
