# How the clients that programs use try again, as they are without a setting, as
# policies to take: import = ["std/clients"], then retry = retry.openai_node.
#
# Each names its source. "Checked" says that a test has the client itself and this policy
# meet the same faults and compares how often they ask, how long they wait and how they end;
# "read" says that the policy was written from the client's source and not compared with a
# run. A comment says where a checked client does what its policy cannot.
#
# What no policy says: a policy takes the wait that a server asks for as a lower bound, so
# that a Retry-After below the client's own wait is not heeded here, while most of these
# wait exactly as long as they are told. X-Should-Retry is not read. Waits that the client
# draws from [75 %, 100 %] of a wait are written as 87.5 % of it with a jitter of a seventh.
# A program's own limits (a timeout of 10 minutes an attempt in most SDKs) belong on the
# step, as attempt_timeout.

# openai (Python) 3.3.1, src/openai/_base_client.py and _constants.py; read. It gives up
# where more than two minutes are asked for. Timeout 600 s, to connect 5 s.
retry "exponential" "openai_python" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "2m"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# anthropic (Python) 0.121.0, src/anthropic/_base_client.py and _constants.py; read. A
# Retry-After above 60 s is not heeded there: the client comes back after its own wait, here
# the call ends. Timeout 600 s, to connect 5 s.
retry "exponential" "anthropic_python" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "60s"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# openai (Node) 6.49.0, client.js; checked. It waits as long as it is told. Timeout
# 600 s.
retry "exponential" "openai_node" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "24h"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# @anthropic-ai/sdk 1.12.0 (Node), client.js; checked with 1.11.0. Timeout 600 s.
retry "exponential" "anthropic_node" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "24h"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# openai-go v3.95.0, internal/requestconfig; checked. It gives up where more than two
# minutes are asked for, and its request timeout bounds its waits, too.
retry "exponential" "openai_go" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "105s"
  jitter          = 0.142857
  max_retry_after = "2m"
  retry_on        = ["408", "409", "429", "5xx", "connection"]
}

# anthropic-sdk-go v1.84.0, internal/requestconfig; checked. It waits as long as it is
# told.
retry "exponential" "anthropic_go" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "24h"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# google.golang.org/genai v1.77.0; checked. It does not try again.
retry "exponential" "google_genai_go" {
  max_retries = 0
}

# @google/genai 2.32.0 (Node), dist/node/index.mjs; checked. It tries again only where
# retryOptions are given; this is what an empty object of them means. Retry-After is not
# read, and a connection that breaks ends the call.
retry "exponential" "google_genai_node" {
  max_retries         = 4
  base                = "1.5s"
  max_delay           = "60s"
  jitter              = 0.333333
  respect_retry_after = false
  retry_on            = ["408", "429", "500", "502", "503", "504", "timeout"]
}

# google-genai (Python) 2.19.0, google/genai/_api_client.py; read. It tries again only where
# retry_options are given; this is what an empty HttpRetryOptions means. To each wait it
# adds up to 1 s. Retry-After is not read.
retry "exponential" "google_genai_python" {
  max_retries         = 4
  base                = "1s"
  max_delay           = "60s"
  respect_retry_after = false
  retry_on            = ["408", "429", "500", "502", "503", "504", "connection.refused", "connection.dns", "connection.tls", "timeout"]
}

# go-retryablehttp v0.7.8, client.go; checked. It repeats every method: say idempotent = true
# of a step. Retry-After is heeded after 429 and 503 alone, for as long as it says: after
# a 500 that has one, the client waits for its own time. 501 is not tried again.
retry "exponential" "go_retryablehttp" {
  max_retries     = 4
  base            = "1s"
  max_delay       = "30s"
  max_retry_after = "24h"
  retry_on        = ["429", "500", "502", "503", "504", "521", "522", "524", "529", "connection.refused", "connection.reset", "connection.eof", "connection.dns", "timeout"]
}

