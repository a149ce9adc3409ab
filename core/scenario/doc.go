// Package scenario is a lesson as data: a set-up, a schedule, what to show and what
// must come out of it in each world.
//
// A [Scenario] is plain data. [Scenario.Open] builds its worlds and plays its
// schedule; [Scenario.Check] holds the result to the expectation. Reading the YAML
// form is the business of the package yamlfile below this one, so that a program
// which gets them in the form of package compact carries no YAML.
package scenario
