package otlp

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/internal/disk"
)

// A signal is one kind of telemetry that can be exported.
type signal struct {
	// name is the word in OTEL_EXPORTER_OTLP_…_ENDPOINT and its like.
	name string
	// path is where a collector takes it.
	path string
}

var (
	traceSignal  = signal{"TRACES", "v1/traces"}
	metricSignal = signal{"METRICS", "v1/metrics"}
)

// A destination is where a signal goes, as the OTEL_* variables say.
type destination struct {
	url      *url.URL
	headers  map[string]string
	timeout  time.Duration
	compress bool
	tls      *tls.Config
}

// shown is the address for messages: without user and password, and without its
// query, which some receivers are given a key in.
func (d *destination) shown() string {
	u := url.URL{Scheme: d.url.Scheme, Host: d.url.Host, Path: d.url.Path}
	return u.String()
}

const (
	defaultEndpoint = "http://localhost:4318"
	defaultTimeout  = 10 * time.Second
)

// destination reads where a signal goes, and nil where it is not exported:
// that is the case unless its exporter is otlp, or no exporter is named and
// there is an endpoint. Names and meanings are those of the OpenTelemetry
// specification (OTLP exporter, SDK environment variables).
func (h *Host) destination(s signal) (*destination, error) {
	env := otelEnv{h.Env, s}
	if disabled, _ := h.Env("OTEL_SDK_DISABLED"); strings.EqualFold(disabled, "true") {
		return nil, nil
	}
	exporter, _ := h.Env("OTEL_" + s.name + "_EXPORTER")
	switch strings.TrimSpace(exporter) {
	case "none":
		return nil, nil
	case "":
		if env.of("ENDPOINT") == "" {
			return nil, nil
		}
	case "otlp":
	default:
		return nil, fmt.Errorf("OTEL_%s_EXPORTER is %q, and only otlp and none are known", s.name, exporter)
	}
	if protocol := env.of("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q, and only http/protobuf is spoken; collectors listen for it on port 4318", protocol)
	}
	return env.read()
}

// otelEnv reads the variables of one signal, its own before the common one.
type otelEnv struct {
	env func(name string) (string, bool)
	signal
}

func (e otelEnv) own(name string) string {
	v, _ := e.env("OTEL_EXPORTER_OTLP_" + e.name + "_" + name)
	return strings.TrimSpace(v)
}

func (e otelEnv) of(name string) string {
	if v := e.own(name); v != "" {
		return v
	}
	v, _ := e.env("OTEL_EXPORTER_OTLP_" + name)
	return strings.TrimSpace(v)
}

func (e otelEnv) read() (d *destination, err error) {
	d = &destination{timeout: defaultTimeout, compress: e.of("COMPRESSION") == "gzip"}
	if d.url, err = e.endpoint(); err != nil {
		return nil, err
	}
	if d.headers, err = pairs("OTEL_EXPORTER_OTLP_HEADERS", e.of("HEADERS")); err != nil {
		return nil, err
	}
	if text := e.of("TIMEOUT"); text != "" {
		ms, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT is %q, and not a number of milliseconds", text)
		}
		d.timeout = time.Duration(ms) * time.Millisecond
	}
	if d.tls, err = e.certificates(); err != nil {
		return nil, err
	}
	return d, nil
}

// endpoint is the signal's own address as it stands, or the signal's path below
// the common one.
func (e otelEnv) endpoint() (*url.URL, error) {
	text, below := e.own("ENDPOINT"), false
	if text == "" {
		text, below = e.of("ENDPOINT"), true
	}
	if text == "" {
		text = defaultEndpoint
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("the endpoint of OTEL_EXPORTER_OTLP is no http or https address; for example %s", defaultEndpoint)
	}
	if below {
		u = u.JoinPath(e.path)
	}
	return u, nil
}

// certificates are the files that TLS is told to use, nil without any.
func (e otelEnv) certificates() (*tls.Config, error) {
	ca, cert, key := e.of("CERTIFICATE"), e.of("CLIENT_CERTIFICATE"), e.of("CLIENT_KEY")
	if ca == "" && cert == "" {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		pem, err := disk.Read(ca, certificateMax)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %w", err)
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CERTIFICATE: %s holds no certificate", ca)
		}
	}
	if cert != "" {
		pair, err := keyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// certificateMax bounds a file of certificates or of a key.
const certificateMax = 16 << 20

// keyPair is a certificate with its key.
func keyPair(cert, key string) (tls.Certificate, error) {
	certPEM, err := disk.Read(cert, certificateMax)
	if err != nil {
		return tls.Certificate{}, err
	}
	keyPEM, err := disk.Read(key, certificateMax)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(certPEM, keyPEM)
}

// pairs reads a list of key=value in the form of W3C Baggage: separated by
// commas, values percent-encoded. They may be secrets, so that a mistake is
// told without them.
func pairs(variable, text string) (map[string]string, error) {
	m := map[string]string{}
	for i, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		if item == "" {
			continue
		}
		key, value, ok := strings.Cut(item, "=")
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if key = strings.TrimSpace(key); !ok || key == "" || err != nil {
			return nil, fmt.Errorf("entry %d of %s is not of the form key=value", i+1, variable)
		}
		m[key] = value
	}
	return m, nil
}
