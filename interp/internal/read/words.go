package read

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/internal/edits"
	"github.com/scenario-lang/scenario/interp/policy"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/schema"
)

// The domains of words that a file declares itself.
const (
	DomainMode       = "mode"
	DomainCategory   = "category"
	DomainFault      = "fault"
	DomainStep       = "step"
	DomainStepName   = "step name"
	DomainSub        = "sub"
	DomainTarget     = "target"
	DomainCallee     = "callee"
	DomainProvider   = "provider"
	DomainGateway    = "gateway"
	DomainWorkflow   = "workflow"
	DomainActor      = "actor"
	DomainHandler    = "handler"
	DomainModule     = "module"
	DomainLock       = "lock"
	DomainPool       = "pool"
	DomainRegistry   = "registry"
	DomainCall       = "call"
	DomainAction     = "action"
	DomainCaller     = "caller"
	DomainRetry      = "retry"
	DomainClassifier = "classifier"
	DomainCandidate  = "candidate"
	DomainCase       = "case"
)

// OneOf is an observed string of a closed set, so that a comparison with any
// other is a mistake that is found before anything runs.
//
//go:noinline
func OneOf(w *schema.Words) *schema.Shape { return schema.OneOf(w) }

// ListOf is a list of strings of a closed set.
//
//go:noinline
func ListOf(w *schema.Words) *schema.Shape { return TupleOf(OneOf(w)) }

// Among are words that the language has.
func Among(noun string, members ...string) *schema.Words {
	return &schema.Words{Noun: noun, Members: members}
}

// Declared are words that the file declares.
func Declared(noun, domain string) *schema.Words { return &schema.Words{Noun: noun, Domain: domain} }

// Quoted lists the members of a closed set for people: "a", "b" or "c".
func Quoted(w *schema.Words) string {
	quoted := make([]string, len(w.Members))
	for i, word := range w.Members {
		quoted[i] = strconv.Quote(word)
	}
	return schema.Or(quoted...)
}

