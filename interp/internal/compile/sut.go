package compile

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/interp/internal/compile/said"
	"github.com/scenario-lang/scenario/interp/internal/compile/unit"
	"github.com/scenario-lang/scenario/interp/internal/compile/unseen"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// sut compiles the program that the scenario is about, but for its condition. It
// comes before the ways of the scenario are known.
func (sc *scenarioCompiler) sut() {
	b := sc.block.First("sut")
	if b == nil {
		return
	}
	r := sc.Read(b)
	s := &plan.Sut{
		Dir: r.String("dir"), Timeout: r.Duration("timeout"), TimeScale: r.Float("time_scale"), Settle: r.Duration("settle"),
		StopTimeout: r.Duration("stop_timeout"), AllowHosts: r.Strings("allow_hosts"),
		Telemetry: true, Metrics: r.String("metrics"), Rng: b.DefRange,
	}
	if exports, ok := r.Value("telemetry").(bool); ok {
		s.Telemetry = exports
	}
	// The default has to be enough for any program to start, which no scale hastens.
	s.TimeoutScaled = r.Has("timeout") && s.TimeScale != 1
	sc.p.Sut = s
	sc.serves(s, r)
	s.Command = sc.ofProgram(b, "command", schema.ShapeTuple, "a list of the program and its arguments")
	s.Env = sc.ofProgram(b, "env", schema.ShapeObject, `an object, such as { MODE = "test" }`)
	s.Stdin = sc.ofProgram(b, "stdin", schema.ShapeString, "a string")
	sc.commandOf(s, r)
	sc.dirOf(s, r)
	for _, host := range s.AllowHosts {
		if name, port, ok := cutLast(host, ":"); !ok || name == "" || port == "" || strings.Contains(host, "/") {
			r.EntryErrorf("allow_hosts", host, "Wrong value", `%q is not a host with its port, such as "metrics.example:443" or "*.example:443".`, host)
		}
	}
	said.Page(s, r)
	if n := b.First("ready"); n != nil {
		sc.ready(s, n)
	}
	sc.givesNames(s, b)
}

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// serves finds the provider that the program is.
func (sc *scenarioCompiler) serves(s *plan.Sut, r dsl.Reader) {
	ref := r.Ref("serves")
	p := unit.Find(sc.Unit, sc.providers, ref)
	switch {
	case p == nil:
		return
	case p.Kind.Family != "http" && p.Kind.Family != "mcp":
		sc.Errorf(ref.Range, "Provider of another kind", "A program that is tested as a server is a provider of kind http or mcp, and provider.%s is of kind %q.", p.Name, p.Kind.Name)
		return
	case p.Command != nil:
		sc.Errorf(ref.Range, "Provider of another kind", "provider.%s is a server over a pipe, which no program under test can be: give the provider a base_url.", p.Name)
		return
	}
	s.Serves = p
}

// commandOf refuses a command in which no program is named.
func (sc *scenarioCompiler) commandOf(s *plan.Sut, r dsl.Reader) {
	list, ok := s.Command.(*hclsyntax.TupleConsExpr)
	if !ok {
		return
	}
	first, literal := "", false
	if len(list.Exprs) > 0 {
		v, diags := dsl.Evaluate(list.Exprs[0], nil)
		literal = !diags.HasErrors() && !v.IsNull() && v.Type().FriendlyName() == "string"
		if literal {
			first = v.AsString()
		}
	}
	if len(list.Exprs) == 0 || literal && first == "" {
		r.Errorf("command", "Command without a program", `Give the program and its arguments, such as ["python3", "agent.py"].`)
	}
}

// dirOf refuses a directory outside of the suite.
func (sc *scenarioCompiler) dirOf(s *plan.Sut, r dsl.Reader) {
	if s.Dir == "" {
		return
	}
	at := path.Join(path.Dir(cmp.Or(sc.Options.Place, "file")), s.Dir)
	if path.IsAbs(s.Dir) || at == ".." || strings.HasPrefix(at, "../") {
		r.Errorf("dir", "Wrong value", "The directory %q is outside of the suite root. Paths are relative to the file and stay inside the suite.", s.Dir)
	}
}

