//go:build unix

package workertest

import "strings"

// request is a row of the table: what is asked, and what has to come back.
type request struct {
	name, method, target string
	contentType          string // of the body; application/json when there is a body and this is empty
	accept               string
	body                 string

	status int
	kind   string            // content type of the answer
	says   []string          // parts of the answer's body
	header map[string]string // of the answer
}

const (
	jsonKind    = "application/json"
	problemKind = "application/problem+json"
	htmlKind    = "text/html; charset=utf-8"
)

// ownScenario is small and has all that a scenario needs.
const ownScenario = `title: <b>Mine</b>
setup:
  sinks: [{name: X, lower: 1000, uppers: [2000]}]
  workers: [{writes: [{sink: X, parts: [{at: 1500, updates: 512, bytes: 16384, changes: [{key: "7", from: 5, to: 6}]}]}]}]
worlds: [upgrade, strong_count]
schedule: A6 Ka2 A Px
reader: {sink: X, key: "7", as_of: [1500]}
expect:
  upgrade: {verdict: safe, puts: 1}
  strong_count: {verdict: losing, puts: 1}
`

func run(name, body string, status int, says ...string) request {
	kind := problemKind
	if status == 200 {
		kind = jsonKind
	}
	return request{name: name, method: "POST", target: "/api/v1/run", body: body, status: status, kind: kind, says: says}
}

func link(name, body string, status int, says ...string) request {
	r := run(name, body, status, says...)
	r.target = "/api/v1/links"
	return r
}

func get(name, target string, status int, kind string, says ...string) request {
	return request{name: name, method: "GET", target: target, status: status, kind: kind, says: says}
}

func wrongMethod(method, target, allow string) request {
	r := get("wrong method", target, 405, problemKind, "method "+method+": allowed is "+allow)
	r.method, r.header = method, map[string]string{"Allow": allow}
	if method == "HEAD" {
		r.says = nil
	}
	return r
}

// pad makes a JSON object exactly n bytes long with blanks.
func pad(object string, n int) string {
	return strings.TrimSuffix(object, "}") + strings.Repeat(" ", n-len(object)) + "}"
}

