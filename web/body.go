package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxBody limits what a request may send, in bytes.
const maxBody = 64 << 10

// readObject reads the body of a request: one JSON object, strictly. fields maps
// each key that is allowed to a pointer to a string, int or map[string]string,
// which is set when the key is there. It returns the keys that were there.
func readObject(w http.ResponseWriter, r *http.Request, fields map[string]any) (given map[string]bool, err error) {
	given = map[string]bool{}
	text, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	// Once it is known to be JSON, what follows can fail only in the ways it names.
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		at := len(text)
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) && !strings.Contains(err.Error(), "unexpected end") {
			at = int(syntax.Offset) - 1
		}
		return nil, bodyFault(text, at, "", "not JSON: "+err.Error())
	}
	d := json.NewDecoder(bytes.NewReader(text))
	allowed := strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
	if token, _ := d.Token(); token != json.Delim('{') {
		return nil, bodyFault(text, tokenStart(text, 0), "", "an object with the keys "+allowed+" is needed")
	}
	for d.More() {
		at := tokenStart(text, int(d.InputOffset()))
		token, _ := d.Token()
		key := token.(string)
		to, known := fields[key]
		switch {
		case !known:
			return nil, bodyFault(text, at, "", fmt.Sprintf("unknown key %q: allowed are %s", key, allowed))
		case given[key]:
			return nil, bodyFault(text, at, key, "the key stands twice")
		}
		given[key] = true
		at = tokenStart(text, int(d.InputOffset()))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, bodyFault(text, at, key, err.Error())
		}
		if err := json.Unmarshal(value, to); err != nil || string(value) == "null" {
			return nil, bodyFault(text, at, key, needed(to))
		}
	}
	return given, nil
}

func needed(to any) string {
	switch to.(type) {
	case *string:
		return "a text is needed"
	case *int:
		return "a whole number is needed"
	}
	return "an object of texts is needed"
}

func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, problemf(http.StatusUnsupportedMediaType, "content type %q: application/json is needed", r.Header.Get("Content-Type"))
	}
	if r.Body == nil { // at the edge a request without a body has none
		r.Body = http.NoBody
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, problemf(http.StatusRequestEntityTooLarge, "body: more than %d bytes: allowed are %d", maxBody, maxBody)
	case err != nil:
		return nil, problemf(http.StatusBadRequest, "body: it broke off after %d bytes", len(text))
	}
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return nil, bodyFault(text, at, "", fmt.Sprintf("byte 0x%02x is not valid UTF-8", text[at]))
		}
		at += size
	}
	return text, nil
}

// tokenStart is where the next token begins, at or after a place between tokens.
func tokenStart(text []byte, at int) int {
	for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
		at++
	}
	return at
}

// bodyFault names line and column, both from 1, of a byte of the body.
func bodyFault(text []byte, at int, key, why string) *problem {
	before := text[:min(at, len(text))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	if key != "" {
		why = key + ": " + why
	}
	return problemf(http.StatusBadRequest, "body:%d:%d: %s", line, column, why)
}

// writeJSON sends a value, indented, because people read it in terminals.
func writeJSON(w http.ResponseWriter, r *http.Request, status int, contentType string, value any) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false) // no browser takes it for HTML: see X-Content-Type-Options
	if err := encoder.Encode(value); err != nil {
		panic("web: " + err.Error()) // no answer holds what JSON cannot say
	}
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-store")
	// The length is left to the server: one that is promised and not sent, as for
	// HEAD, is an error at the edge.
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		// The reader has gone away if this fails; there is nobody left to tell.
		_, _ = w.Write(text.Bytes())
	}
}
