package otlp

import "strings"

// Variables are the environment variables that make a program export by
// OpenTelemetry's SDKs to a receiver such as http://127.0.0.1:4318, and soon: by
// themselves they wait up to a minute, which programs of a test rarely live. Those
// for which [Overrides] is true have to go.
func Variables(endpoint string) map[string]string {
	return map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
		"OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
		"OTEL_TRACES_EXPORTER":        "otlp",
		"OTEL_METRICS_EXPORTER":       "otlp",
		"OTEL_LOGS_EXPORTER":          "otlp",
		"OTEL_METRIC_EXPORT_INTERVAL": "500", // milliseconds, as the others
		"OTEL_BSP_SCHEDULE_DELAY":     "200",
		"OTEL_BLRP_SCHEDULE_DELAY":    "200",
	}
}

// Overrides reports whether a variable of the environment would win over
// [Variables], or send a program's credentials here: the switch for all, headers
// for another receiver, and whatever names one signal.
func Overrides(name string) bool {
	switch name {
	case "OTEL_SDK_DISABLED", "OTEL_EXPORTER_OTLP_HEADERS":
		return true
	}
	for _, signal := range []string{"TRACES_", "METRICS_", "LOGS_"} {
		if strings.HasPrefix(name, "OTEL_EXPORTER_OTLP_"+signal) {
			return true
		}
	}
	return false
}
