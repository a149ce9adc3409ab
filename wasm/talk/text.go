package talk

import (
	"strconv"
	"strings"

	"sharedbatches/core/proof"
)

// TicksMost is the number of schedules up to which each is drawn as one.
const TicksMost = 400

// Digits parts the digits of a number by threes.
func Digits(n int) string { return proof.Digits(strconv.Itoa(n)) }

// Escape makes text safe in markup. The package html would do it with a table of two
// thousand names that neither program has a use for.
var Escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace
