// Package core_test holds the packages under core to the rules of the design: what
// each may import, no goroutines, and in the model no order that a map decides.
package core_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "sharedbatches/"

// allowed is what each package may import. There is no clock, file, lock, network
// or chance among it. A package that lacks here is a fault: say what it needs.
var allowed = map[string][]string{
	"brief":             {"errors", "strconv", "strings", "unicode/utf8"},
	"coalesce":          {"cmp", "math/bits", "slices", "strconv", "strings", "unsafe", brief},
	"explore":           {"errors", "math", "math/big", "math/bits", "strconv", "unsafe"},
	"schedule":          {"errors", "iter", "slices", "strconv", "strings", "unicode/utf8", brief},
	"worlds":            {"slices", "strconv", "strings", brief, coalesce, schedule},
	"scenario":          {"slices", "strconv", "strings", brief, coalesce, schedule, worlds},
	"scenario/compact":  {"errors", "strconv", "strings", brief, coalesce, scenario},
	"scenario/yamlfile": {"bytes", "cmp", "errors", "fmt", "io", "math", "regexp", "slices", "strconv", "strings", "unicode/utf8", "go.yaml.in/yaml/v3", coalesce, scenario, schedule},
	"view":              {"math/bits", "slices", "strconv", "strings", brief, coalesce, scenario, schedule, worlds},
	"meter":             {"slices", "strings", brief, coalesce, schedule},
	"proof":             {"math/big", "slices", "strconv", "strings", "unsafe", brief, coalesce, explore, schedule},
}

const (
	brief    = module + "core/brief"
	coalesce = module + "core/coalesce"
	explore  = module + "core/explore"
	scenario = module + "core/scenario"
	schedule = module + "core/schedule"
	worlds   = module + "core/worlds"
)

// exempt may import what they need and start goroutines: live is the mechanism on
// real threads, part is where Arrow is.
var exempt = []string{"live", "part"}

// never is allowed to nobody, exempt or not.
var never = []string{module + "wasm", module + "web"}

// outside is what an allow-list may not hold.
var outside = []string{"os", "time", "net", "math/rand", "math/rand/v2", "sync", "sync/atomic", "runtime", "syscall", "context", "log"}

func isExempt(dir string) bool {
	first, _, _ := strings.Cut(dir, "/")
	return slices.Contains(exempt, first)
}

// faults lists what breaks the rules in a tree of Go files.
func faults(tree fs.FS) (list []string, packages int, err error) {
	files := map[string][]*ast.File{}
	set := token.NewFileSet()
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			return err
		}
		files[path.Dir(name)] = append(files[path.Dir(name)], f)
		return nil
	})
	fault := func(at token.Pos, format string, args ...any) {
		list = append(list, fmt.Sprintf("%s: %s", set.Position(at), fmt.Sprintf(format, args...)))
	}
	for dir, fs := range files {
		may, known := allowed[dir]
		if !known && !isExempt(dir) {
			fault(fs[0].Package, "package %s has no list of imports", dir)
		}
		for _, f := range fs {
			for _, spec := range f.Imports {
				name, _ := strconv.Unquote(spec.Path.Value)
				if known && !slices.Contains(may, name) {
					fault(spec.Pos(), "%s may not import %s", dir, name)
				}
				for _, bad := range never {
					if name == bad || strings.HasPrefix(name, bad+"/") {
						fault(spec.Pos(), "nothing in core imports %s", name)
					}
				}
			}
			if isExempt(dir) {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if g, ok := n.(*ast.GoStmt); ok {
					fault(g.Pos(), "a go statement in %s", dir)
				}
				return true
			})
		}
		if dir == "coalesce" {
			for _, at := range mapRanges(set, fs) {
				fault(at, "a range over a map: its order is not the same each time")
			}
		}
	}
	slices.Sort(list)
	return list, len(files), err
}

// mapRanges finds ranges over maps. Imports are not loaded, so only types that the
// package writes down itself are known; a map that comes from elsewhere is not.
func mapRanges(set *token.FileSet, files []*ast.File) (at []token.Pos) {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: none{}, Error: func(error) {}}
	conf.Check("coalesce", set, files, info)
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if r, ok := n.(*ast.RangeStmt); ok {
				if t := info.Types[r.X].Type; t != nil {
					if _, isMap := t.Underlying().(*types.Map); isMap {
						at = append(at, r.Pos())
					}
				}
			}
			return true
		})
	}
	return at
}

type none struct{}

func (none) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not loaded", path)
}

func TestImports(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("the files are the same as natively")
	}
	list, packages, err := faults(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range list {
		t.Error(fault)
	}
	if packages < len(allowed) {
		t.Errorf("%d packages were read, fewer than the %d that have a list", packages, len(allowed))
	}
	for dir, may := range allowed {
		for _, name := range may {
			if slices.Contains(outside, name) || strings.HasPrefix(name, "net/") || strings.HasPrefix(name, "os/") {
				t.Errorf("%s: the list allows %s", dir, name)
			}
		}
	}
}

// TestImportsCanFail reads a small tree that breaks each rule.
func TestImportsCanFail(t *testing.T) {
	tree := fstest.MapFS{
		"coalesce/a.go":      {Data: []byte("package coalesce\n\nimport \"time\"\n\ntype m map[int]int\n\nfunc f(x m, y []int) {\n\tgo f(x, y)\n\tfor range x {\n\t}\n\tfor range y {\n\t}\n\t_ = time.Now\n}\n")},
		"coalesce/a_test.go": {Data: []byte("package coalesce\n\nimport \"os\"\n")},
		"live/a.go":          {Data: []byte("package live\n\nimport (\n\t\"sync\"\n\t\"sharedbatches/wasm/page\"\n)\n\nfunc f() { go f() }\n")},
		"fresh/a.go":         {Data: []byte("package fresh\n")},
	}
	got, _, err := faults(tree)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"coalesce/a.go:3:8: coalesce may not import time",
		"coalesce/a.go:8:2: a go statement in coalesce",
		"coalesce/a.go:9:2: a range over a map: its order is not the same each time",
		"fresh/a.go:1:1: package fresh has no list of imports",
		"live/a.go:5:2: nothing in core imports sharedbatches/wasm/page",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
