package lint

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/spelling"
)

const (
	summaryHeaderName = "Header field that nobody reads"
	summaryRetryAfter = "Retry-After that is no time"
)

// headers warns of header fields of answers that are named like attributes, and of a
// Retry-After that is a duration of this language.
func (c *checker) headers() {
	for _, b := range c.file.Body.Blocks {
		if c.own(b) {
			c.headersOf(b)
		}
	}
}

func (c *checker) headersOf(b *dsl.Block) {
	for _, n := range b.Blocks {
		c.headersOf(n)
	}
	if b.Type != "fault" && b.Type != "reply" {
		return
	}
	a := b.Attr("headers")
	if a == nil {
		return
	}
	object, ok := a.Expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return
	}
	for _, item := range object.Items {
		name := keyOf(item)
		if !strings.Contains(name, "_") && !strings.EqualFold(name, "Retry-After") {
			continue
		}
		meant := spelling.Header(name)
		if strings.Contains(name, "_") && meant != "" {
			c.warnf(item.KeyExpr.Range(), summaryHeaderName, "No client reads a header field %q. Did you mean %q?", name, meant)
		}
		v, literal := dsl.Literal(item.ValueExpr)
		if meant != "Retry-After" || !literal || v.IsNull() || v.Type() != cty.String {
			continue
		}
		if d, err := dsl.ParseDuration(v.AsString()); err == nil {
			seconds := strconv.Itoa(int(math.Ceil(d.Seconds())))
			if _, err := http.ParseTime(v.AsString()); err != nil && seconds != v.AsString() {
				c.warnf(item.ValueExpr.Range(), summaryRetryAfter, "A client reads Retry-After as a number of seconds or a date, and not as a duration: write %q.", seconds)
			}
		}
	}
}
