package words

import "sync"

// A Family are the functions of a language that are taken for each other.
type Family struct {
	// Named are calls by name, or by module and name; Methods those of any value.
	// Each has what stands in its place before the same arguments.
	Named, Methods map[string]string
	// Everywhere are conversions whose values cannot be mixed with others: all calls
	// of a file change together.
	Everywhere map[string]string
	// Bare are methods that are called without their arguments.
	Bare map[string]bool
	// Instants are functions that read a time from a text: compared are the texts.
	Instants map[string]bool
}

// Families are those of each language.
var Families = sync.OnceValue(func() map[string]Family {
	script := Family{
		Named: Pairs(`encodeURIComponent encodeURI decodeURIComponent decodeURI Math.round Math.floor Math.floor Math.round
			Math.ceil Math.round Math.trunc Math.floor Number.parseInt Number parseInt Number`)(),
		Methods: Pairs(`startsWith includes endsWith includes lastIndexOf indexOf replaceAll replace toLocaleLowerCase toLowerCase
			getUTCDate getDate getUTCDay getDay getUTCHours getHours`)(),
		Everywhere: Pairs("BigInt Number")(),
		Bare:       Set("sort toSorted")(),
		Instants:   Set("Date.parse Date")(),
	}
	return map[string]Family{
		"python": {
			Named: Pairs(`math.fsum sum statistics.median statistics.mean statistics.mean statistics.median statistics.fmean statistics.median
				np.median np.mean np.mean np.median re.fullmatch re.match re.match re.search
				parse.quote_plus parse.quote math.floor round math.ceil round`)(),
			Methods:    Pairs("removeprefix lstrip removesuffix rstrip rfind find rindex index rsplit split rpartition partition casefold lower isdigit isnumeric")(),
			Everywhere: Pairs("Decimal float Fraction float")(),
			Instants:   Set("datetime.fromisoformat date.fromisoformat datetime.strptime parser.parse parser.isoparse")(),
		},
		"javascript": script,
		"typescript": script,
		"go": {
			Named: Pairs(`sort.SliceStable sort.Slice sort.Stable sort.Sort slices.SortStableFunc slices.SortFunc
				strings.HasPrefix strings.Contains strings.HasSuffix strings.Contains strings.TrimPrefix strings.TrimLeft strings.TrimSuffix strings.TrimRight
				strings.LastIndex strings.Index url.QueryEscape url.PathEscape url.PathEscape url.QueryEscape
				math.Round math.Floor math.Floor math.Round math.Ceil math.Round math.RoundToEven math.Round`)(),
		},
		"java": {
			Named:   Pairs("Math.round (long)Math.floor")(),
			Methods: Pairs("startsWith contains endsWith contains lastIndexOf indexOf matches contains equalsIgnoreCase equals")(),
		},
		"ruby": {
			Methods:    Pairs("start_with? include? end_with? include? rindex index round floor floor round ceil round casecmp? ==")(),
			Everywhere: Pairs("BigDecimal Float Rational Float")(),
		},
	}
})

// Narrower are exceptions of Python that are taken for all of a kind. Those of modules
// are there where the file imports the module, which mentions asks for.
func Narrower(name string, mentions func(part string) bool) []string {
	switch name {
	case "Exception", "BaseException":
		all := []string{"OSError"}
		switch {
		case mentions("import urllib.error"), mentions("urllib.error,"), mentions(", urllib.error"):
			all = append(all, "urllib.error.HTTPError")
		case mentions("urllib.request") && !mentions("from urllib.request") && !mentions("urllib.request as"):
			all = append(all, "urllib.error.HTTPError")
		case mentions("import requests"):
			all = append(all, "requests.RequestException")
		case mentions("import httpx"):
			all = append(all, "httpx.HTTPError")
		}
		return all
	case "OSError", "IOError", "EnvironmentError":
		return []string{"ConnectionError"}
	case "urllib.error.URLError":
		return []string{"urllib.error.HTTPError"}
	case "requests.RequestException", "requests.exceptions.RequestException":
		return []string{"requests.ConnectionError"}
	case "httpx.HTTPError":
		return []string{"httpx.HTTPStatusError"}
	}
	return nil
}
