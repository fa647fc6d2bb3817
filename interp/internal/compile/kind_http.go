package compile

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
)

// httpKind sends a request.
type httpKind struct{ basicKind }

func (httpKind) family(*dsl.Block) string { return "http" }

func (httpKind) arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader) {
	s.Stream = r.Bool("stream")
	if s.Args["path"] != nil && s.Args["url"] != nil {
		wc.Errorf(s.Args["url"].NameRange, "Two addresses", "Give either path or url.")
	}
	if a := s.Args["path"]; a != nil && s.Args["url"] == nil && wholeAddress().MatchString(beginning(a.Expr)) {
		wc.Errorf(a.Expr.Range(), "Whole address in path", "A path is joined to the provider's base_url, and this is a whole address: write url in place of path, or leave out the beginning that base_url has.")
	}
	if a := s.Args["json"]; a != nil {
		wc.jsonInString(a, "the server gets a string without attributes")
	}
	if s.Args["body"] != nil && s.Args["json"] != nil {
		wc.Errorf(s.Args["json"].NameRange, "Two bodies", "Give either body or json.")
	}
	if a := s.Args["method"]; a != nil {
		if v, literal := dsl.Literal(a.Expr); literal && !v.IsNull() && v.Type() == cty.String {
			if meant := read.MethodMeant(v.AsString()); meant != "" {
				wc.Errorf(a.Expr.Range(), "Wrong value", "There is no method %q. Did you mean %q?", v.AsString(), meant)
			}
		}
	}
	expect, err := statusTest(r.Value("expect_status"))
	if err != nil {
		r.Errorf("expect_status", "Wrong value", "%s", sentence(err.Error()))
	}
	s.ExpectStatus = expect
}

// wholeAddress matches the beginning of a URL.
var wholeAddress = pattern.New(`^[A-Za-z][A-Za-z0-9+.-]*://`)

// beginning is the text with which a string begins as the file writes it, "" for any other.
func beginning(e hclsyntax.Expression) string {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && len(t.Parts) > 0 {
		e = t.Parts[0]
	}
	if v, written := dsl.Literal(e); written && !v.IsNull() && v.Type() == cty.String {
		return v.AsString()
	}
	return ""
}

// warn implements stepKind: it warns of a retry that a request's method makes
// weaker than it looks, where the file does not say that it is meant.
func (httpKind) warn(wc *workflowCompiler, s *plan.Step) {
	method := s.Block.Attr("method")
	if s.Idempotent != nil || s.Retry.MaxRetries == 0 || method == nil || !plan.IsLiteral(method.Expr) {
		return
	}
	in := providers.Input{Headers: map[string]string{}}
	if headers := s.Block.Attr("headers"); headers != nil {
		v, diags := dsl.Evaluate(headers.Expr, nil)
		if diags.HasErrors() || v.IsNull() || !v.Type().IsObjectType() {
			return // an Idempotency-Key may be among them
		}
		for name := range v.AsValueMap() {
			in.Headers[name] = ""
		}
	}
	v, diags := dsl.Evaluate(method.Expr, nil)
	if diags.HasErrors() || v.Type() != cty.String || v.IsNull() {
		return
	}
	if in.Method = strings.ToUpper(v.AsString()); s.MayRepeat(in) {
		return
	}
	wc.Warnf(method.Range, "Retry that may not repeat", "A %s may have had an effect, so its retry %q tries again only after a failure from before it was sent, 429 and 503. Set idempotent = true where the program sends it again all the same, false where this is meant.",
		strings.ToUpper(v.AsString()), s.Retry.Name)
}

// statusTest reads expect_status: a number, a class such as "2xx", a number in
// quotes, or a tuple of them. Nil means the default of 200 to 399.
func statusTest(v any) (func(int) bool, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if x != float64(int(x)) {
			return nil, fmt.Errorf("expect_status must be an integer, not %v", x)
		}
		return exactly(int(x))
	case string:
		if len(x) == 3 && x[1:] == "xx" && x[0] >= '1' && x[0] <= '5' {
			low := int(x[0]-'0') * 100
			return func(code int) bool { return code >= low && code < low+100 }, nil
		}
		n, err := strconv.Atoi(x)
		if err != nil {
			return nil, fmt.Errorf(`expect_status is a status such as 404, a class such as "2xx", or a list of them, not %q`, x)
		}
		return exactly(n)
	case []any:
		var any []func(int) bool
		for _, e := range x {
			test, err := statusTest(e)
			if err == nil && test == nil {
				err = errors.New("expect_status has a null in its list; leave that element out")
			}
			if err != nil {
				return nil, err
			}
			any = append(any, test)
		}
		return func(code int) bool {
			for _, test := range any {
				if test(code) {
					return true
				}
			}
			return false
		}, nil
	}
	return nil, fmt.Errorf(`expect_status is a status such as 404, a class such as "2xx", or a list of them`)
}

func exactly(n int) (func(int) bool, error) {
	if n < 100 || n > 599 {
		return nil, fmt.Errorf("expect_status must be between 100 and 599, not %d", n)
	}
	return func(code int) bool { return code == n }, nil
}
