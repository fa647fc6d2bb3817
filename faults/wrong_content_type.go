package faults

import (
	"net/http"
	"slices"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const wrongContentTypeName = "wrong_content_type"

var wrongContentType = &Kind{
	Name:    wrongContentTypeName,
	Summary: "A 200 with a content type that the client cannot read.",
	For:     overHTTP,
	Groups:  []Group{GroupGarbled},
	Attrs: []schema.Attr{
		{Name: "content_type", Type: schema.String, Doc: "The type that is announced: of the answer in the fault, or else of an HTML page. Without it an HTML page comes in the answer's place, as `text/html`; to a step of kind `http`, which takes every type as it comes, as `application/json`."},
	},
	Fails:  fails,
	Script: strikeWrongContentType,
}

// page is what a proxy or a captive portal answers in a service's place.
const page = "<!doctype html>\n<title>Welcome</title>\n<p>This page is not the answer that was asked for.</p>\n"

func strikeWrongContentType(s Strike) (wire.WireScript, error) {
	resp := answer(http.StatusOK, s.Vendor.WrongType(), []byte(page))
	if s.Base != nil {
		resp.Wait = s.Base.Wait
	}
	if s.has("content_type") {
		if s.Base != nil {
			resp, _ = s.disturbed(0)
			resp.Header = slices.Clone(resp.Header)
		}
		setHeaders(&resp, map[string]string{"Content-Type": s.text("content_type")})
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(wrongContentTypeName)), nil
}