# axios-retry 4.5.0, dist/esm/index.js; checked. It does not wait by itself. A POST is
# repeated after a failed connection, and not after a status. A timeout of axios is not tried again.
retry "linear" "axios_retry" {
  max_retries     = 3
  delay           = "0s"
  max_retry_after = "24h"
  retry_on        = ["429", "5xx", "connection"]
}

# got 14.6.6, dist/source/core; checked. To each wait it adds up to 100 ms. POST is not
# repeated, and a 413 only with a Retry-After.
retry "exponential" "got" {
  max_retries     = 2
  base            = "1s"
  max_delay       = "24h"
  max_retry_after = "24h"
  retry_on        = ["408", "429", "500", "502", "503", "504", "521", "522", "524", "connection.refused", "connection.reset", "connection.dns", "timeout"]
}

# undici 7.30.2, RetryAgent, lib/handler/retry-handler.js; checked. A Retry-After is cut to
# 30 s. POST is not repeated, nor is a timeout.
retry "exponential" "undici_retry_agent" {
  max_retries     = 5
  base            = "500ms"
  max_delay       = "30s"
  retry_after_cap = "30s"
  retry_on        = ["429", "500", "502", "503", "504", "connection"]
}

# tenacity 8.2.1, a bare @retry; checked. It tries again after every exception, at once and
# for ever: here a thousand times. Nothing of HTTP is known to it.
retry "linear" "tenacity" {
  max_retries         = 1000
  delay               = "0s"
  respect_retry_after = false
  retry_on            = ["4xx", "5xx", "connection", "timeout", "malformed_response"]
}

# urllib3 1.26.12, Retry(), util/retry.py; checked. No status is tried again but 413, 429 and
# 503 that come with a Retry-After, which no policy can tell apart. POST is not repeated
# after it was sent.
retry "linear" "urllib3" {
  max_retries         = 10
  delay               = "0s"
  respect_retry_after = false
  retry_on            = ["connection", "timeout"]
}

# requests 2.28.1, adapters.py; checked. It does not try again.
retry "linear" "requests" {
  max_retries = 0
}

# httpx 0.23.3, _transports/default.py; checked. It does not try again.
retry "linear" "httpx" {
  max_retries = 0
}

# LangChain for JavaScript, @langchain/core 1.4.0, utils/async_caller.js; checked. It stands
# around a client that may have retries of its own. A wait of 1 s, doubled, times 1 to 2,
# whatever a Retry-After says: after a 429 it only decides whether there is a retry, which
# there is with one of up to a minute and not without one.
retry "exponential" "langchain_js" {
  max_retries         = 6
  base                = "1.5s"
  max_delay           = "24h"
  jitter              = 0.333333
  respect_retry_after = false
  retry_on            = ["408", "422", "5xx", "connection", "timeout"]
}

# LangChain for Python, langchain-core (commit 02b36f77), runnables/retry.py; read. What with_retry() does
# without arguments: it tries again after every exception, and to each wait it adds up to
# 1 s. It stands around a client that may have retries of its own.
retry "exponential" "langchain_python" {
  max_retries         = 2
  base                = "1s"
  max_delay           = "60s"
  respect_retry_after = false
  retry_on            = ["4xx", "5xx", "connection", "timeout", "malformed_response"]
}

# LiteLLM (commit 000db7e8), litellm/constants.py; read. completion() hands two retries to the client of
# openai (Python), which makes them; a Router has its own.
retry "exponential" "litellm" {
  max_retries     = 2
  base            = "437.5ms"
  max_delay       = "7s"
  jitter          = 0.142857
  max_retry_after = "2m"
  retry_on        = ["408", "409", "429", "5xx", "connection", "timeout"]
}

# Vercel AI SDK, ai 6.0.326, dist/index.js; checked. A Retry-After of 60 s or more is not
# heeded: the client comes back after its own wait, here the call ends.
retry "exponential" "vercel_ai" {
  max_retries     = 2
  base            = "2s"
  max_delay       = "24h"
  max_retry_after = "60s"
  retry_on        = ["408", "409", "429", "5xx", "connection"]
}
