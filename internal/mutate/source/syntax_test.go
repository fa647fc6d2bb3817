package source_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows that all that a language's syntax consists of is changed, or why it is not: for each part of each node of its
// grammar a file of testdata/syntax has a snippet in which that part stands between « and », or a reason. A change
// counts if all that it replaces lies between the two, so that leaving out a statement tells of nothing that stands
// in one.
func TestSyntax(t *testing.T) {
	for _, c := range []struct {
		file, name string
		nodes      []string
		around     func(string) string
	}{
		{"python", "a.py", pythonNodes(), func(s string) string { return s }},
		{"go", "a.go", goNodes(t), inFunction},
		{"javascript", "a.mjs", fieldsOf(estree), func(s string) string { return s }},
		{"javascript", "a.ts", fieldsOf(estree), func(s string) string { return s }},
		{"java", "A.java", fieldsOf(javaSyntax), func(s string) string { return s }},
		{"shell", "a.sh", fieldsOf(shellSyntax), func(s string) string { return s }},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "syntax", c.file+".txt"))
			if err != nil {
				t.Fatal(err)
			}
			var rows []string
			for row := range strings.SplitSeq("\n"+string(text), "\n# ") {
				if strings.TrimSpace(row) == "" {
					continue
				}
				head, snippet, _ := strings.Cut(row, "\n")
				name, reason, _ := strings.Cut(head, ": ")
				rows = append(rows, name)
				if (reason == "") == (snippet == "") {
					t.Errorf("%s: want a snippet or a reason", name)
					continue
				}
				if snippet != "" && !touched(t, c.name, c.around(snippet+"\n")) {
					t.Errorf("%s: nothing changes\n%s", name, snippet)
				}
			}
			for _, name := range c.nodes {
				if !slices.Contains(rows, name) {
					t.Errorf("there is no row %s", name)
				}
			}
			for i, name := range rows {
				if !slices.Contains(c.nodes, name) || slices.Index(rows, name) < i {
					t.Errorf("a row %s is too much", name)
				}
			}
		})
	}
}

// touched reports whether a change of a snippet lies between its marks.
func touched(t *testing.T, name, snippet string) bool {
	t.Helper()
	before, rest, is := strings.Cut(snippet, "«")
	within, after, ends := strings.Cut(rest, "»")
	if !is || !ends || strings.ContainsAny(after, "«»") {
		t.Errorf("no part is marked:\n%s", snippet)
	}
	text := before + within + after
	low, high := len(strings.TrimRight(before, " ")), len(text)-len(strings.TrimLeft(after, " "))
	return slices.ContainsFunc(source.Mutants(name, []byte(text)), func(m source.Mutant) bool {
		from, to, with := m.From, m.To, m.Text
		for to > from && with != "" && text[to-1] == with[len(with)-1] {
			to, with = to-1, with[:len(with)-1]
		}
		for from < to && with != "" && text[from] == with[0] {
			from, with = from+1, with[1:]
		}
		return low <= from && to <= high
	})
}

func inFunction(s string) string {
	if strings.HasPrefix(s, "package ") {
		return s
	}
	return "package a\n\nfunc f() int {\n" + s + "}\n"
}

// fieldsOf are the parts of the nodes in a list: `Name(field field)`, or the name of one that has none.
func fieldsOf(list string) (all []string) {
	for line := range strings.Lines(list) {
		name, fields, is := strings.Cut(strings.TrimSpace(line), "(")
		if name == "" {
			continue
		}
		if !is {
			all = append(all, name)
		}
		for field := range strings.FieldsSeq(strings.TrimSuffix(fields, ")")) {
			all = append(all, name+"."+field)
		}
	}
	return all
}

