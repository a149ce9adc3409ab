package main

import (
	"fmt"
	"time"

	"sharedbatches/core/proof"
)

type proofsCmd struct {
	MaxSeconds float64 `help:"Stop each search after this many seconds." default:"120" placeholder:"S"`
}

func (p *proofsCmd) Help() string {
	return "Decides every variant that the project publishes, and times it. States are up to renaming of interchangeable workers."
}

func (p *proofsCmd) Run(c *console) error {
	head, rule := proof.TableHead(" milliseconds | states/s | bytes/state |", " --- | --- | --- |")
	fmt.Fprintln(c.out, head)
	fmt.Fprintln(c.out, rule)
	for _, row := range proof.Table() {
		search, err := proof.New(row.Question)
		if err != nil {
			return err
		}
		began := time.Now()
		for !search.Run(slice) {
			if time.Since(began).Seconds() > p.MaxSeconds {
				search.Stop("seconds")
			}
		}
		took := time.Since(began)
		a := search.Answer()
		fmt.Fprintf(c.out, "%s %d | %.0f | %.0f |\n", row.Line(a), took.Milliseconds(), float64(a.States)/took.Seconds(), a.BytesPerState)
	}
	return nil
}