// WordsOf are words of a type as strings.
func WordsOf[T ~string](list ...T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

var httpMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY"}

// rareMethods are those of the registry of IANA that few programs use, and some that
// are in use without being there.
var rareMethods = strings.Fields(`ACL BAN BASELINE-CONTROL BIND CHECKIN CHECKOUT COPY LABEL LINK LIST LOCK MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE
	MOVE ORDERPATCH PRI PROPFIND PROPPATCH PURGE PUSH REBIND REPORT SEARCH UNBIND UNCHECKOUT UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL VIEW`)

// sessionWords are the first words of statements about the session of a database, and what drivers ask
// one when they connect.
var sessionWords = []string{
	"ABORT", "BEGIN", "COMMIT", "DEALLOCATE", "DISCARD", "END", "RELEASE", "RESET", "ROLLBACK", "SAVEPOINT", "SET", "SHOW", "START", "UNLISTEN",
	"current_catalog", "current_database", "current_schema", "current_user", "pg_advisory_unlock_all", "pg_backend_pid", "pg_enum", "pg_is_in_recovery",
	"pg_namespace", "pg_range", "pg_type", "session_user", "set_config", "startup", "user", "version",
}

// freeMethod reports whether a method that is in no list may be meant.
func freeMethod(s string) bool {
	family, _, named := strings.Cut(s, "/")
	return !named && strings.ToUpper(s) == s && MethodMeant(s) == "" || named && !Contains(mcp.Families(), family)
}

// MethodMeant is the method of HTTP that one was probably meant to be, "" for a method
// that there is and for one that is near to none: RFC 9110 leaves it to a server to have
// methods of its own.
func MethodMeant(method string) string {
	method = strings.ToUpper(method)
	if slices.Contains(httpMethods, method) || slices.Contains(rareMethods, method) {
		return ""
	}
	for _, known := range httpMethods {
		if len(method) > 2 && edits.Between(method, known) == 1 {
			return known
		}
	}
	return ""
}

// FailureKinds lists the typed kinds of failures.
var FailureKinds = sync.OnceValue(func() []string { return WordsOf(failure.Kinds()...) })

// The words of results.
var (
	StepStatus   = Among("step status", StatusSuccess, StatusFailed, StatusTimeout, StatusSkipped, StatusCancelled, StatusAborted)
	RunStatus    = Among("run status", StatusSuccess, StatusPartial, StatusFailed, StatusTimeout, StatusCancelled)
	Outcome      = Among("outcome of an attempt", "success", "failure", "cancelled")
	FailureKind  = Among("failure kind", FailureKinds()...)
	Cause        = Among("cause of a failure", WordsOf(failure.Refused, failure.Reset, failure.DNS, failure.TLS, failure.EOF, failure.Signal)...)
	Mode         = Declared("failure mode", DomainMode)
	Category     = Declared("category of failures", DomainCategory)
	Severity     = Among("severity", failure.Severities()...)
	FailureStage = Among("stage", WordsOf(failure.Stages()...)...)
	BreakerState = Among("breaker state", WordsOf(policy.Closed, policy.Open, policy.HalfOpen)...)
	Refusal      = Among("reason of a rejection", policy.Reasons()...)
	Stop         = Among("stop reason", policy.StopUsedUp, policy.StopNotRetryable, policy.StopNotIdempotent, policy.StopRetryAfter, policy.StopTerminal, policy.StopCancelled)
	Hint         = Among("recovery hint", "retry_all", "retry_with_backoff", "resume_from_checkpoint", "retry_failed")
	Fault        = Declared("fault kind", DomainFault)

	// A Step is an address, as scripts, events and labels call it; a StepName is
	// its own name, without those of the steps around it.
	Step     = Declared("step", DomainStep)
	StepName = Declared("step", DomainStepName)
	Sub      = Declared("sub", DomainSub)
	// A Target is dialled by a gateway; a Callee is any that a step calls: an
	// actor or a workflow, too.
	Target     = Declared("target", DomainTarget)
	Callee     = Declared("target", DomainCallee)
	Provider   = Declared("provider", DomainProvider)
	Gateway    = Declared("gateway", DomainGateway)
	Workflow   = Declared("workflow", DomainWorkflow)
	Actor      = Declared("actor", DomainActor)
	Handler    = Declared("handler or tool", DomainHandler)
	Module     = Declared("module", DomainModule)
	Lock       = Declared("lock", DomainLock)
	Pool       = Declared("pool", DomainPool)
	Registry   = &schema.Words{Noun: "registry", Domain: DomainRegistry}
	Call       = Declared("call", DomainCall)
	Caller     = Declared("call or step", DomainCaller)
	Retry      = &schema.Words{Noun: "retry policy", Members: []string{"default"}, Domain: DomainRetry}
	Classifier = Declared("classifier", DomainClassifier)
	// Method is that of a request; programs may use some of their own, but not of
	// what MCP names.
	Method = &schema.Words{Noun: "method", Members: slices.Concat(mcp.Methods(), httpMethods), Free: freeMethod}
	// Said is what a message is by: a method, or what a statement about the session of a database begins
	// with or asks for. That may be near to a method, as SET is to GET.
	Said = &schema.Words{Noun: "method", Members: slices.Concat(mcp.Methods(), httpMethods, sessionWords), Free: freeMethod}
	Case = Declared("case", DomainCase)
	// Header is the name of a header field.
	Header = &schema.Words{
		Noun: "name of a header", Plural: "names of headers", Free: func(s string) bool { return strings.ToLower(s) == s },
		Spelling: strings.ToLower, Rule: "the names of headers are in lower case, whatever case they were sent in",
	}
)

// HeadersShape is an object of header fields by their names.
var HeadersShape = &schema.Shape{Kind: schema.ShapeObject, Observed: true, Open: true, Nullable: true, Keys: OneOf(Header)}

// Why a step was skipped. The ones with the name of a step are made by
// [UpstreamFailed] and [StoppedBy]; what a fanout says of its subs begins with
// one of the beginnings that [SkipReason] leaves free.
const (
	SkippedByWhen       = "when is false"
	SkippedUnused       = "fallback not needed"
	SkippedOffered      = "tool not called"
	SkippedByDeadline   = "workflow timeout"
	SkippedByStep       = "step timeout"
	SkippedByCancelling = "run cancelled"
	SkippedByBudget     = "budget exceeded"

	upstream = "upstream failure: "
)

// UpstreamFailed is why a step is skipped that waited for one that failed.
func UpstreamFailed(step string) string { return upstream + step }

// StoppedBy is why steps are skipped after one failed that stops the run.
func StoppedBy(step string) string { return "run stopped: step " + step + " failed" }

// SkipReason are the reasons why a step did not run.
var SkipReason = &schema.Words{
	Noun:    "reason to skip a step",
	Plural:  "reasons to skip a step",
	Members: []string{SkippedByWhen, SkippedUnused, SkippedOffered, SkippedByDeadline, SkippedByStep, SkippedByCancelling, SkippedByBudget},
	Domain:  DomainSkipped,
	Free: func(s string) bool {
		return strings.HasPrefix(s, "run_if is ") || strings.HasPrefix(s, "sub ")
	},
}

// DomainSkipped are the reasons with the name of a step.
const DomainSkipped = "skipped"

// DomainFellBack are the targets and the steps that may take the place of
// another, and DomainSpan the names of the spans that no request names.
const (
	DomainFellBack = "fell back"
	DomainSpan     = "span"
)
