package part

import "github.com/scenario-lang/scenario/internal/mutate/source/words"

// everyday are calls that every program has, and that no scenario is about. Where a change of the statement around says
// enough of one, it is here, too.
var everyday = words.Set(`print println printf puts p pp len str repr range enumerate zip iter next open input isinstance issubclass hasattr
	getattr setattr type id super vars dir callable exit quit main sleep time exec eval require import
	int float bool list dict set tuple frozenset bytes bytearray chr ord
	append push add extend insert write writelines read readline readlines readAll close flush items keys values get has delete put
	format join strip encode decode load loads dump dumps parse stringify urlopen Request request fetch json text
	urlretrieve build_opener add_header setHeader writeHead end send header headers method body uri build newBuilder newHttpClient
	ofString GET POST PUT DELETE noBody getenv now today monotonic perf_counter time_ns
	info warn warning error debug exception critical log trace Println Printf Print Sprintf Sprint Errorf Fprintf Fprintln Fprint
	New Error TypeError ValueError RuntimeError Exception KeyError SystemExit HTTPError URLError RuntimeException IllegalStateException
	Get Post Do NewRequest NewRequestWithContext NewDecoder NewEncoder Decode Encode Close Getenv Exit ReadAll ReadFile WriteFile
	Set Header String Bytes Len make new cap copy panic recover close Unmarshal Marshal Background
	on once emit listen createServer then map forEach resolve reject toString String Number Boolean Array Object Map Set Date URL
	run Thread start result submit execute executemany fetchone fetchall commit cursor connect
	equals hashCode length size isEmpty charAt valueOf println print of asList stream collect toList body statusCode code status
	each new to_s to_i to_f to_a to_h inspect generate get_response raise lambda proc
	exists isfile isdir mkdir makedirs listdir unlink remove rename stat read_text write_text parse_args add_argument ArgumentParser
	existsSync readFileSync writeFileSync mkdirSync unlinkSync appendFileSync readFile dirname join
	at entries from isArray assign create freeze fromEntries
	wait acquire release cancel create_task set_result done clearTimeout setTimeout setInterval clearInterval get_event_loop getLogger compile RegExp
	Lock RLock Event Queue Semaphore namedtuple Path Thread ThreadPoolExecutor Mutex WaitGroup Done
	strip lower upper trim toLowerCase toUpperCase
	send_response end_headers serve_forever shutdown set_tunnel getresponse randomUUID uuid4 hex urandom token_hex urlsplit urlparse
	Popen check_output check_call spawn spawnSync execFile communicate terminate kill poll address port hostname
	create_connection sendall recv pack unpack setsockopt captureStackTrace createInterface import_module arrayBuffer expect
	Parse Atoi Itoa ParseInt ParseFloat ParseDuration FormatInt Duration Since Now Sleep NewReader NewScanner ListenAndServe HandleFunc Handle NewServeMux Is As Fatal Fatalf Fatalln
	getMessage getLogger parseInt parseLong parseDouble currentTimeMillis nanoTime getBytes start_with end_with
	add_argument parse_known_args basicConfig setLevel StringIO BytesIO TemporaryDirectory NamedTemporaryFile mkdtemp mkstemp`)

// collections are classes that are made of a list or of a value, which may stand for them.
var collections = words.Set("Counter OrderedDict Decimal Fraction ChainMap SortedList SortedSet SortedDict MultiDict CaseInsensitiveDict")

// whole are calls of which a part shows nothing but that something is wrong, and which have other changes, or whose
// names say no more than that something is looked for in a value.
var whole = words.Set(`startswith endswith startsWith endsWith includes indexOf find index rfind count search match fullmatch findall finditer group groups
	split splitlines rsplit partition rpartition some every findIndex reduce filter sort sorted max min sum any all abs round
	slice substring race wait_for gather as_completed isdigit isalpha isnumeric isspace test exec matchAll
	pop shift setdefault update fromisoformat strptime strftime isoformat timestamp toISOString getTime
	deque defaultdict partial itemgetter attrgetter floor ceil trunc`)

// joining says by a name that several values become one.
var joining = words.Set("merge concat combine chain link union plus")

// globals are names of JavaScript on which functions stand, and no values.
var globals = words.Set(`Math JSON Object Array Number String Promise Buffer process console Date crypto fs path os Intl Symbol Reflect Atomics
	self this super globalThis window http https util assert url qs zlib stream performance cls`)

// same are functions and methods of Go and Java whose arguments, or what they are called on, are of the type of what they
// give: other parts could not be compiled. With a number it is that argument alone, with a point what the method is
// called on.
var same = words.Set(`cmp.Or slices.Insert slices.Delete slices.Concat html.UnescapeString norm.NFC.String norm.NFD.String norm.NFKC.String
	strings.Title strings.ToTitle strings.Map:1 strings.ToValidUTF8 url.JoinPath path.Join filepath.Join bytes.ToLower bytes.ToUpper bytes.ReplaceAll:0 maps.Clone
	.ResolveReference .ResolveReference:0 .JoinPath .AddDate .Truncate .Round .UTC .Local .In .Add .Sub .WithContext
	Objects.requireNonNullElse Normalizer.normalize:0 Math.floorMod Math.abs Math.hypot StringEscapeUtils.unescapeHtml4 Collections.unmodifiableList
	.normalize .resolve .relativize .plusDays .plusHours .plusMinutes .plusSeconds .plusMonths .plusYears .minusDays .minusHours .minusMinutes .minusSeconds
	.truncatedTo .withZoneSameInstant .withDayOfMonth .add .subtract .multiply .divide .mod .negate .pow .gcd .concat .replace .replaceAll .replaceFirst
	.repeat .indent .stripIndent .translateEscapes .intern .reversed .peek .dropWhile .takeWhile .flatMap`)
