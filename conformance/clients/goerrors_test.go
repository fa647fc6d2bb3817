package clients

import (
	"compress/gzip"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"syscall"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/openai/openai-go/v3"
	openaistream "github.com/openai/openai-go/v3/packages/ssestream"
	"google.golang.org/genai"
)

// classOf is what a program can tell an error by with errors.Is and errors.As,
// else its words.
func classOf(err error) string {
	var (
		fromOpenAI    *openai.Error
		fromAnthropic *anthropic.Error
		fromGenAI     genai.APIError
		inStream      *openaistream.StreamError
		fromDatabase  *pgconn.PgError
		fromServer    *jsonrpc.Error
		name          *net.DNSError
		authority     x509.UnknownAuthorityError
		syntax        *json.SyntaxError
		timeout       interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &inStream):
		return "StreamError"
	case errors.As(err, &fromOpenAI):
		return fmt.Sprint("Error ", fromOpenAI.StatusCode)
	case errors.As(err, &fromAnthropic):
		return fmt.Sprint("Error ", fromAnthropic.StatusCode)
	case errors.As(err, &fromGenAI):
		return fmt.Sprint("APIError ", fromGenAI.Code)
	case errors.As(err, &fromDatabase):
		return "PgError " + fromDatabase.Code
	case errors.As(err, &fromServer):
		return fmt.Sprint("Error ", fromServer.Code)
	case errors.Is(err, mcp.ErrSessionMissing):
		return "ErrSessionMissing"
	case errors.Is(err, syscall.ECONNRESET):
		return "ECONNRESET"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "ECONNREFUSED"
	case errors.As(err, &name):
		return "net.DNSError"
	case errors.As(err, &authority):
		return "x509.UnknownAuthorityError"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "deadline"
	case errors.As(err, &syntax):
		return "json.SyntaxError"
	case errors.Is(err, gzip.ErrHeader):
		return "gzip.ErrHeader"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "io.ErrUnexpectedEOF"
	case errors.Is(err, io.EOF):
		return "io.EOF"
	}
	for _, words := range []string{
		"malformed HTTP response", "stopped after 10 redirects", "expected destination type of", "injected error", "failed to read body",
		"failed to decode response", "unsupported content type", "request terminated without response", "invalid body length",
	} {
		if strings.Contains(err.Error(), words) {
			return "\"" + words + "\""
		}
	}
	return "\"" + local.ReplaceAllString(err.Error(), "HOST") + "\""
}

// local is what is another in each run.
var local = regexp.MustCompile(`127\.0\.0\.1:\d+|\w+\.example`)
