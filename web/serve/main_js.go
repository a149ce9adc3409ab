//go:build js && wasm

// Command serve, built for js, is the Worker at the edge: the runtime serves the
// files by itself and asks this program about everything else.
package main

import (
	"embed"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/kv"

	"sharedbatches/web"
)

// linkBinding is the name of the KV namespace in web/edge/wrangler.json.
const linkBinding = "LINKS"

func main() {
	var links web.Links
	if namespace, err := kv.NewNamespace(linkBinding); err == nil {
		links = linkNamespace{namespace}
	}
	// No files: what gets here is no file of the playground.
	workers.Serve(web.NewWithLinks(embed.FS{}, links))
}

// linkNamespace keeps short links in Workers KV. Two requests at once could both
// find an id free; what a link leads to is still right, because an id is followed
// only to the content whose digest it begins.
type linkNamespace struct{ kv *kv.Namespace }

// Get implements web.Links.
func (n linkNamespace) Get(id string) (fragment string, err error) {
	fragment, err = n.kv.GetString(id, nil)
	if fragment == "<null>" { // how syscall/js prints the null of a missing key
		fragment = ""
	}
	return fragment, err
}

// Add implements web.Links.
func (n linkNamespace) Add(id, fragment string) (held string, err error) {
	if held, err = n.Get(id); err != nil || held != "" {
		return held, err
	}
	return fragment, n.kv.PutString(id, fragment, nil)
}
