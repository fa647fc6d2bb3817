package otlp

import (
	"strings"
	"testing"
)

// What names one signal, switches all off or has another receiver's credentials
// would win over what is set; what is set, and all else, stays.
func TestOverrides(t *testing.T) {
	for _, name := range []string{
		"OTEL_SDK_DISABLED", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
		"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
	} {
		if !Overrides(name) {
			t.Errorf("%s stays", name)
		}
	}
	variables := Variables("http://127.0.0.1:4318")
	for name, value := range variables {
		if Overrides(name) {
			t.Errorf("%s is set, and removed", name)
		}
		if strings.HasSuffix(name, "_DELAY") && value != "200" || strings.HasSuffix(name, "_EXPORTER") && value != "otlp" {
			t.Errorf("%s is %s", name, value)
		}
	}
	if len(variables) != 8 || variables["OTEL_EXPORTER_OTLP_ENDPOINT"] != "http://127.0.0.1:4318" || variables["OTEL_EXPORTER_OTLP_PROTOCOL"] != "http/protobuf" || variables["OTEL_METRIC_EXPORT_INTERVAL"] != "500" {
		t.Errorf("%v", variables)
	}
	for _, name := range []string{"OTEL_SERVICE_NAME", "OTEL_RESOURCE_ATTRIBUTES", "OTEL_TRACES_SAMPLER", "PATH"} {
		if Overrides(name) {
			t.Errorf("%s is removed", name)
		}
	}
}
