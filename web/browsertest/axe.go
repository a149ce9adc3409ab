//go:build !js

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// axePath is where npm ci puts axe-core, which knows the rules of accessibility
// that a program can check.
const axePath = "web/browsertest/node_modules/axe-core/axe.min.js"

// Axe fails the test for each violation of accessibility that axe-core finds on
// the page as it is now, apart from the rules named.
func (p *Page) Axe(except ...string) {
	p.t.Helper()
	for _, violation := range p.violations() {
		name, _, _ := strings.Cut(violation, ":")
		skip := false
		for _, rule := range except {
			skip = skip || rule == name
		}
		if !skip {
			p.t.Errorf("accessibility: %s", violation)
		}
	}
}

// violations returns each violation as "rule: help: element".
func (p *Page) violations() []string {
	p.t.Helper()
	source, err := os.ReadFile(filepath.Join(root, axePath))
	if err != nil {
		unavailable(p.t, "no axe-core: install it with: npm ci --prefix web/browsertest")
	}
	// Evaluated and not added as a script, which the page's policy would refuse.
	Eval[*struct{}](p, "globalThis.axe ? null : (() => {"+string(source)+"\n})(), null")
	return Eval[[]string](p, fmt.Sprintf(`axe.run(document, {resultTypes: ["violations"]}).then(result =>
		result.violations.flatMap(v => v.nodes.map(n => [v.id, v.help, n.html.slice(0, %d)].join(": "))))`, 160))
}
