package view

// Frame is everything that the page shows at one moment. Strings of type HTML are
// trusted markup made here, with every foreign text escaped; the page writes them
// into the element named beside each field and nothing else. No markup has a style
// attribute or a script.
//
// A word that the glossary explains is a span of class term with data-term; its
// sentence is [Term] of that key.
type Frame struct {
	StepNo    string   // #step-no: "step 8", "start"
	Says      HTML     // #says: the narration of the step, also the live announcement
	SaysPlain string   // the same without markup, for the timeline's aria-valuetext
	Why       HTML     // #why: paragraphs that explain what needs it (None, the orphan); may be empty
	Note      HTML     // #note: the scenario's note for this step, as paragraphs; may be empty
	Worlds    []World  // #world-0, #world-1
	Seam      HTML     // #seam: "≠ from step 7", or "same again", or empty
	Threads   []Card   // #thread-NAME
	Rules     HTML     // #rules: the invariants, a details element with data-rule for each, a column for each world
	Meter     HTML     // #meter: what the run has cost, as #rules has it
	Timeline  Drawing  // #strip: the lanes and count tracks, see timeline.go for its data attributes
	Switches  []Switch // the rules that matter for this set-up
	Branches  HTML     // #branches: buttons with data-line, the place in History.Lines; empty when there is one line
	Schedule  string   // #schedule: printed schedule up to the cursor
	Cursor    int
	Length    int // letters on the current line
	Over      bool
	Suggest   string // name of the thread whose Step button is suggested, or ""
}

// HTML is trusted markup.
type HTML string

// World is one world's panels: elements #world-I-FIELD, with FIELD in lower case.
// Registry, Blobs, Shard, Sink and Reader begin with their own heading.
type World struct {
	Name     string
	Head     HTML // sign of the world and its name
	Badge    HTML // the outcome so far; may be empty
	Registry HTML
	Scene    HTML // the line that differs between the worlds, the drawing of a batch on its strings, the other batches
	Blobs    HTML
	Shard    HTML
	Sink     HTML // the sink around: descriptions, capabilities, corrections; empty when it has nothing to say
	Reader   HTML // what a subscriber was told and a second view answers; empty without a reader
}

// Switch is a rule of the set-up with its values, of which some are broken on purpose.
type Switch struct {
	Key, Value string // Value is that of the first world
	Values     []string
	Broken     []bool   // by value
	Says       []string // by value
	Same       bool     // whether all worlds have the value
}

// Card is one thread's card. Its button keeps its element, so focus stays.
type Card struct {
	Name     string // as in schedules: A, By, Ka
	Group    string // heading before this card, such as "Process 1: worker A"; or empty
	Title    string // "Worker A"
	Sub      HTML   // "sink Y"
	Act      string // the button's words: "B: sweep, probe Y"
	Key      string // the key that steps it: "B"
	Disabled bool   // blocked in every world; the button stays focusable
	Reason   string // why, for the button's description; empty when enabled
	Hidden   bool   // not spawned yet and nothing to say about it
	State    string // ready, split, blocked, unborn, finished: a class of the card
	Program  HTML   // the lines, one <li> each; class far for those that are hidden to save room
	Buffers  HTML   // what a write task still holds of corrections; may be empty
	Next     HTML   // what comes next, in each world if they differ; or the reason
}
