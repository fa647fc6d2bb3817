package sized

// A kind is something of which there may be much.
type kind int

const (
	nesting  kind = iota
	line          // the longest line, in bytes
	text          // the longest text in a message, or all of one that is no JSON
	size          // the largest message
	elements      // the longest list, or the most lines
	requests      // how often one endpoint was asked
	many          // either of these
	numbers       // the greatest number
)

// A limit is one that programs have without anybody having thought of it.
type limit struct {
	n      int64
	called string
}

// kinds say of each kind what its greatest is called and which limits are usual. Nothing is told of what has come to
// enough.
var kinds = [...]struct {
	says   string
	enough int64
	limits []limit
}{
	// System.Text.Json: JsonReaderOptions.MaxDepth. Ruby: JSON.parse, max_nesting. serde_json: Deserializer's recursion
	// limit. A byte. PHP: json_decode, depth. Python: sys.getrecursionlimit, and Jackson: StreamReadConstraints.
	nesting: {"nested %d deep", 1001, []limit{{64, "64 (.NET)"}, {100, "100 (Ruby)"}, {128, "128 (serde_json)"}, {256, "256"}, {512, "512 (PHP)"}, {1001, "1000 (recursion in Python)"}}},
	// Linux: termios(3), a line of a terminal. glibc: BUFSIZ, and many servers: a line of a header. Go: bufio.MaxScanTokenSize, and
	// Python: asyncio.StreamReader's limit.
	line: {"a line of %d bytes", 64 << 10, []limit{{4 << 10, "4 KB"}, {8 << 10, "8 KB (a buffer of C)"}, {64 << 10, "64 KB (bufio.Scanner, asyncio)"}, {1 << 20, "1 MB"}}},
	// Linux: pipe(7), the size of a page and of a pipe; execve(2), MAX_ARG_STRLEN.
	text: {"a text of %d bytes", 64 << 10, []limit{{4 << 10, "4 KB"}, {8 << 10, "8 KB"}, {64 << 10, "64 KB (a pipe)"}, {128 << 10, "128 KB (an argument)"}, {1 << 20, "1 MB"}}},
	// pipe(7) as well. Express: body-parser's limit. nginx: client_max_body_size.
	size: {"a message of %d bytes", 1 << 20, []limit{{8 << 10, "8 KB"}, {64 << 10, "64 KB (a pipe)"}, {100 << 10, "100 KB (Express)"}, {1 << 20, "1 MB (nginx)"}}},
	// GitHub: per_page. S3: ListObjectsV2, max-keys. Elasticsearch: index.max_result_window.
	elements: {"a list of %d", 1001, []limit{{11, "10"}, {101, "100 (a page of GitHub)"}, {1001, "1000 (a page of S3)"}, {10_001, "10,000 (Elasticsearch)"}}},
	// Go: net/http follows ten redirects, and fetch twenty. Python: sys.getrecursionlimit.
	requests: {"%d requests", 1001, []limit{{11, "10"}, {21, "20"}, {101, "100"}, {1001, "1000 (recursion in Python)"}}},
	many:     {"%d of them", 1001, []limit{{11, "10"}, {101, "100 (a page of GitHub)"}, {1001, "1000 (a page of S3, recursion in Python)"}}},
	// ECMA-262: Number.MAX_SAFE_INTEGER. The rest are the integers of most languages.
	numbers: {"numbers up to %d", 1 << 53, []limit{{1 << 31, "2^31 (int)"}, {1 << 32, "2^32"}, {1 << 53, "2^53 (a double)"}, {1<<63 - 1, "2^63 (long)"}}},
}
