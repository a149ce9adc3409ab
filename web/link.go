package web

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"log"
	"net/http"
	"slices"
	"strings"

	"sharedbatches/core/schedule"
	"sharedbatches/scenarios"
)

// Links keeps what short links lead to. An entry never changes and never goes.
type Links interface {
	// Get returns the fragment under an id, or "" when there is none.
	Get(id string) (fragment string, err error)
	// Add puts the fragment under the id unless the id is taken, and returns what
	// is there then. What it returns without an error outlives the program.
	Add(id, fragment string) (held string, err error)
}

// An id is the beginning of its fragment's digest: 60 bits, so that two links
// never meet by chance; where they do, the later one gets idMore more letters.
const (
	idLength = 12
	idMore   = 4
)

var idCoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// digest is the whole of which an id is the beginning, a letter for 5 bits.
func digest(fragment string) string {
	sum := sha256.Sum256([]byte(fragment))
	return idCoding.EncodeToString(sum[:])
}

// addLink stores a fragment and returns its id.
func addLink(links Links, fragment string) (string, error) {
	whole := digest(fragment)
	for n := idLength; n <= len(whole); n += idMore {
		held, err := links.Add(whole[:n], fragment)
		if err != nil {
			return "", err
		}
		if held == fragment {
			return whole[:n], nil
		}
	}
	return "", errors.New("all ids of this link are taken")
}

var errLinksOff = problemf(http.StatusNotFound, "short links are off on this server: the long link works everywhere")

// storeFailed tells the reader no more than that it was not their fault.
func storeFailed(err error) error {
	log.Printf("links: %v", err)
	return problemf(http.StatusServiceUnavailable, "short links do not work at the moment: the long link does")
}

func (a *api) makeLink(w http.ResponseWriter, r *http.Request, _ string) error {
	if a.links == nil {
		return errLinksOff
	}
	var text string
	given, err := readObject(w, r, map[string]any{"fragment": &text})
	if err != nil {
		return err
	}
	if !given["fragment"] {
		return problemf(http.StatusBadRequest, "body: the key fragment is missing")
	}
	// Parsed and printed again, two ways of writing one fragment get one id, and
	// nothing that is not a fragment is ever stored or sent back.
	parsed, err := schedule.ParseFragment(text)
	if err != nil {
		return unprocessable(err)
	}
	if !slices.Contains(scenarios.IDs, parsed.Scenario) {
		return problemf(http.StatusUnprocessableEntity, "fragment: scenario %q: there are %q", parsed.Scenario, scenarios.IDs)
	}
	fragment, err := schedule.PrintFragment(parsed)
	if err != nil {
		return unprocessable(err)
	}
	id, err := addLink(a.links, fragment)
	if err != nil {
		return storeFailed(err)
	}
	writeJSON(w, r, http.StatusOK, "application/json", struct {
		ID       string `json:"id"`
		Path     string `json:"path"`
		Fragment string `json:"fragment"`
	}{id, "/s/" + id, fragment})
	return nil
}

func (a *api) followLink(w http.ResponseWriter, r *http.Request, id string) error {
	w.Header().Set("Vary", "Accept")
	fragment, err := a.findLink(id)
	if err == nil {
		w.Header().Set("Location", "/#"+fragment)
		answerText(w, r, http.StatusFound, "Moved", "This short link leads to the playground.")
		return nil
	}
	// A person who follows a link gets words on a page, a program gets a problem.
	var p *problem
	if errors.As(err, &p) && strings.Contains(r.Header.Get("Accept"), "text/html") {
		answerText(w, r, p.Status, "No way from here", "This address leads nowhere: "+p.Detail+".")
		return nil
	}
	return err
}

func (a *api) findLink(id string) (fragment string, err error) {
	if a.links == nil {
		return "", errLinksOff
	}
	unknown := problemf(http.StatusNotFound, "short link %q: there is none of that name", clip(id))
	if len(id) < idLength || len(id) > len(digest("")) || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return "", unknown
	}
	if fragment, err = a.links.Get(id); err != nil {
		return "", storeFailed(err)
	}
	// An id that its content does not have was not made here, so it is not followed.
	if fragment == "" || !strings.HasPrefix(digest(fragment), id) {
		return "", unknown
	}
	return fragment, nil
}

// clip keeps a message short, whatever was asked for.
func clip(id string) string {
	const most = 64
	if len(id) <= most {
		return id
	}
	return strings.ToValidUTF8(id[:most], "") + "..."
}
