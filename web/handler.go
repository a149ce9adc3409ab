// Package web answers the requests of a browser that opens the playground.
//
// It is one plain [http.Handler] over a directory of built files: no cookies, no
// session, nothing that a static file server could not do, but for two additions
// on which the page does not depend. /api/v1 tells lessons and plays schedules;
// /s leads from a short link to the long one. For files it adds what a file
// server often leaves out: right content types, pre-compressed files, caching
// that never shows an old page, and a strict security policy.
//
// Not in here: which files there are (build.sh and web/pack decide), where short
// links are kept ([Links]), and how requests arrive: web/serve listens on
// loopback, or runs as a Worker at the edge, with the same handler.
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

// framing adds frames of our own origin for the one page that shows how to embed.
const framing, framingPage = policy + "; frame-src 'self'", "docs-example.html"

// New returns the handler that serves dist, a directory of built files, with
// short links off.
func New(dist fs.FS) http.Handler { return NewWithLinks(dist, nil) }

// NewWithLinks is New with short links, kept in links; nil turns them off.
func NewWithLinks(dist fs.FS, links Links) http.Handler {
	pages, api := &files{dist: dist}, &api{links}
	return secured(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path := segments(r.URL); path[0] == "api" || path[0] == "s" && len(path) > 1 {
			api.serve(w, r, path)
			return
		}
		pages.ServeHTTP(w, r)
	}))
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
		h.Set("Access-Control-Allow-Origin", "*") // an embed in a sandbox has an opaque origin
		next.ServeHTTP(w, r)
	})
}
