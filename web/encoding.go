package web

import (
	"path"
	"strconv"
	"strings"
)

// codings are the content codings of pre-compressed files, the better one
// first: it wins where a browser likes both equally.
var codings = []struct{ name, suffix string }{
	{"br", ".br"},
	{"gzip", ".gz"},
}

// accepted maps a coding in lower case to its weight in thousandths.
type accepted map[string]int

// parseAcceptEncoding reads an Accept-Encoding header (RFC 9110, section
// 12.5.3). An element that cannot be read counts as not accepted.
func parseAcceptEncoding(header string) accepted {
	weights := accepted{}
	for element := range strings.SplitSeq(header, ",") {
		coding, parameter, hasWeight := strings.Cut(element, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == "" {
			continue
		}
		weight := 1000
		if hasWeight {
			weight = parseWeight(parameter)
		}
		weights[coding] = weight
	}
	return weights
}

// parseWeight reads "q=0.5" as 500 and anything malformed as 0.
func parseWeight(parameter string) int {
	key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
	if !strings.EqualFold(strings.TrimSpace(key), "q") {
		return 0
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return int(q * 1000)
}

// quality returns the weight of the coding, 0 when it must not be used.
func (a accepted) quality(coding string) int {
	if weight, named := a[coding]; named {
		return weight
	}
	return a["*"]
}

// contentTypes is a table of our own because the one of the system differs from
// machine to machine, and a browser compiles WebAssembly while it loads only
// under its exact type.
var contentTypes = map[string]string{
	".css":         "text/css; charset=utf-8",
	".csv":         "text/csv; charset=utf-8",
	".html":        "text/html; charset=utf-8",
	".ico":         "image/x-icon",
	".js":          "text/javascript; charset=utf-8",
	".json":        "application/json; charset=utf-8",
	".md":          "text/plain; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".png":         "image/png",
	".svg":         "image/svg+xml; charset=utf-8",
	".txt":         "text/plain; charset=utf-8",
	".wasm":        "application/wasm",
	".webmanifest": "application/manifest+json; charset=utf-8",
	".webp":        "image/webp",
	".woff2":       "font/woff2",
	".xml":         "application/xml; charset=utf-8",
	".yaml":        "text/plain; charset=utf-8", // shown by every browser; application/yaml is downloaded
}

func contentType(name string) string {
	if t, ok := contentTypes[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}
