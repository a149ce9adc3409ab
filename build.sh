#!/usr/bin/env bash
# One case per need, at the end of this file; CI runs "test" as everyone does.
set -eu -o pipefail
cd "$(dirname "$0")"

work=.build                     # ignored: what is made on the way to dist/
tags=arrow_json_stdlib          # arrow-go's own tag: its WebAssembly gets a fifth smaller
js=(env GOOS=js GOARCH=wasm)

usage() {
	cat <<-'TEXT'
	usage: ./build.sh serve [PORT]       build what is stale and show the playground on this machine (needs Go)
	       ./build.sh build [--release]  build what is stale into dist/, which any file server can serve (needs Go)
	       ./build.sh worker            build what web/edge/wrangler.json deploys (needs Go)
	       ./build.sh test               check everything (needs Go, Node and apt; installs Chromium when it is missing)
	       ./build.sh bench              measure speed and sizes (needs Go; with Node, WebAssembly too)
	TEXT
}

# --- building -------------------------------------------------------------------

has_go() { compgen -G "$1/*.go" >/dev/null; }

# compile_scenarios makes the text of all lessons, which the page fetches.
compile_scenarios() {
	if has_go scenarios/compile; then go run ./scenarios/compile "$work/stage/lessons.txt"; fi
}

build_wasm() { # NAME [FLAG ...]: wasm/NAME becomes NAME.wasm
	local name=$1
	shift
	"${js[@]}" go build -trimpath -buildvcs=false -ldflags='-s -w' -tags "$tags" "$@" -o "$work/$name.wasm" "./wasm/$name"
	cp "$work/$name.wasm" "$work/stage/"
}

# build makes dist/ in two moves: everything into a fresh stage, then what
# differs from the stage into dist/, with its compressed forms. Builds that are
# started at the same time take turns, where the system has flock.
build() ( # arguments for web/pack
	mkdir -p "$work"
	exec 9>"$work/lock"
	if command -v flock >/dev/null; then flock 9; fi
	rm -rf "$work/stage"
	mkdir -p "$work/stage"
	compile_scenarios
	if [ -d static ]; then cp -R static/. "$work/stage/"; fi
	# Without inlining a program is a tenth smaller. The page runs a few times a step and
	# the data a few times an opening; only the search has to be fast.
	# The older garbage collector is smaller still, and a page has little garbage.
	GOEXPERIMENT=nogreenteagc build_wasm page -gcflags=all=-l
	build_wasm data -gcflags=all=-l
	build_wasm search
	if has_go web/covers; then go run ./web/covers static "$work/stage"; fi
	cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$work/stage/"
	go run ./web/pack "$@" "$work/stage" dist
)

serve() { # [PORT]
	local port=()
	case "${1-}" in
	'') ;;
	*[!0-9]*) echo "serve: port \"$1\": a port is a number from 1 to 65535" >&2; exit 2 ;;
	*) port=(-port "$1") ;;
	esac
	build
	go build -buildvcs=false -o "$work/serve" ./web/serve
	exec "$work/serve" -dir dist -links "$work/links" "${port[@]}" # not "go run", which would keep signals from it
}

worker_limit=3000000 # bytes after gzip: what the runtime takes without a paid plan