// goNodes are the parts of the nodes of go/ast as its own source has them, without what only says where they stand.
func goNodes(t *testing.T) (all []string) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "go/ast").Output()
	if err != nil {
		t.Fatalf("where go/ast is: %v", err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "ast.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	nodes := map[string]bool{}
	for _, d := range file.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Recv != nil && f.Name.Name == "End" {
			nodes[strings.TrimPrefix(types.ExprString(f.Recv.List[0].Type), "*")] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		s, is := n.(*ast.TypeSpec)
		if !is || !nodes[s.Name.Name] {
			return true
		}
		fields, is := s.Type.(*ast.StructType)
		if !is {
			return true
		}
		before := len(all)
		for _, f := range fields.Fields.List {
			switch types.ExprString(f.Type) {
			case "token.Pos", "*CommentGroup", "bool", "*Scope", "*Object":
				continue
			}
			for _, name := range f.Names {
				all = append(all, s.Name.Name+"."+name.Name)
			}
		}
		if len(all) == before {
			all = append(all, s.Name.Name)
		}
		return true
	})
	if len(all) < 80 {
		t.Fatalf("go/ast has %d parts", len(all))
	}
	return all
}

// pythonNodes are those of the module ast of Python 3.14, without Module and its like, ctx, and what only types have.
func pythonNodes() []string { return fieldsOf(pythonSyntax) }

// The table of the module ast of Python 3.14.
const pythonSyntax = `
	FunctionDef(name args body decorator_list returns type_params)
	AsyncFunctionDef(name args body decorator_list returns type_params)
	ClassDef(name bases keywords body decorator_list type_params)
	Return(value)
	Delete(targets)
	Assign(targets value)
	TypeAlias(name type_params value)
	AugAssign(target op value)
	AnnAssign(target annotation value)
	For(target iter body orelse)
	AsyncFor(target iter body orelse)
	While(test body orelse)
	If(test body orelse)
	With(items body)
	AsyncWith(items body)
	Match(subject cases)
	Raise(exc cause)
	Try(body handlers orelse finalbody)
	TryStar(body handlers orelse finalbody)
	Assert(test msg)
	Import(names)
	ImportFrom(module names level)
	Global(names)
	Nonlocal(names)
	Expr(value)
	Pass
	Break
	Continue
	BoolOp(op values)
	NamedExpr(target value)
	BinOp(left op right)
	UnaryOp(op operand)
	Lambda(args body)
	IfExp(test body orelse)
	Dict(keys values)
	Set(elts)
	ListComp(elt generators)
	SetComp(elt generators)
	DictComp(key value generators)
	GeneratorExp(elt generators)
	Await(value)
	Yield(value)
	YieldFrom(value)
	Compare(left ops comparators)
	Call(func args keywords)
	FormattedValue(value conversion format_spec)
	Interpolation(value conversion format_spec)
	JoinedStr(values)
	TemplateStr(values)
	Constant(value)
	Attribute(value attr)
	Subscript(value slice)
	Starred(value)
	Name(id)
	List(elts)
	Tuple(elts)
	Slice(lower upper step)
	Load
	Store
	Del
	And
	Or
	Add
	Sub
	Mult
	MatMult
	Div
	Mod
	Pow
	LShift
	RShift
	BitOr
	BitXor
	BitAnd
	FloorDiv
	Invert
	Not
	UAdd
	USub
	Eq
	NotEq
	Lt
	LtE
	Gt
	GtE
	Is
	IsNot
	In
	NotIn
	comprehension(target iter ifs is_async)
	ExceptHandler(type name body)
	arguments(posonlyargs args vararg kwonlyargs kw_defaults kwarg defaults)
	arg(arg annotation)
	keyword(arg value)
	alias(name asname)
	withitem(context_expr optional_vars)
	match_case(pattern guard body)
	MatchValue(value)
	MatchSingleton(value)
	MatchSequence(patterns)
	MatchMapping(keys patterns rest)
	MatchClass(cls patterns kwd_attrs kwd_patterns)
	MatchStar(name)
	MatchAs(pattern name)
	MatchOr(patterns)
	TypeIgnore
	TypeVar(name bound default_value)
	ParamSpec(name default_value)
	TypeVarTuple(name default_value)
`

