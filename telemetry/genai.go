package telemetry

// Names of the OpenTelemetry semantic conventions, version 1.41.0: the last
// one that has the gen_ai and mcp families (stability "Development"), which is
// why they are constants here and not an import.
const (
	attrErrorType = "error.type"

	attrGenAIOperation     = "gen_ai.operation.name"
	attrGenAIProvider      = "gen_ai.provider.name"
	attrGenAIRequestModel  = "gen_ai.request.model"
	attrGenAIResponseModel = "gen_ai.response.model"
	attrGenAIFinishReasons = "gen_ai.response.finish_reasons"
	attrGenAIInputTokens   = "gen_ai.usage.input_tokens"
	attrGenAIOutputTokens  = "gen_ai.usage.output_tokens"
	attrGenAITokenType     = "gen_ai.token.type"

	attrHTTPMethod = "http.request.method"
	attrHTTPStatus = "http.response.status_code"
	attrURL        = "url.full"
	attrMCPMethod  = "mcp.method.name"
	attrMCPTool    = "gen_ai.tool.name"
	attrDBQuery    = "db.query.text"

	metricGenAIDuration = "gen_ai.client.operation.duration"
	metricGenAITokens   = "gen_ai.client.token.usage"
)

// The buckets that the conventions recommend for the two histograms.
var (
	durationBuckets = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
	tokenBuckets    = []float64{1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864}
)
