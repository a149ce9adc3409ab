// Package web answers the requests of a browser that opens the playground.
//
// It is one plain [http.Handler] over a directory of built files: no state, no
// cookies, no session, nothing that a static file server could not do. It adds
// what such a server often leaves out: right content types, pre-compressed
// files, caching that never shows an old page, and a strict security policy.
//
// Not in here: which files there are (build.sh and web/pack decide), and how
// requests arrive (web/serve listens on loopback; a Worker at the edge would
// call the same handler).
package web

import (
	"io/fs"
	"net/http"
)

// policy allows scripts, WebAssembly, styles and requests of our own origin and
// nothing else. It has no frame-ancestors on purpose: the playground is made to
// be embedded in pages of other origins.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
	"img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"

// New returns the handler that serves dist, a directory of built files.
// Routes that compute an answer belong beside the files in here, inside secured.
func New(dist fs.FS) http.Handler {
	return secured(&files{dist: dist})
}

// secured puts the security headers on every answer of next, errors included.
func secured(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		// A page of another origin may embed us and load our files.
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		next.ServeHTTP(w, r)
	})
}
