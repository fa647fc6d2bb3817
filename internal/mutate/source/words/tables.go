package words

// Converts are the functions whose first argument can stand for them, by name or by module and name.
var Converts = Set(`round sorted abs int str float bool set frozenset list tuple dict reversed quote quote_plus urlquote escape
	basename deepcopy copy encodeURIComponent encodeURI decodeURIComponent structuredClone parseInt parseFloat Number String Boolean BigInt
	normalize_name secure_filename Integer Float Array Decimal
	math.floor math.ceil math.trunc math.fabs html.escape html.unescape parse.quote parse.quote_plus parse.unquote path.basename path.normpath path.abspath path.realpath
	path.normalize path.resolve copy.deepcopy copy.copy shlex.quote re.escape
	Math.round Math.floor Math.ceil Math.trunc Math.abs Number.parseInt Number.parseFloat Object.freeze Array.from _.cloneDeep _.escape _.uniq _.sortBy
	unicodedata.normalize
	strings.ToLower strings.ToUpper strings.TrimSpace strings.Trim strings.TrimPrefix strings.TrimSuffix strings.TrimRight strings.TrimLeft strings.ReplaceAll strings.Replace
	math.Round math.Floor math.Ceil math.Trunc math.Abs url.QueryEscape url.PathEscape html.EscapeString template.HTMLEscapeString filepath.Base filepath.Clean path.Base path.Clean
	bytes.TrimSpace slices.Clone slices.Compact slices.Sorted maps.Clone
	CGI.escape ERB.escape Collections.sort URLEncoder.encode Math.toIntExact`)

// Receivers are the methods whose receiver can stand for them.
var Receivers = Set(`strip lstrip rstrip lower upper casefold title removeprefix removesuffix replace zfill quantize astimezone copy clone difference intersection
	toLowerCase toUpperCase toLocaleLowerCase trim trimStart trimEnd trimRight trimLeft sort toSorted reverse filter slice normalize toFixed padStart replaceAll
	flatten transpose unicode_normalize scrub squeeze capitalize swapcase chop flat toReversed expandtabs
	downcase upcase chomp uniq compact round floor ceil abs dup sort_by select reject rjust
	distinct sorted limit skip stripTrailing setScale UTC Truncate Round
	total_seconds hexdigest`)

// Computing are functions that only compute, by name, or by module and name.
var Computing = Set(`int str float bool len list dict set tuple frozenset sorted min max abs round sum range Path Decimal
	Number String Boolean parseInt parseFloat BigInt make string int64 float64 append
	json.dumps json.loads JSON.stringify JSON.parse os.environ.get os.getenv os.Getenv process.cwd path.join filepath.Join os.path.join
	strings.Split strings.TrimSpace strings.Fields strings.ToLower strings.ToUpper strconv.Itoa strconv.Atoi re.compile regexp.MustCompile
	new.Map new.Set new.WeakMap new.Array new.URL new.URLSearchParams new.Object Object.keys Object.entries Object.values Math.min Math.max Math.round Math.floor`)

// Sorts are calls that change a list or a text in its place.
var Sorts = Set(`.sort .sort! .reverse .reverse! .uniq! .compact! .strip! .downcase! .upcase! .chomp! .squeeze! .sort_by!
	sort.Strings sort.Ints sort.Float64s sort.Slice sort.SliceStable sort.Sort slices.Sort slices.SortFunc slices.SortStableFunc slices.Reverse Collections.sort Collections.reverse Arrays.sort`)