// ready compiles how the program is known to be ready.
func (sc *scenarioCompiler) ready(s *plan.Sut, b *dsl.Block) {
	r := sc.Read(b)
	s.Ready = &plan.Ready{Path: r.String("path"), Status: r.Int("status"), Log: r.String("log"), Timeout: r.Duration("timeout")}
	for _, name := range []string{"path", "status"} {
		if r.Has(name) && sc.block.First("sut").Attr("serves") == nil {
			r.Errorf(name, "Attribute without a server", "%q is about a server, and the program serves nothing: give the sut serves = provider.NAME, or wait for a line of its output with log.", name)
			return
		}
	}
	switch {
	case r.Has("path") && !strings.HasPrefix(s.Ready.Path, "/"):
		r.Errorf("path", "Wrong value", "A path begins with /, as in \"/health\"; this is %q.", s.Ready.Path)
	case r.Has("status") && !r.Has("path"):
		r.Errorf("status", "Attribute without a path", "\"status\" is that of the answer to a GET of path, which is not given.")
	case sc.block.First("sut").Attr("serves") == nil && !r.Has("log"):
		sc.Errorf(b.DefRange, "Missing attribute", "A ready block of a program that serves nothing needs \"log\", a regular expression for the line that tells that it is ready.")
	}
	if _, err := regexp.Compile(s.Ready.Log); err != nil {
		r.Errorf("log", "Wrong pattern", "%q is no regular expression: %v.", s.Ready.Log, err)
	}
}

// givesNames checks the names of the variables that are written out.
func (sc *scenarioCompiler) givesNames(s *plan.Sut, b *dsl.Block) {
	obj, ok := s.Env.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return
	}
	for _, item := range obj.Items {
		key, diags := dsl.Evaluate(item.KeyExpr, sc.Statics)
		if diags.HasErrors() || key.IsNull() || key.Type().FriendlyName() != "string" {
			continue
		}
		if name := key.AsString(); name == "" || strings.ContainsAny(name, "=\x00") {
			sc.Errorf(item.KeyExpr.Range(), "Wrong value", "%q cannot be the name of a variable of the environment.", name)
		}
	}
}

// ofProgram is an expression of a sut block, nil where it is not given or wrong.
func (sc *scenarioCompiler) ofProgram(b *dsl.Block, name string, want schema.ShapeKind, form string) hclsyntax.Expression {
	e := b.Expr(name)
	if e == nil {
		return nil
	}
	env := *sc.Static
	env.Where = "the attribute " + name + " of a sut block"
	env.Roots = map[string]*schema.Shape{"provider": sc.listeners(), "sut": portShape, "var": sc.Static.Roots["var"], "local": sc.Static.Roots["local"]}
	shape, diags := dsl.Infer(e, &env)
	sc.Diags = append(sc.Diags, diags...)
	if diags.HasErrors() {
		return nil
	}
	if shape != nil && shape.Kind != schema.ShapeUnknown && shape.Kind != want {
		hint := ""
		if name == "command" {
			hint = asList(e)
		}
		sc.Errorf(e.Range(), "Wrong value", "The attribute %q is %s, not %s.%s", name, form, shape.KindName(), hint)
		return nil
	}
	return e
}

// noShell begins what is said of a command that somebody wrote as one string.
const noShell = " No shell reads it."

// asList says how a command is written that somebody wrote as one string, and nothing of
// what is no text that the file itself has: that may be a secret.
func asList(e hclsyntax.Expression) string {
	v, literal := dsl.Literal(e)
	if !literal || v.Type() != cty.String || v.IsNull() {
		return ""
	}
	if list := wording.Command(v.AsString()); list != "" {
		return noShell + "\nhint: write command = " + list
	}
	return noShell
}

// asWritten is asList for a string with values in it: the list has the expressions that were
// written and not what they are for one case.
func asWritten(e hclsyntax.Expression) string {
	template, ok := e.(*hclsyntax.TemplateExpr)
	if !ok || len(template.Parts) < 2 {
		return asList(e)
	}
	if rng := e.Range(); rng.End.Byte-rng.Start.Byte > wording.Longest {
		return noShell
	}
	var words []string
	word, whole := "", false // whole says that an expression alone is a word so far
	end := func() {
		switch {
		case whole:
			words = append(words, strings.TrimSuffix(strings.TrimPrefix(word, "${"), "}"))
		case word != "":
			words = append(words, `"`+word+`"`)
		}
		word, whole = "", false
	}
	for _, part := range template.Parts {
		l, literal := part.(*hclsyntax.LiteralValueExpr)
		if !literal || l.Val.IsNull() || l.Val.Type() != cty.String {
			whole = word == ""
			word += "${" + string(dsl.AppendSource(nil, part)) + "}"
			continue
		}
		said := l.Val.AsString()
		if strings.ContainsAny(said, "\"'\\$%|&;<>()`\n\r\t") {
			return noShell
		}
		for i, piece := range strings.Split(said, " ") {
			if i > 0 {
				end()
			}
			if piece != "" {
				word, whole = word+piece, false
			}
		}
	}
	end()
	return fmt.Sprintf("%s\nhint: write command = [%s]", noShell, strings.Join(words, ", "))
}

// portShape is what expressions of a program read of it.
var portShape = &schema.Shape{Kind: schema.ShapeObject, Name: "program", Attrs: map[string]*schema.Shape{
	"port": {Kind: schema.ShapeNumber, Doc: "A port that was free when the run began."},
}}

