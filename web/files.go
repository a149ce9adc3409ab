package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	cacheForever = "public, max-age=31536000, immutable"
	cacheChecked = "no-cache" // kept by the browser, but asked about each time
)

// hashedName matches a file name that carries a hash of its content, such as
// page.3f9a01bc.css: its content can never change.
var hashedName = regexp.MustCompile(`\.[0-9a-f]{8,64}\.[a-z0-9]+$`)

// files serves the files of dist with GET and HEAD. A file x with a
// pre-compressed x.br or x.gz beside it is one resource with up to three
// representations; the compressed ones have no address of their own.
type files struct {
	dist fs.FS
	tags sync.Map // tagKey to string
}

func (f *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		answerText(w, r, http.StatusMethodNotAllowed, "Not possible",
			"This address can only be read, with GET or HEAD, not "+r.Method+".")
		return
	}
	name, ok := f.resolve(r.URL.Path)
	if !ok {
		notFound(w, r)
		return
	}
	if name == "" {
		// The page's own links are relative, so its address has to end in a slash.
		redirectToDirectory(w, r)
		return
	}
	rep, err := f.choose(name, r.Header.Get("Accept-Encoding"))
	if errors.Is(err, fs.ErrNotExist) {
		notFound(w, r)
		return
	}
	if err != nil {
		failed(w, r)
		return
	}
	defer rep.file.Close()
	tag, err := f.tag(rep)
	if err != nil {
		failed(w, r)
		return
	}

	if name == framingPage {
		h.Set("Content-Security-Policy", framing)
	}
	h.Set("ETag", tag)
	h.Set("Cache-Control", cacheControl(name, r))
	if rep.varies {
		h.Set("Vary", "Accept-Encoding")
	}
	if matches(r.Header.Get("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", contentType(name))
	h.Set("Content-Length", strconv.FormatInt(rep.info.Size(), 10))
	if rep.encoding != "" {
		h.Set("Content-Encoding", rep.encoding)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodGet {
		// The reader has gone away if this fails; there is nobody left to tell.
		_, _ = io.Copy(w, rep.file)
	}
}

// resolve turns the path of a request into the name of a file in dist. It gives
// "" for a directory that was asked for without its final slash, and false for
// what has no file. It never lists a directory.
func (f *files) resolve(urlPath string) (name string, ok bool) {
	// fs.ValidPath refuses empty, "." and ".." elements, so the name cannot
	// leave dist; a backslash separates only on some systems and is refused on
	// all of them.
	trimmed := strings.TrimPrefix(urlPath, "/")
	if strings.ContainsAny(trimmed, "\\\x00") {
		return "", false
	}
	if trimmed == "" || strings.HasSuffix(trimmed, "/") {
		name = trimmed + "index.html"
		return name, fs.ValidPath(name) && f.isFile(name)
	}
	if !fs.ValidPath(trimmed) {
		return "", false
	}
	info, err := fs.Stat(f.dist, trimmed)
	switch {
	case err != nil:
		return "", false
	case info.IsDir():
		return "", f.isFile(path.Join(trimmed, "index.html"))
	case !info.Mode().IsRegular():
		return "", false
	}
	for _, c := range codings {
		if original, found := strings.CutSuffix(trimmed, c.suffix); found && f.isFile(original) {
			return "", false
		}
	}
	return trimmed, true
}

func (f *files) isFile(name string) bool {
	info, err := fs.Stat(f.dist, name)
	return err == nil && info.Mode().IsRegular()
}

// representation is an open file that answers for a name in one coding.
type representation struct {
	file     fs.File
	info     fs.FileInfo
	path     string // with the suffix of the coding
	encoding string // "" for the file as it is
	varies   bool   // another Accept-Encoding could get another representation
}

// choose opens the representation of name that fits the header best.
func (f *files) choose(name, acceptEncoding string) (representation, error) {
	plain, err := f.open(name)
	if err != nil {
		return representation{}, err
	}
	accepted := parseAcceptEncoding(acceptEncoding)
	best, bestQuality := plain, 0
	for _, c := range codings {
		squeezed, err := f.open(name + c.suffix)
		if err != nil {
			continue // not pre-compressed in this coding
		}
		// A build that is under way may have renewed the file and not yet what
		// is compressed from it.
		if squeezed.info.ModTime().Before(plain.info.ModTime()) {
			squeezed.file.Close()
			continue
		}
		plain.varies, best.varies = true, true
		if q := accepted.quality(c.name); q > bestQuality {
			best.file.Close()
			squeezed.encoding, squeezed.varies = c.name, true
			best, bestQuality = squeezed, q
			continue
		}
		squeezed.file.Close()
	}
	return best, nil
}

func (f *files) open(name string) (representation, error) {
	file, err := f.dist.Open(name)
	if err != nil {
		return representation{}, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		file.Close()
		return representation{}, err
	}
	return representation{file: file, info: info, path: name}, nil
}

// tagKey names one content of one file: a file that changes gets another
// modification time or size, so a tag is computed once per build.
type tagKey struct {
	path    string
	modTime time.Time
	size    int64
}

// tag returns the strong entity tag of the representation: a hash of its bytes.
func (f *files) tag(rep representation) (string, error) {
	key := tagKey{rep.path, rep.info.ModTime(), rep.info.Size()}
	if tag, ok := f.tags.Load(key); ok {
		return tag.(string), nil
	}
	// A second opening, so that the answer still starts at the first byte:
	// fs.File has no Seek.
	file, err := f.dist.Open(rep.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", err
	}
	tag := `"` + hex.EncodeToString(hash.Sum(nil)[:16]) + `"`
	f.tags.Store(key, tag)
	return tag, nil
}

// cacheControl lets a browser keep what can never change under its address.
// A page never counts as such: people share and type its address.
func cacheControl(name string, r *http.Request) string {
	if path.Ext(name) == ".html" {
		return cacheChecked
	}
	if hashedName.MatchString(name) || r.URL.Query().Get("v") != "" {
		return cacheForever
	}
	return cacheChecked
}

// matches reports whether an If-None-Match header names the tag.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

func redirectToDirectory(w http.ResponseWriter, r *http.Request) {
	// Relative, so that it holds under any prefix and can never name another host.
	target := "./" + path.Base(r.URL.EscapedPath()) + "/"
	if r.URL.RawQuery != "" {
		target += "?" + r.URL.RawQuery
	}
	w.Header().Set("Location", target)
	answerText(w, r, http.StatusMovedPermanently, "Moved", "This page has moved to the same address with a slash at the end.")
}

func notFound(w http.ResponseWriter, r *http.Request) {
	answerText(w, r, http.StatusNotFound, "No such page",
		"There is nothing at /"+strings.Join(segments(r.URL), "/")+". The address may be misspelt, or the page may have moved.")
}

func failed(w http.ResponseWriter, r *http.Request) {
	answerText(w, r, http.StatusInternalServerError, "Something is wrong here",
		"The file at "+r.URL.Path+" exists but could not be read.")
}

// answerText writes a small page that says in plain words what happened.
func answerText(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	page := fmt.Sprintf("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light dark\">\n"+
		"<title>%[1]s</title>\n<main>\n<h1>%[1]s</h1>\n<p>%[2]s</p>\n<p><a href=\"/\">Open the playground</a></p>\n</main>\n</html>\n",
		html.EscapeString(title), html.EscapeString(text))
	h := w.Header()
	h.Set("Content-Type", contentType(".html"))
	h.Set("Cache-Control", "no-store")
	// At the edge it is an error to promise a length and then send nothing.
	if r.Method != http.MethodHead {
		h.Set("Content-Length", strconv.Itoa(len(page)))
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, page)
	}
}
