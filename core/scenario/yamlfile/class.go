package yamlfile

import (
	"sharedbatches/core/coalesce"
	"sharedbatches/core/scenario"
	"sharedbatches/core/schedule"
)

// Limits of what a class is asked. The answers have keys of one digit.
const (
	maxQuestions  = 20
	minAnswers    = 2
	maxAnswers    = 9
	maxHints      = 9
	maxMoves      = 32
	maxConditions = 8
)

func decodeQuestion(f field) scenario.Question {
	var q scenario.Question
	f.fields(map[string]func(field){
		"step!": func(f field) { f.int(&q.Step, 0, schedule.MaxLetters) },
		"ask!":  func(f field) { f.text(&q.Ask, 1, maxText) },
		"answers!": func(f field) {
			before, right := len(f.to.list), 0
			f.items(minAnswers, maxAnswers, func(f field) {
				var c scenario.Choice
				f.fields(map[string]func(field){
					"text!":    func(f field) { f.text(&c.Text, 1, maxText) },
					"right":    func(f field) { f.flag(&c.Right) },
					"because!": func(f field) { f.text(&c.Because, 1, maxText) },
				})
				if c.Right {
					right++
				}
				q.Answers = append(q.Answers, c)
			})
			if right != 1 && len(f.to.list) == before {
				f.fault("%d answers have right: true: exactly one is right", right)
			}
		},
	})
	return q
}

// decodeCondition reads one of three forms, by the keys that stand there.
func decodeCondition(f field) scenario.Condition {
	var c scenario.Condition
	before := len(f.to.list)
	f.fields(map[string]func(field){
		"world!": func(f field) { f.text(&c.World, 1, 24) },
		"broken": func(f field) {
			var names []string
			for i := range coalesce.InvariantCount {
				names = append(names, scenario.InvariantKey(i))
			}
			f.word(&c.Broken, names)
		},
		"thread":  func(f field) { f.text(&c.Thread, 1, schedule.MaxLetterBytes) },
		"got":     func(f field) { f.word(&c.Got, []string{"none", "batch"}) },
		"verdict": func(f field) { f.word(&c.Verdict, scenario.Verdicts) },
	})
	forms := 0
	for _, there := range []bool{c.Broken != "", c.Thread != "" && c.Got != "", c.Verdict != ""} {
		if there {
			forms++
		}
	}
	if len(f.to.list) == before && (forms != 1 || (c.Thread == "") != (c.Got == "")) {
		f.fault("a condition is one of broken, thread with got, or verdict")
	}
	return c
}

// decodeTexts reads a list of texts, each of at least a byte.
func decodeTexts(f field, least, most, bytes int) (list []string) {
	f.items(least, most, func(f field) {
		var s string
		f.text(&s, 1, bytes)
		list = append(list, s)
	})
	return list
}