// Where a program finds a provider.
var (
	urlShape     = &schema.Shape{Kind: schema.ShapeObject, Name: "provider", Attrs: map[string]*schema.Shape{"url": {Kind: schema.ShapeString, Doc: "Its base_url, with the listener of the run in the place of the host."}}}
	dsnShape     = &schema.Shape{Kind: schema.ShapeObject, Name: "database", Attrs: map[string]*schema.Shape{"dsn": {Kind: schema.ShapeString, Doc: "The connection string of the listener of the run."}}}
	commandShape = &schema.Shape{Kind: schema.ShapeObject, Name: "server over a pipe", Attrs: map[string]*schema.Shape{"command": {Kind: schema.ShapeTuple, Elem: schema.StringShape, Doc: "The program that joins its standard streams to the run, a list."}}}
)

// listeners is what the root provider reads in a sut block.
func (sc *scenarioCompiler) listeners() *schema.Shape {
	dir := plan.Directory("provider", unit.InFile, map[string]*schema.Shape{})
	for name, p := range sc.providers {
		switch {
		case p.Kind.Family == "sql":
			dir.Attrs[name] = dsnShape
		case p.Command != nil:
			dir.Attrs[name] = commandShape
		default:
			dir.Attrs[name] = urlShape
		}
	}
	return dir
}

// until compiles the condition at which the run ends. It comes after the
// endpoints are known.
func (sc *scenarioCompiler) until(env *dsl.Env) {
	if sc.p.Sut == nil {
		return
	}
	b := sc.block.First("sut")
	a, diags := sc.conditionOf(b, b.Expr("until"), env)
	sc.Diags = append(sc.Diags, diags...)
	if a == nil {
		return
	}
	if part := unseen.New(sc.nodes(), sc.p.Prefix, sc.p.Sut.Serves != nil).In(a.Condition).Driven; part != "" {
		sc.Errorf(a.Condition.Range(), "Condition about nothing observed", "%s is not observed where a program makes the calls, so the run would never end. Refer to endpoint, sut or run.", part)
		return
	}
	sc.seesLess(a.Condition)
	i := &plan.Invariant{Assertion: *a, Needs: &read.Needs{}}
	i.Name = "until"
	i.Needs.Add(a.Condition)
	for _, name := range []string{"stdout", "stderr"} {
		if i.Needs.Of("sut").Of(name) != nil {
			sc.Warnf(a.Condition.Range(), "Condition of a program that has ended", "sut.%s is known when the program has ended, so the run goes on until that, or until its timeout. Wait for what the program asks, such as endpoint.NAME.status == \"success\", and check sut.%[1]s in an assert.", name)
		}
	}
	i.Absence = sc.absence(a.Condition)
	sc.p.Sut.Until = i
}

// drivesServer checks a scenario whose workflow and calls ask a server under
// test.
func (sc *scenarioCompiler) drivesServer() {
	served := sc.p.Sut.Serves
	plan.EachNode(sc.p.Nodes(), func(n *plan.Node) {
		if n.Step.Gateway == nil {
			return
		}
		if i := slices.IndexFunc(n.Step.Gateway.Targets, func(t *plan.Target) bool { return t.Provider != served }); i >= 0 {
			sc.Errorf(n.Step.Rng, "Step beside the server", "%q asks provider.%s, and the program under test is provider.%s: in a scenario whose sut serves, steps and calls ask the program. What the program asks in turn is an endpoint: `on %q { … }`.", n.Name, n.Step.Gateway.Targets[i].Provider.Name, served.Name, n.Step.Gateway.Targets[i].Provider.Name)
		}
	})
	for _, n := range sc.asked.declared {
		if n.Step.Gateway.Targets[0].Provider == served {
			sc.Errorf(sc.p.Sut.Rng, "Endpoint of the program itself", "The program is provider.%s, and endpoint %q is a call to that: a program that is tested as a server answers it itself.", served.Name, n.Name)
		}
	}
	if !sc.Read(sc.block).Has("run") && len(sc.p.Actions) == 0 && sc.block.First("sut").Expr("until") == nil {
		sc.Errorf(sc.p.Sut.Rng, "Server that nobody asks", "The program serves provider.%s, and the scenario neither runs a workflow nor makes a call, so it would be over at once. Give it run = workflow.NAME, a call block, or until.", served.Name)
	}
}

// withoutProgram refuses a program in a scenario that only the interpreter runs.
func (sc *scenarioCompiler) withoutProgram(why string) {
	if sc.p.Sut != nil {
		sc.Errorf(sc.p.Sut.Rng, "Program without a part", "No program can take part in the scenario: %s. Leave the sut block out, or give the program a scenario of its own.", why)
	}
}