# worker makes the Worker, and beside it the files that the edge serves: those of
# dist/ without the compressed forms, which it makes itself.
worker() (
	build
	exec 9>"$work/lock"
	if command -v flock >/dev/null; then flock 9; fi
	go run github.com/syumai/workers/cmd/workers-assets-gen -mode=go -o "$work/worker"
	"${js[@]}" go build -trimpath -buildvcs=false -ldflags='-s -w' -tags "$tags" -o "$work/worker/app.wasm" ./web/serve
	rm -rf "$work/edge"
	cp -R dist "$work/edge"
	find "$work/edge" \( -name '*.br' -o -name '*.gz' \) -exec rm {} +
	cp web/edge/_headers web/edge/_redirects "$work/edge/"
	local size=$(($(cat "$work"/worker/* | gzip -9 | wc -c)))
	echo "budget worker: $size of $worker_limit bytes gzip ($((size * 100 / worker_limit)) %)"
	[ $size -le $worker_limit ]
)

# --- testing --------------------------------------------------------------------

check_format() {
	local wrong
	wrong=$(gofmt -l .)
	if [ -n "$wrong" ]; then
		printf 'not formatted, gofmt -w would help:\n%s\n' "$wrong"
		return 1
	fi
}

vet() {
	go vet ./...
	"${js[@]}" go vet -tags "$tags" ./...
}

test_native() {
	go list ./... | sed '/\/web\/browsertest$/d; /\/wasm\/page$/d' | xargs go test
}

# test_js runs the tests of what ends up in WebAssembly once more as that.
test_js() {
	local dir dirs=()
	for dir in core scenarios wasm; do
		if [ -n "$(find "$dir" -name '*.go' -print -quit 2>/dev/null)" ]; then dirs+=("./$dir/..."); fi
	done
	if [ ${#dirs[@]} -eq 0 ]; then return; fi
	"${js[@]}" go test -short -tags "$tags" \
		-exec "$(node_exec)" "${dirs[@]}"
}

# node_exec runs a WebAssembly program under Node, whose loader takes little environment.
node_exec() { echo "env -i 'PATH=$PATH' '$(go env GOROOT)/lib/wasm/go_js_wasm_exec'"; }

# check_imports keeps out of page.wasm what would make it slow to load.
check_imports() {
	if ! has_go wasm/page; then return; fi
	local all bad
	all=$("${js[@]}" go list -deps -tags "$tags" ./wasm/page)
	if bad=$(grep -E '^(github\.com/apache/arrow-go/.*|net/http(/.*)?|html/template|encoding/json(/.*)?|.*yaml.*)$' <<<"$all"); then
		printf 'wasm/page must not import:\n%s\n' "$bad"
		return 1
	fi
}

check_sizes() { go run ./web/pack -sizes -gate -cache "$work/sizes" dist; }

install_browser() {
	local name
	for name in "${CHROMIUM:-chromium}" chromium-browser google-chrome google-chrome-stable; do
		if command -v "$name" >/dev/null; then return; fi
	done
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "no Chromium: install it with: sudo apt-get install chromium fonts-liberation"
		return 1
	fi
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends chromium fonts-liberation
}

install_npm() ( # DIRECTORY with a lock file
	cd "$1"
	if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
		npm ci --silent
	fi
)

test_browser() {
	install_browser
	install_npm web/browsertest
	# What is skipped is not tested: "required" makes the harness fail instead.
	BROWSER_TEST=required go test -count=1 -p 1 ./web/browsertest ./wasm/page
}

# test_arrow lets another implementation of Arrow read what data.wasm writes.
test_arrow() (
	install_npm wasm/data/nodetest
	cd wasm/data/nodetest
	node --test
)

test_worker() {
	worker
	install_npm web/workertest
	WORKER_TEST=required go test -count=1 ./web/workertest
}

summary=()
failed=0

# check runs one part of the test, in a shell of its own so that its first
# failing command ends it, and goes on to the next part whatever comes out.
check() { # NAME COMMAND...
	local name=$1 from=$SECONDS result=0
	shift
	printf '\n== %s\n' "$name"
	set +e
	(set -e; "$@")
	result=$?
	set -e
	if [ $result = 0 ]; then
		summary+=("$(printf 'ok    %-28s %4d s' "$name" $((SECONDS - from)))")
	else
		summary+=("$(printf 'FAIL  %-28s %4d s' "$name" $((SECONDS - from)))")
		failed=1
	fi
}

run_tests() {
	check 'build' build
	check 'format' check_format
	check 'vet, native and js/wasm' vet
	check 'tests, native' test_native
	check 'tests, js/wasm under Node' test_js
	check 'imports of page.wasm' check_imports
	check 'sizes' check_sizes
	check 'tests of the Worker' test_worker
	check 'tests of Arrow under Node' test_arrow
	check 'tests in the browser' test_browser
	printf '\n== summary\n'
	printf '%s\n' "${summary[@]}"
	return $failed
}

# --- measuring ------------------------------------------------------------------

bench() {
	build
	if ! install_npm web/lighthouse; then
		echo '== Lighthouse: not measured: npm cannot install it'
	fi
	local lines='/^(goos|goarch|pkg|cpu|PASS|ok|\?)/d; /\[no test files\]$/d'
	printf '== native\n'
	go test -run '^$' -bench . -benchmem -benchtime "${BENCHTIME:-1s}" ./... | sed -E "$lines"
	if command -v node >/dev/null; then
		printf '== js/wasm under Node: the search and what it steps\n'
		"${js[@]}" go test -tags "$tags" -exec "$(node_exec)" -run '^$' -bench . -benchtime "${BENCHTIME:-1s}" \
			./core/explore ./core/proof ./core/coalesce | sed -E "$lines"
	else
		echo '== js/wasm: not measured: there is no Node'
	fi
	go run ./scenarios/classroom proofs
	go run ./scenarios/classroom meter
	go run ./web/pack -sizes -cache "$work/sizes" dist
}

case "${1-}" in
serve) serve "${2-}" ;;
build)
	case "${2-}" in
	'') build ;;
	--release) build -quality 11 -all ;;
	*) usage >&2; exit 2 ;;
	esac
	;;
worker) worker ;;
test) run_tests ;;
bench) bench ;;
*) usage >&2; exit 2 ;;
esac