// table is in the order of asking: links are followed after they were made.
func table() []request {
	head := func(target string, status int, kind string) request {
		r := get("HEAD", target, status, kind)
		r.method = "HEAD"
		return r
	}
	follow := func(target, location string) request {
		r := get("short link", target, 302, htmlKind, "Moved")
		r.header = map[string]string{"Location": location, "Vary": "Accept"}
		return r
	}
	typed := func(contentType string, status int, says ...string) request {
		r := run("type "+contentType, `{"id":"share"}`, status, says...)
		r.contentType = contentType
		return r
	}
	person := get("unknown link, for a person", "/s/aaaaaaaaaaaa", 404, htmlKind, "leads nowhere", "aaaaaaaaaaaa")
	person.accept = "text/html"
	quotedYAML := strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(ownScenario)

	return []request{
		// Lessons.
		get("lessons", "/api/v1/lessons", 200, jsonKind, `"id": "sweep"`, `"steps": 54`, `"page": "/#1/sweep/A4B3ABAKa2AB5Kb2BPxBy5KbyByPyA5LaALaABy12LbyByPy@6"`),
		get("lesson", "/api/v1/lessons/sweep", 200, jsonKind, `"schedule": "A4 B3 A B A Ka2`, `"start": 6`, `"key": "7"`, `"Kby"`),
		get("query", "/api/v1/lessons/sweep?x=1", 200, jsonKind, `"id": "sweep"`),
		head("/api/v1/lessons", 200, jsonKind),
		head("/api/v1/lessons/sweep", 200, jsonKind),
		head("/api/v1/lessons/nope", 404, problemKind),
		get("unknown lesson", "/api/v1/lessons/nope", 404, problemKind, `scenario \"nope\": there are [\"share\" \"sweep\"`),
		get("no lesson", "/api/v1/lessons/", 404, problemKind, "nothing is at this address"),
		get("markup", "/api/v1/lessons/%3Cb%3E", 404, problemKind, `scenario \"<b>\": there are`),

		// Addresses that lead out, or nowhere.
		get("encoded slashes", "/api/v1/lessons/..%2f..%2fscenarios%2fsweep", 404, problemKind, "../../scenarios/sweep"),
		get("encoded backslash", "/api/v1/lessons/..%5csweep", 404, problemKind),
		get("zero byte", "/api/v1/lessons/sweep%00", 404, problemKind),
		get("file name", "/api/v1/lessons/sweep.yaml", 404, problemKind),
		get("dots inside", "/api/v1/lessons/../../v2/x", 404, problemKind, "nothing is at this address"),
		get("dots outside", "/api/v1/lessons/../../../etc/passwd", 404, htmlKind, "There is nothing at /etc/passwd."),
		get("encoded dots outside", "/s/%2e%2e/%2E./etc/passwd", 404, htmlKind, "There is nothing at /etc/passwd."),
		get("dots to another endpoint", "/api/v1/lessons/../run", 405, problemKind),
		get("bare api", "/api", 404, problemKind),
		get("other version", "/api/v2/lessons", 404, problemKind),
		get("capitals", "/API/v1/lessons", 404, htmlKind),
		get("deeper", "/api/v1/lessons/sweep/more", 404, problemKind),
		get("no file", "/nothing.js", 404, htmlKind, "There is nothing at /nothing.js."),

		// Methods.
		wrongMethod("POST", "/api/v1/lessons", "GET, HEAD"),
		wrongMethod("DELETE", "/api/v1/lessons/sweep", "GET, HEAD"),
		wrongMethod("GET", "/api/v1/run", "POST"),
		wrongMethod("HEAD", "/api/v1/run", "POST"),
		wrongMethod("OPTIONS", "/api/v1/run", "POST"),
		wrongMethod("PUT", "/api/v1/links", "POST"),
		wrongMethod("POST", "/s/szfvqf3fh3no", "GET, HEAD"),

		// Runs.
		run("own schedule", `{"id":"sweep"}`, 200, `"verdict": "losing"`, `"verdict": "safe"`, `"differ": 7`, `"outcome": 8`, `"holds": true`, `"over": true`, `"since": 30`,
			"View Y answers wrong from 1500 to 1999", "   8  A    upgrade       finish: into_inner"),
		run("own schedule given", `{"id":"sweep","schedule":"A4 B3 A B A Ka2 A B5 Kb2 B Px By5 Kby By Py A5 La A La A By12 Lby By P"}`, 422, `thread \"P\": more than one thread begins with it: Px, Py`),
		run("another schedule", `{"id":"sweep","schedule":"A4B3"}`, 200, `"verdict": "unfinished"`, `"schedule": "A4 B3"`, `"page": "/#1/sweep/A4B3@7"`),
		run("cursor", `{"id":"sweep","cursor":8}`, 200, `"cursor": 8`, `"steps": 54`, `"since": 8`),
		run("start", `{"id":"sweep","schedule":""}`, 200, `"steps": 0`, `"trace": []`),
		run("changed rule", `{"id":"sweep","rules":{"probe":"strong_count"}}`, 200, `"verdict": "safe"`, `"page": "/#1/sweep;probe=strong_count/`, `"steps": 52`),
		run("changed rules", `{"id":"share","rules":{"mode":"barrier","asserts":"release"}}`, 200, `"page": "/#1/share;asserts=release;mode=barrier/`),
		run("scenario", `{"scenario":"`+quotedYAML+`"}`, 200, `"holds": false`, "expect: strong_count: verdict: got safe, expected losing"),
		run("scenario and schedule", `{"scenario":"`+quotedYAML+`","schedule":"A3"}`, 200, `"verdict": "unfinished"`, `"steps": 3`),
		run("unknown id", `{"id":"nope"}`, 404, `scenario \"nope\": there are`),
		run("traversal in an id", `{"id":"../scenarios/sweep"}`, 404, `scenario \"../scenarios/sweep\": there are`),
		run("blocked", `{"id":"sweep","schedule":"A B"}`, 422, "schedule: step 2: thread B is blocked: registry lock held by A"),
		run("no such thread", `{"id":"sweep","schedule":"A C"}`, 422, `schedule: step 2: thread \"C\": not in this set-up`),
		run("no schedule", `{"id":"sweep","schedule":"A4 5"}`, 422, `schedule: column 4: count \"5\": a count directly follows its thread`),
		run("too many steps", `{"id":"sweep","schedule":"A10001"}`, 422, "a count is 1 to 10000"),
		run("too many steps in all", `{"id":"sweep","schedule":"A9000 B9000"}`, 422, "a schedule has at most 10000 letters in all"),
		run("cursor beyond", `{"id":"sweep","schedule":"A4","cursor":5}`, 422, "cursor: 5: allowed is 0 to 4"),
		run("cursor before", `{"id":"sweep","cursor":-1}`, 422, "cursor: -1: allowed is 0 to 54"),
		run("no such rule", `{"id":"sweep","rules":{"prob":"upgrade"}}`, 422, `rule \"prob\": allowed are probe, mode`),
		run("no such value", `{"id":"sweep","rules":{"probe":"x"}}`, 422, `rule probe: \"x\": allowed are upgrade, strong_count`),
		run("faulty scenario", `{"scenario":"title: 5\nworlds: []\n"}`, 422, "scenario:1:8: title: the number 5: a text is needed", `"line": 1`, `"column": 8`, `"path": "title"`, "the key setup is missing"),
		run("alias bomb", `{"scenario":"a: &a [x]\nb: [*a, *a]\n"}`, 422, "scenario:1:"),
		run("empty scenario", `{"scenario":""}`, 422, "the file is empty"),
		run("neither", `{"schedule":"A"}`, 400, "either id or scenario is needed"),
		run("both", `{"id":"sweep","scenario":"x"}`, 400, "either id or scenario is needed"),

		// Bodies.
		run("no body", "", 400, "body:1:1: not JSON: unexpected end of JSON input"),
		run("broken", "{\"id\":\n  sweep}", 400, "body:2:3: not JSON: invalid character 's'"),
		run("cut", `{"id":"swe`, 400, "body:1:11: not JSON: unexpected end"),
		run("two values", `{"id":"sweep"} {}`, 400, "body:1:16: not JSON: invalid character '{' after top-level value"),
		run("not an object", `["sweep"]`, 400, "body:1:1: an object with the keys cursor, id, rules, scenario, schedule is needed"),
		run("unknown key", `{"id":"sweep", "steps":5}`, 400, `body:1:16: unknown key \"steps\": allowed are cursor`),
		run("key in capitals", `{"ID":"sweep"}`, 400, `body:1:2: unknown key \"ID\"`),
		run("doubled key", `{"id":"sweep","id":"share"}`, 400, "body:1:15: id: the key stands twice"),
		run("wrong type", `{"id": 5}`, 400, "body:1:8: id: a text is needed"),
		run("null", `{"id":null}`, 400, "body:1:7: id: a text is needed"),
		run("half a step", `{"id":"sweep","cursor":1.5}`, 400, "body:1:24: cursor: a whole number is needed"),
		run("huge number", `{"id":"sweep","cursor":99999999999999999999}`, 400, "cursor: a whole number is needed"),
		run("rules as a list", `{"id":"sweep","rules":["x"]}`, 400, "rules: an object of texts is needed"),
		run("not UTF-8", "{\"id\":\"\xff\"}", 400, "body:1:8: byte 0xff is not valid UTF-8"),
		run("deep", `{"id":`+strings.Repeat("[", 20000), 400, "not JSON"),
		run("largest", pad(`{"id":"share"}`, 64<<10), 200, `"id": "share"`),
		run("oversize", pad(`{"id":"share"}`, 64<<10+1), 413, "body: more than 65536 bytes: allowed are 65536"),
		run("far oversize", `{"scenario":"`+strings.Repeat("x", 200<<10)+`"}`, 413, "allowed are 65536"),
		typed("application/json; charset=utf-8", 200, `"id": "share"`),
		typed("Application/JSON", 200, `"id": "share"`),
		typed("text/plain", 415, `content type \"text/plain\": application/json is needed`),
		typed("application/x-www-form-urlencoded", 415),
		typed("none", 415, `content type \"\": application/json is needed`),

		// Links.
		get("link before it is made", "/s/szfvqf3fh3no", 404, problemKind, `short link \"szfvqf3fh3no\": there is none of that name`),
		link("link", `{"fragment":"1/sweep/A4B3@6"}`, 200, `"id": "szfvqf3fh3no"`, `"path": "/s/szfvqf3fh3no"`, `"fragment": "1/sweep/A4B3@6"`),
		link("same link", `{"fragment":"#1/sweep/A%34BBB@6"}`, 200, `"id": "szfvqf3fh3no"`),
		link("rules in a link", `{"fragment":"1/sweep;probe=upgrade;mode=barrier/A@0"}`, 200, `"fragment": "1/sweep;mode=barrier;probe=upgrade/A@0"`, `"id": "mco6ew737jt3"`),
		follow("/s/szfvqf3fh3no", "/#1/sweep/A4B3@6"),
		follow("/s/mco6ew737jt3", "/#1/sweep;mode=barrier;probe=upgrade/A@0"),
		{name: "HEAD of a link", method: "HEAD", target: "/s/szfvqf3fh3no", status: 302, kind: htmlKind, header: map[string]string{"Location": "/#1/sweep/A4B3@6"}},
		person,
		get("unknown link", "/s/aaaaaaaaaaaa", 404, problemKind, "there is none of that name"),
		get("half a link", "/s/szfvqf3f", 404, problemKind),
		get("link in capitals", "/s/SZFVQF3FH3NO", 404, problemKind),
		get("link that is none", "/s/..%2f..%2fetc%2fpasswd", 404, problemKind),
		get("long link", "/s/"+strings.Repeat("a", 2000), 404, problemKind, `aaaa...\"`),
		get("no link", "/s/", 404, problemKind, "nothing is at this address"),
		get("only s", "/s", 404, htmlKind),
		link("not a fragment", `{"fragment":"https://example.com/"}`, 422, `fragment: column 1: version \"https:\": this page understands 1`),
		link("markup", `{"fragment":"1/sweep/<script>@0"}`, 422, `fragment: column 9`),
		link("line break", `{"fragment":"1/sweep/A4\r\nSet-Cookie: a=b@0"}`, 422, "fragment: column"),
		link("later version", `{"fragment":"2/sweep/A4@0"}`, 422, `version \"2\"`),
		link("cursor beyond the end", `{"fragment":"1/sweep/A4@5"}`, 422, "a cursor is 0 to 4"),
		link("unknown scenario", `{"fragment":"1/nope/A4@0"}`, 422, `fragment: scenario \"nope\": there are`),
		link("no fragment", `{}`, 400, "body: the key fragment is missing"),
		link("broken link", `{"fragment":}`, 400, "body:1:13: not JSON"),
		link("oversize link", `{"fragment":"1/sweep/`+strings.Repeat("AB", 40000)+`@0"}`, 413),
	}
}
