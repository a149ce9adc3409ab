package yamlfile_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"sharedbatches/core/scenario/yamlfile"
)

const scenarios = "../../../scenarios/"

func read(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(scenarios + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A mutation replaces the first occurrence of a text in sweep.yaml. The ¦ in the
// new text is not part of it: it marks the line and column that the message must
// name. Without a mark the message has no place but the file.
type mutation struct {
	name, from, to string
	want           string // path and message
	schema         bool   // the JSON Schema refuses it too
}

// threeAnswers are those of the question in sweep.yaml, up to the right one.
const threeAnswers = `      - text: The batch. A is the last worker.
        because: It is the last worker, but not the last string. The sweep holds one too.
      - text: "` + "`None`" + `."
        right: true
`

var mutations = []mutation{
	// Keys.
	{"unknown key", "goal: Make", "¦gaol: Make", `unknown key "gaol": did you mean goal? allowed are differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds`, true},
	{"unknown key, nothing near", "start: 6", "¦begins_here: 6\nstart: 6", `unknown key "begins_here": allowed are differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds`, true},
	{"unknown key in setup", "  target: 65536", "  ¦targets: 65536", `setup: unknown key "targets": did you mean target? allowed are cleaner, max_runs, outstanding, processes, rules, sinks, sweeper, target, teardown, workers`, true},
	{"unknown key in a flow mapping", "{name: X, lower: 1000, uppers: [2000]}", "{name: X, lower: 1000, uppers: [2000], ¦upper: 3000}", `setup.sinks[0]: unknown key "upper": did you mean uppers? allowed are lower, name, participants, replica, since, superseded, uppers`, true},
	{"unknown key, case", "title: The", "¦Title: The", `unknown key "Title": did you mean title? allowed are differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds
sweep.yaml:2:1: the key title is missing`, true},
	{"number as key", "start: 6", "¦6: 6", `unknown key "6": allowed are differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds`, true},
	{"list as key", "start: 6", "? ¦[start]\n: 6", `a key is a plain word`, false},
	{"doubled key", "start: 6", "start: 6\n¦start: 6", `start: the key stands twice, first in line 31`, false},
	{"doubled key, far away", "outcome: 8", "outcome: 8\n¦title: again", `title: the key stands twice, first in line 2`, false},
	{"doubled key in a flow mapping", "{key: \"7\", from: 5, to: 6}", "{key: \"7\", from: 5, ¦from: 5, to: 6}", `setup.workers[0].writes[0].parts[0].changes[0].from: the key stands twice, first in line 21`, false},
	{"missing key", "title: The probe that holds on\n", "¦", `the key title is missing`, true},
	{"missing key in a list", "{name: X, lower: 1000, uppers: [2000]}", "¦{name: X, lower: 1000}", `setup.sinks[0]: the key uppers is missing`, true},
	{"missing key of a part", "            - {at: 1500, updates: 512, bytes: 14262}", "            - ¦{at: 1500, updates: 512}", `setup.workers[1].writes[0].parts[0]: the key bytes is missing`, true},
	{"merge key", "start: 6", "¦<<: {start: 6}", `a merge key: write the values out`, false},

	// Types.
	{"text for a number", "start: 6", "start: ¦six", `start: the text "six": a whole number from 0 to 10000 is needed`, true},
	{"quoted number for a number", "start: 6", `start: ¦"6"`, `start: the text "6": a whole number from 0 to 10000 is needed`, true},
	{"fraction", "start: 6", "start: ¦6.5", `start: the number 6.5: a whole number from 0 to 10000 is needed`, true},
	{"nothing", "start: 6", "start:¦", `start: nothing: a whole number from 0 to 10000 is needed`, true},
	{"null", "start: 6", "start: ¦~", `start: nothing: a whole number from 0 to 10000 is needed`, true},
	{"truth value for a number", "start: 6", "start: ¦true", `start: the truth value true: a whole number from 0 to 10000 is needed`, true},
	{"list for a number", "start: 6", "start: ¦[6]", `start: a list: a whole number from 0 to 10000 is needed`, true},
	{"mapping for a number", "start: 6", "start: ¦{at: 6}", `start: a mapping: a whole number from 0 to 10000 is needed`, true},
	{"number for a text", `{sink: Y, key: "7", as_of`, `{sink: Y, key: ¦7, as_of`, `reader.key: the number 7: a text is needed (put it into quotes)`, true},
	{"date for a text", "title: The probe that holds on", "title: ¦2026-01-01", `title: 2026-01-01 (!!timestamp): a text is needed (put it into quotes)`, false},
	{"word for a list", "worlds: [upgrade, strong_count]", "worlds: ¦upgrade", `worlds: the text "upgrade": a list is needed`, true},
	{"list for a mapping", `reader: {sink: Y, key: "7", as_of: [1500, 2000]}`, `reader: ¦[Y]`, `reader: a list: a mapping with the keys as_of, key, sink is needed`, true},
	{"text for a truth value", "  target: 65536", "  sweeper: ¦yes please\n  target: 65536", `setup.sweeper: the text "yes please": true or false is needed`, true},
	{"another spelling of true", "  target: 65536", "  sweeper: ¦True\n  target: 65536", `setup.sweeper: the truth value True: true or false is needed`, false},
	{"tag", "start: 6", "start: ¦!!int 6", `start: a tag (!!int): leave it out, each key has one type`, false},
	{"own tag", "worlds: [upgrade", "worlds: ¦!pair [upgrade", `worlds: a tag (!pair): leave it out, each key has one type`, false},

	// Values.
	{"below the range", "start: 6", "start: ¦-1", `start: -1: allowed is 0 to 10000`, true},
	{"above the range", "start: 6", "start: ¦10001", `start: 10001: allowed is 0 to 10000`, true},
	{"far above the range", "start: 6", "start: ¦99999999999999999999", `start: the number 99999999999999999999: a whole number from 0 to 10000 is needed`, true},
	{"leading zero", "start: 6", "start: ¦010", `start: 010: write the number in plain digits, from 0 to 10000`, false},
	{"hexadecimal", "start: 6", "start: ¦0x6", `start: 0x6: write the number in plain digits, from 0 to 10000`, false},
	{"underscore", "  target: 65536", "  target: ¦65_536", `setup.target: 65_536: write the number in plain digits, from 4096 to 2147483647`, false},
	{"inline part", "{at: 1500, updates: 512, bytes: 14262}", "{at: 1500, updates: 512, bytes: ¦4095}", `setup.workers[1].writes[0].parts[0].bytes: 4095: allowed is 4096 (below it a part would be inline) to 2147483647`, false},
	{"no updates", "{at: 1500, updates: 512, bytes: 14262}", "{at: 1500, updates: ¦0, bytes: 14262}", `setup.workers[1].writes[0].parts[0].updates: 0: allowed is 1 to 2147483647`, true},
	{"unknown word", "grain: step", "grain: ¦steps", `grain: "steps": did you mean step? allowed are step, sweep, call`, true},
	{"unknown world", "[upgrade, strong_count]", "[upgrade, ¦strongcount]", `worlds[1]: "strongcount": did you mean strong_count? allowed are upgrade, strong_count`, true},
	{"a world twice", "worlds: [upgrade, strong_count]", "worlds: ¦[upgrade, upgrade]", `worlds: both worlds are upgrade: they must differ`, true},
	{"three worlds", "worlds: [upgrade, strong_count]", "worlds: ¦[upgrade, strong_count, upgrade]", `worlds: 3 items: allowed are 1 to 2`, true},
	{"empty list", "worlds: [upgrade, strong_count]", "worlds: ¦[]", `worlds: 0 items: allowed are 1 to 2`, true},
	{"a panel twice", "panels: [registry", "panels: [registry, ¦registry", `panels[1]: registry stands twice`, true},
	{"a sink's name", "{name: X, lower", "{name: ¦Z, lower", `setup.sinks[0].name: "Z": did you mean V? allowed are V, W, X, Y`, true},
	{"empty title", "title: The probe that holds on", `title: ¦""`, `title: 0 bytes: allowed are 1 to 120`, true},
	{"long title", "title: The probe that holds on", "title: ¦" + strings.Repeat("long ", 24) + "title", `title: 125 bytes: allowed are 1 to 120`, true},
	{"unknown verdict", "verdict: losing", "verdict: ¦lost", `expect.upgrade.verdict: "lost": allowed are safe, losing, deadlocked, panicked, unfinished`, true},
	{"unknown answer", "{thread: A, step: 8, got: none}", "{thread: A, step: 8, got: ¦nothing}", `expect.upgrade.answers[0].got: "nothing": allowed are none, batch`, true},
	{"unknown read", "{as_of: 1500, view: 5, truth: 6}", "{as_of: 1500, view: ¦late, truth: 6}", `expect.upgrade.reads[0].view: "late": allowed are waits, refused, none, error`, true},
	{"unknown invariant", "{delivered: 8,", "{¦delivery: 8,", `expect.upgrade.broken: unknown key "delivery": did you mean delivered? allowed are all_woken, balance, delivered, deliverer, label, no_leak, once, one_batch, one_report, pending, pushes_first, runs, schema, view`, true},
	{"unknown rule", "  target: 65536", "  rules: {¦node: barrier}\n  target: 65536", `setup.rules: unknown key "node": did you mean mode? allowed are asserts, descriptions, finish, goodbytes, label, mode, modes, persist, reports, runs, schema, sink, wait`, true},
	{"the probe among the rules", "  target: 65536", "  rules: {¦probe: upgrade}\n  target: 65536", `setup.rules: unknown key "probe": allowed are asserts, descriptions, finish, goodbytes, label, mode, modes, persist, reports, runs, schema, sink, wait`, true},
	{"unknown value of a rule", "  target: 65536", "  rules: {wait: ¦checkfirst}\n  target: 65536", `setup.rules.wait: "checkfirst": did you mean check_first? allowed are register_first, check_first`, true},
	{"a rule where it was once", "  target: 65536", "  ¦descriptions: unchecked\n  target: 65536", `setup: unknown key "descriptions": allowed are cleaner, max_runs, outstanding, processes, rules, sinks, sweeper, target, teardown, workers`, true},
	{"three processes", "  target: 65536", "  processes: ¦3\n  target: 65536", `setup.processes: 3: allowed is 1 to 2`, true},
	{"more participants than eight", "uppers: [2000, 3000]}", "uppers: [2000, 3000], participants: ¦9}", `setup.sinks[1].participants: 9: allowed is 1 to 8`, true},
	{"interval zero is superseded", "uppers: [2000, 3000]}", "uppers: [2000, 3000], superseded: [¦0]}", `setup.sinks[1].superseded[0]: 0: allowed is 1 to 4`, true},
	{"a world's name", "worlds: [upgrade, strong_count]", "worlds: [{name: ¦Upgrade, rules: {}}, strong_count]", `worlds[0].name: "Upgrade": a world's name is of a-z, 0-9 and _, as in check_first`, true},
	{"a world without rules", "worlds: [upgrade, strong_count]", "worlds: [¦{name: upgrade}, strong_count]", `worlds[0]: the key rules is missing`, true},
	{"a world's unknown value", "worlds: [upgrade, strong_count]", "worlds: [{name: upgrade, rules: {probe: ¦upgraded}}, strong_count]", `worlds[0].rules.probe: "upgraded": did you mean upgrade? allowed are upgrade, strong_count`, true},
	{"two names for one world", "worlds: [upgrade, strong_count]", "worlds: ¦[{name: loads, rules: {probe: strong_count}}, strong_count]", `worlds: loads and strong_count change the same rules: they must differ`, false},
	{"an expectation too few", "  upgrade:\n    verdict: losing", "  ¦upgrades:\n    verdict: losing", "expect: unknown key \"upgrades\": did you mean upgrade? allowed are strong_count, upgrade\nsweep.yaml:58:3: expect: the key upgrade is missing", false},

	// Over several fields.
	{"unknown sink of a task", "            - {at: 1500, updates: 512, bytes: 14262}\n        - sink: Y", "            - {at: 1500, updates: 512, bytes: 14262}\n        - sink: ¦W", `setup.workers[1].writes[1].sink: "W": setup.sinks, which stands before the workers, has no such sink`, false},
	{"a time outside the interval", "{at: 1500, updates: 512, bytes: 14262}", "{at: ¦2000, updates: 512, bytes: 14262}", `setup.workers[1].writes[0].parts[0].at: 2000: allowed is 1000 to 1999`, false},
	{"an interval too far", "{at: 1500, updates: 512, bytes: 14262}", "{interval: ¦2, at: 1500, updates: 512, bytes: 14262}", `setup.workers[1].writes[0].parts[0].interval: 2: this sink has intervals 1 to 1`, false},
	{"an empty interval", "uppers: [2000, 3000]", "uppers: ¦[2000, 2000]", `setup.sinks[1].uppers: intervals: [2000, 2000) is empty: a lower is below its upper`, false},
	{"since beyond lower", "{name: X, lower: 1000,", "{name: X, since: ¦1001, lower: 1000,", `setup.sinks[0].since: 1001: allowed is 0 to the first lower, 1000`, false},
	{"a sink twice", "{name: Y, lower: 1000, uppers: [2000, 3000]}", "{name: Y, lower: 1000, uppers: [2000, 3000]}\n    - {name: ¦Y, lower: 0, uppers: [1]}", `setup.sinks[2].name: Y is taken: sinks have different names`, false},
	{"no change", "{key: \"7\", from: 5, to: 6}", "¦{key: \"7\", from: 5, to: 5}", `setup.workers[0].writes[0].parts[0].changes[0]: from and to are both 5: that is no change`, false},
	{"a task twice", "        - sink: Y\nworlds", "        - ¦sink: X\nworlds", `setup.workers[1].writes[1]: worker B has a write task for sink X already`, false},
	{"outgrown target", "  target: 65536\n  sinks:\n    - {name: X, lower: 1000, uppers: [2000]}\n    - {name: Y, lower: 1000, uppers: [2000, 3000]}\n  workers:\n    - writes",
		"  target: 8192\n  sinks:\n    - {name: X, lower: 1000, uppers: [2000]}\n    - {name: Y, lower: 1000, uppers: [2000, 3000]}\n  workers:\n    ¦- writes", `setup.workers: parts: those of sink X are 14262 bytes together: allowed is the target, 8192`, false},
	{"character in the schedule", "A4 B3 A B A Ka2", "A4 B3 A B A ¦- Ka2", `schedule: character "-": a schedule is of A-Z, a-z, 0-9 and blanks, as in A4 By`, true},
	{"lower-case in the schedule", "  A5 La A La A By12", "  A5 ¦la A La A By12", `schedule: lower-case "la": a thread's name begins with a capital letter, as in A or By`, true},
	{"count in the schedule", "A4 B3 A B A Ka2", "A¦04 B3 A B A Ka2", `schedule: count "04": a count is 1 to 10000 without leading zero`, true},
	{"unknown thread", "A5 La A La A By12", "A5 La A ¦D A By12", `schedule: step 38: thread "D": not in this set-up, which has A, B, By, Ka, La, Kb, Kby, Lby, Px, Py`, false},
	{"ambiguous thread", "A5 La A La A By12", "A5 ¦L A La A By12", `schedule: step 36: thread "L": more than one thread begins with it: La, Lby`, false},
	{"blocked thread", "A4 B3 A B A Ka2", "A4 ¦Py B3 A B A Ka2", `schedule: step 5: thread Py is blocked: A, By have not answered for Y`, false},
	{"start beyond the schedule", "start: 6", "start: ¦55", `start: 55: allowed is 0 to 54, the length of the schedule`, false},
	{"note beyond the schedule", "start: 6", "notes:\n  - {step: 8, text: None}\n  - {step: ¦55, text: none}\nstart: 6", `notes[1].step: 55: allowed is 0 to 54, the length of the schedule`, false},
	{"unknown thread of an answer", "{thread: By, step: 29, got: none}", "{thread: ¦C, step: 29, got: none}", `expect.upgrade.answers[2].thread: thread "C": not in this set-up, which has A, B, By, Ka, La, Kb, Kby, Lby, Px, Py`, false},
	{"key that nobody changes", `{sink: Y, key: "7"`, `{sink: Y, key: ¦"8"`, `reader.key: "8": the parts of this view change ["7"]`, false},
	{"reader of no sink", `{sink: Y, key: "7"`, `{sink: ¦V, key: "7"`, `reader.sink: "V": this set-up has no such sink`, false},
	{"times that descend", "as_of: [1500, 2000]", "as_of: ¦[2000, 1500]", `reader.as_of: [2000 1500]: times are in ascending order`, false},

	{"a superseded interval too far", "uppers: [2000, 3000]}", "uppers: [2000, 3000], superseded: ¦[3]}", `setup.sinks[1].superseded: 3: this sink has intervals 1 to 2`, false},
	{"participants without the rule", "uppers: [2000, 3000]}", "uppers: [2000, 3000], participants: ¦3}", `setup.sinks[1].participants: 3: they are the write tasks of a process, unless the rule reports is unchecked`, false},
	{"another replica of the short sink", "uppers: [2000, 3000]}", "uppers: [2000, 3000], replica: ¦1}", `setup.sinks[1].replica: 1: another replica needs the rule sink to be whole`, false},
	{"a skip without the barrier", "    - writes:\n        - sink: Y", "    - writes:\n        - sink: Y\n          skips: ¦[1]", `setup.workers[0].writes[0].skips: only the barrier has them: the rule mode is best_effort`, false},
	{"worlds with different threads", "worlds: [upgrade, strong_count]", "worlds: ¦[{name: upgrade, rules: {sink: whole}}, strong_count]", `worlds: upgrade and strong_count have different threads, so no schedule fits both`, false},

	// What a class is asked and told.
	{"two right answers", "      - text: The batch. A is the last worker.\n", "      ¦- text: The batch. A is the last worker.\n        right: true\n", `questions[0].answers: 2 answers have right: true: exactly one is right`, true},
	{"no right answer", threeAnswers, strings.Replace(strings.Replace(threeAnswers, "right: true", "right: false", 1), "- text", "¦- text", 1), `questions[0].answers: 0 answers have right: true: exactly one is right`, true},
	{"an answer without a reason", "text: The batch. A is the last worker.\n        because: It is the last worker, but not the last string. The sweep holds one too.\n", "¦text: The batch. A is the last worker.\n", `questions[0].answers[0]: the key because is missing`, true},
	{"another spelling of right", "right: true", "¦correct: true", "questions[0].answers[1]: unknown key \"correct\": allowed are because, right, text", true},
	{"a word for right", "right: true", "right: ¦sure", `questions[0].answers[1].right: the text "sure": true or false is needed`, true},
	{"a question beyond the schedule", "  - step: 7\n    ask", "  - step: ¦55\n    ask", `questions[0].step: 55: allowed is 0 to 54, the length of the schedule`, false},
	{"two questions at one step", "questions:\n  - step: 7", "questions:\n  - {step: 7, ask: Who, answers: [{text: A, right: true, because: Yes.}, {text: B, because: No.}]}\n  - step: ¦7", `questions[1].step: 7: questions are in the order of their steps, one at each`, false},
	{"an empty hint", "  - Look at the count while B’s sweep probes the entry of Y.", `  - ¦""`, `hints[0]: 0 bytes: allowed are 1 to 8192`, true},
	{"a goal in another world", "{world: upgrade, broken", "{world: ¦upgraded, broken", `reach[0].world: "upgraded": this scenario has ["upgrade" "strong_count"]`, false},
	{"a goal of no invariant", "{world: upgrade, broken: delivered}", "{world: upgrade, broken: ¦deliver}", `reach[0].broken: "deliver": did you mean delivered? allowed are delivered, once, no_leak, balance, view, one_report, pending, pushes_first, all_woken, deliverer, one_batch, schema, label, runs`, true},
	{"a goal of a builder task", "thread: A, got: batch}", "thread: ¦Ka, got: batch}", `reach[1].thread: "Ka": it is a write task, such as A`, false},
	{"a goal of two forms", "{world: upgrade, broken: delivered}", "¦{world: upgrade, broken: delivered, verdict: safe}", `reach[0]: a condition is one of broken, thread with got, or verdict`, true},
	{"a goal without an answer", "{world: strong_count, thread: A, got: batch}", "¦{world: strong_count, thread: A}", `reach[1]: a condition is one of broken, thread with got, or verdict`, true},
	{"a goal that is unfinished", "{world: upgrade, broken: delivered}", "{world: upgrade, verdict: ¦unfinished}", `reach[0].verdict: "unfinished": allowed are safe, losing, deadlocked, panicked`, true},
	{"a miss without reach", "reach:\n  - {world: upgrade, broken: delivered}\n  - {world: strong_count, thread: A, got: batch}\nmiss: Let", "miss: ¦Let", `miss: without reach a goal cannot be missed`, true},
	{"next beyond the schedule", "next: {step: 30", "next: {step: ¦55", `next.step: 55: allowed is 0 to 54, the length of the schedule`, false},
	{"a move of no thread", "start: 6", "moves: [A, ¦C]\nstart: 6", `moves[1]: "C": this set-up has ["A" "B" "By" "Ka" "La" "Kb" "Kby" "Lby" "Px" "Py"]`, false},

	// YAML and characters.
	{"alias", "start: 6", "start: ¦*six", "not YAML: unknown anchor 'six' referenced", false},
	{"anchor", "start: 6", "start: ¦&six 6", `start: an anchor (&six): write the value out where it is needed`, false},
	{"alias of an anchor", "start: 6\ngrain: step", "notes: ¦&n []\ngrain: *n", "notes: an anchor (&n): write the value out where it is needed\nsweep.yaml:32:8: grain: an alias (*n): write the value out", true},
	{"two documents", "start: 6", "start: 6\n¦---\ntitle: second", `more than one document: a file holds one scenario`, false},
	{"a broken second document", "    broken: {delivered: 8, no_leak: 12, view: 30}", "    broken: {delivered: 8, no_leak: 12, view: 30}\n---\n¦[", `not YAML: did not find expected ',' or ']'`, false},
	{"tab indentation", "  target: 65536", "¦\ttarget: 65536", `not YAML: a tab: YAML indents with blanks`, false},
	{"tab after blanks", "  sinks:\n    - {name: X", "  sinks:\n  ¦\t- {name: X", `not YAML: a tab: YAML indents with blanks`, false},
	{"a colon too many", "title: The probe that holds on", "title: The probe¦: that holds on", `not YAML: mapping values are not allowed in this context`, false},
	{"unclosed list", "worlds: [upgrade, strong_count]", "worlds: ¦[upgrade, strong_count", `not YAML: found character that cannot start any token`, false},
	{"unclosed quote", `{sink: Y, key: "7", as_of`, `¦{sink: Y, key: "7, as_of`, `not YAML: found character that cannot start any token`, false},
	{"unclosed mapping", "{name: X, lower: 1000, uppers: [2000]}", "¦{name: X, lower: 1000, uppers: [2000]", `not YAML: did not find expected ',' or '}'`, false},
	{"wrong indentation", "  target: 65536\n  sinks:", "  target: 65536\n ¦sinks:", `not YAML: did not find expected key`, false},
	{"bidi character", "The probe that", "The probe ¦\u202ethat", `character U+202E is not allowed: it cannot be seen and may reorder or hide text`, false},
	{"bidi character in a comment", "# yaml", "# ¦\u2066yaml", `character U+2066 is not allowed: it cannot be seen and may reorder or hide text`, false},
	{"zero-width space", "goal: Make", "go¦\u200bal: Make", `character U+200B is not allowed: it cannot be seen and may reorder or hide text`, true},
	{"byte order mark", "# yaml", "¦\ufeff# yaml", `character U+FEFF is not allowed: it cannot be seen and may reorder or hide text`, false},
	{"lone carriage return", "goal: Make", "goal: ¦\rMake", `a carriage return that no line feed follows: end lines with a line feed`, false},
	{"control character", "goal: Make", "goal: ¦\x07Make", `character U+0007 is not allowed: it cannot be seen and may reorder or hide text`, false},
	{"invalid UTF-8", "The probe that", "The ¦\xff probe that", `byte 0xff is not valid UTF-8`, false},
	{"invalid UTF-8 after a wide character", "Y’s batch", "Y’s ¦\xc3 batch", `byte 0xc3 is not valid UTF-8`, false},
}

// whole replaces the whole file.
var whole = []mutation{
	{"empty", "", "¦", `the file is empty: a scenario is a mapping that begins with a title`, false},
	{"only a comment", "", "¦# nothing\n", `the file is empty: a scenario is a mapping that begins with a title`, false},
	{"only dashes", "", "---\n¦", `nothing: a mapping with the keys differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds is needed`, true},
	{"a text", "", "¦hello", `the text "hello": a mapping with the keys differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds is needed`, true},
	{"a list", "", "¦- title", `a list: a mapping with the keys differ, expect, goal, grain, hints, miss, moves, next, notes, outcome, panels, questions, reach, reader, schedule, setup, start, text, title, worlds is needed`, true},
	{"too large", "", "title: " + strings.Repeat("x", yamlfile.MaxBytes), `262151 bytes: allowed are 262144`, true},
	{"deeply nested", "", "¦title: " + strings.Repeat("[", 20000), `not YAML that can be read: exceeded max depth of 10000`, false},
}

// mutate makes the text and the place that its message must name, such as "31:8".
func (m mutation) mutate(t testing.TB, text string) (changed, place string) {
	t.Helper()
	at := 0
	if m.from != "" {
		if at = strings.Index(text, m.from); at < 0 {
			t.Fatalf("%s: sweep.yaml has no %q", m.name, m.from)
		}
	}
	to := m.to
	if before, after, ok := strings.Cut(m.to, "¦"); ok {
		to = before + after
		head := text[:at] + before
		line := strings.Count(head, "\n")
		place = fmt.Sprintf("%d:%d", line+1, len([]rune(head[strings.LastIndex(head, "\n")+1:]))+1)
	}
	return text[:at] + to + text[at+len(m.from):], place
}

// TestLineEnds: a file with the line ends of Windows reads the same.
func TestLineEnds(t *testing.T) {
	sweep := read(t, "sweep.yaml")
	a, err := yamlfile.Decode("sweep.yaml", "sweep", []byte(sweep))
	if err != nil {
		t.Fatal(err)
	}
	b, err := yamlfile.Decode("sweep.yaml", "sweep", []byte(strings.ReplaceAll(sweep, "\n", "\r\n")))
	if err != nil || !reflect.DeepEqual(a, b) {
		t.Errorf("got %+v, %v", b, err)
	}
}

func TestMutations(t *testing.T) {
	sweep := read(t, "sweep.yaml")
	if _, err := yamlfile.Decode("sweep.yaml", "sweep", []byte(sweep)); err != nil {
		t.Fatal(err)
	}
	for i, list := range [][]mutation{mutations, whole} {
		for _, m := range list {
			t.Run(m.name, func(t *testing.T) {
				text := sweep
				if i == 1 {
					text = ""
				}
				changed, place := m.mutate(t, text)
				s, err := yamlfile.Decode("sweep.yaml", "sweep", []byte(changed))
				var faults yamlfile.Errors
				if !errors.As(err, &faults) || s != nil {
					t.Fatalf("got %v, %v, want an error and no scenario", s, err)
				}
				want := "sweep.yaml:"
				if place != "" {
					want += place + ":"
				}
				if want += " " + m.want; err.Error() != want {
					t.Errorf("got\n%s\nwant\n%s", err, want)
				}
			})
		}
	}
}