// The nodes of ESTree, ES5 to ES2025, with what says what a program does.
const estree = `
	Identifier(name)
	Literal(value)
	RegExpLiteral(regex.pattern regex.flags)
	Program(body)
	ExpressionStatement(expression)
	Directive(directive)
	BlockStatement(body)
	StaticBlock(body)
	FunctionBody(body)
	EmptyStatement
	DebuggerStatement
	WithStatement(object body)
	ReturnStatement(argument)
	LabeledStatement(label body)
	BreakStatement(label)
	ContinueStatement(label)
	IfStatement(test consequent alternate)
	SwitchStatement(discriminant cases)
	SwitchCase(test consequent)
	ThrowStatement(argument)
	TryStatement(block handler finalizer)
	CatchClause(param body)
	WhileStatement(test body)
	DoWhileStatement(body test)
	ForStatement(init test update body)
	ForInStatement(left right body)
	ForOfStatement(left right body await)
	FunctionDeclaration(id params body)
	Function(generator async)
	VariableDeclaration(declarations kind)
	VariableDeclarator(id init)
	ThisExpression
	Super
	ArrayExpression(elements)
	ObjectExpression(properties)
	Property(key value kind method shorthand computed)
	FunctionExpression(body)
	ArrowFunctionExpression(params body)
	YieldExpression(argument delegate)
	UnaryExpression(operator argument)
	UpdateExpression(operator argument prefix)
	BinaryExpression(operator left right)
	AssignmentExpression(operator left right)
	LogicalExpression(operator left right)
	MemberExpression(object property computed optional)
	ChainExpression(expression)
	ConditionalExpression(test alternate consequent)
	CallExpression(callee arguments optional)
	NewExpression(callee arguments)
	SequenceExpression(expressions)
	SpreadElement(argument)
	RestElement(argument)
	TemplateLiteral(quasis expressions)
	TaggedTemplateExpression(tag quasi)
	TemplateElement(value)
	ObjectPattern(properties)
	AssignmentProperty(value)
	ArrayPattern(elements)
	AssignmentPattern(left right)
	ClassDeclaration(id)
	Class(superClass)
	ClassBody(body)
	MethodDefinition(key value kind computed static)
	PropertyDefinition(key value computed static)
	PrivateIdentifier(name)
	ClassExpression(body)
	MetaProperty(property)
	AwaitExpression(argument)
	ImportDeclaration(specifiers source attributes)
	ImportSpecifier(imported)
	ImportDefaultSpecifier(local)
	ImportNamespaceSpecifier(local)
	ImportAttribute(value)
	ImportExpression(source)
	ExportNamedDeclaration(declaration specifiers source)
	ExportSpecifier(exported)
	ExportDefaultDeclaration(declaration)
	ExportAllDeclaration(source)
`

// The statements and expressions of the Java Language Specification (SE 21, chapters 14 and 15), and the modifiers of
// chapter 8.
const javaSyntax = `
	modifier(synchronized volatile transient static final abstract public protected private native strictfp default sealed non-sealed)
	annotation
	type(parameters)
	block
	declaration
	labeled
	expression
	if
	assert
	switch
	switch(label arrow)
	while
	do
	for
	foreach
	break
	continue
	return
	throw
	synchronized
	try
	try(catch finally resource)
	yield
	literal
	new
	field
	call
	method reference
	lambda
	cast
	unary
	multiplicative
	additive
	shift
	relational
	instanceof
	equality
	equality(equals compareTo)
	conditional and
	conditional or
	conditional
	assignment
	compound assignment
	increment
	array
	pattern
	guard
	record
	enum
	import
`

// The grammar of POSIX (XCU, chapter 2) and the built-in utilities, with what bash has beside it.
const shellSyntax = `
	first line
	set
	set -o
	shopt
	simple command
	assignment
	assignment before a command
	word
	word.quoted
	word.parameters
	word.single quoted
	word.tilde
	word.brace
	word.pattern
	parameter(default alternative error prefix suffix replace case slice length)
	command substitution
	process substitution
	arithmetic
	redirection(in out append error both here)
	redirection.here quoted
	redirection.here string
	pipeline
	pipeline.negated
	and list
	or list
	background
	sequence
	group
	subshell
	if
	if.else
	for
	for.body
	while
	until
	case(word pattern clause any)
	select
	function
	function.local
	test
	test(file string equal pattern regexp integer)
	read
	read.option
	trap
	trap.signals
	export
	readonly
	unset
	shift
	exit
	return
	break
	continue
	wait
	exec
	eval
	source
	umask
`
