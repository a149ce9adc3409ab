package web

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
)

// api answers what has to be computed: everything below /api, and /s.
type api struct {
	links Links // nil: short links are off
}

// endpoint is what one address answers to its one method; GET includes HEAD.
// What it returns instead of answering is sent as a problem.
type endpoint struct {
	method string
	answer func(a *api, w http.ResponseWriter, r *http.Request, id string) error
}

// endpoints are all addresses, where * stands for an id.
var endpoints = map[string]endpoint{
	"api/v1/lessons":   {http.MethodGet, (*api).listLessons},
	"api/v1/lessons/*": {http.MethodGet, (*api).showLesson},
	"api/v1/run":       {http.MethodPost, (*api).run},
	"api/v1/links":     {http.MethodPost, (*api).makeLink},
	"s/*":              {http.MethodGet, (*api).followLink},
}

func (a *api) serve(w http.ResponseWriter, r *http.Request, path []string) {
	// A panic of the core is a bug of ours: this one request fails, with the stack
	// in the server's log, and at the edge too, where it would end the program.
	defer func() {
		if what := recover(); what != nil {
			log.Printf("%s %q: panic: %v\n%s", r.Method, r.URL.Path, what, debug.Stack())
			writeProblem(w, r, problemf(http.StatusInternalServerError, "something is wrong here: this request cannot be answered"))
		}
	}()
	if err := a.answer(w, r, path); err != nil {
		writeProblem(w, r, err)
	}
}

func (a *api) answer(w http.ResponseWriter, r *http.Request, path []string) error {
	e, id, ok := find(path)
	if !ok {
		return problemf(http.StatusNotFound, "nothing is at this address: there are %s", addresses)
	}
	if r.Method != e.method && !(r.Method == http.MethodHead && e.method == http.MethodGet) {
		allow := e.method
		if allow == http.MethodGet {
			allow = "GET, HEAD"
		}
		w.Header().Set("Allow", allow)
		return problemf(http.StatusMethodNotAllowed, "method %s: allowed is %s", r.Method, allow)
	}
	return e.answer(a, w, r, id)
}

const addresses = "/api/v1/lessons, /api/v1/lessons/{id}, /api/v1/run, /api/v1/links and /s/{id}"

func find(path []string) (e endpoint, id string, ok bool) {
	if e, ok = endpoints[strings.Join(path, "/")]; ok {
		return e, "", true
	}
	last := len(path) - 1
	e, ok = endpoints[strings.Join(path[:last], "/")+"/*"]
	return e, path[last], ok && path[last] != ""
}

// segments splits the path of an address, each segment decoded by itself, so that
// an encoded slash parts nothing. Dot segments, encoded or not, are resolved
// first, as every browser does and as the runtime at the edge does before a
// Worker sees the address; so both answer alike. There is at least one segment.
func segments(u *url.URL) []string {
	var list []string
	raw := strings.Split(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	for i, segment := range raw {
		decoded, err := url.PathUnescape(segment)
		if err != nil {
			decoded = segment
		}
		switch decoded {
		case ".", "..":
			if decoded == ".." && len(list) > 0 {
				list = list[:len(list)-1]
			}
			if i == len(raw)-1 {
				list = append(list, "") // "/a/.." is "/", with its slash
			}
		default:
			list = append(list, decoded)
		}
	}
	return list
}

// problem is an error as RFC 9457 wants it, with the text that the command line
// prints for the same fault.
type problem struct {
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Detail string  `json:"detail"`
	Errors []fault `json:"errors,omitempty"`
}

// fault is one of several faults of a scenario file. Line and Column count from
// 1; 0 is "not known".
type fault struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Path    string `json:"path"`
	Message string `json:"message"`
}

func (p *problem) Error() string { return p.Detail }

func problemf(status int, format string, args ...any) *problem {
	return &problem{http.StatusText(status), status, fmt.Sprintf(format, args...), nil}
}

// writeProblem sends err, which need not be a *problem. One that is not is ours.
func writeProblem(w http.ResponseWriter, r *http.Request, err error) {
	var p *problem
	if !errors.As(err, &p) {
		log.Printf("%s %q: %v", r.Method, r.URL.Path, err)
		p = problemf(http.StatusInternalServerError, "%v", err)
	}
	writeJSON(w, r, p.Status, "application/problem+json", p)
}
